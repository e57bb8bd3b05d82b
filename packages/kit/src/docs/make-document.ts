import { countedUntil } from './counted-until.ts'
import type { LivingDocument, Section } from './document.ts'
import type { DocumentSources } from './document-sources.ts'
import { accessPatterns } from './sections/access-patterns.ts'
import { attributesSection } from './sections/attributes.ts'
import { capacity } from './sections/capacity.ts'
import { consistency } from './sections/consistency.ts'
import { decisions } from './sections/decisions.ts'
import { entityChart } from './sections/entity-chart.ts'
import { glossary } from './sections/glossary.ts'
import { indexUsage } from './sections/index-usage.ts'
import { infrastructure } from './sections/infrastructure.ts'
import { itemCollections } from './sections/item-collections.ts'
import { limits } from './sections/limits.ts'
import { overview } from './sections/overview.ts'
import { prefixRegistry } from './sections/prefix-registry.ts'
import { relationsSection } from './sections/relations-section.ts'
import { whenNotRight } from './sections/when-not-right.ts'

const SECTIONS: readonly ((sources: DocumentSources) => Section)[] = [
  overview,
  whenNotRight,
  accessPatterns,
  entityChart,
  indexUsage,
  itemCollections,
  relationsSection,
  prefixRegistry,
  attributesSection,
  consistency,
  capacity,
  limits,
  decisions,
  infrastructure,
  glossary,
]

/** The document of a design, all its parts in order. Equal sources give equal documents. */
export function makeDocument(sources: DocumentSources): LivingDocument {
  const { recording, sample } = sources.design
  const sampledOn = sample?.takenOn
  return {
    title: sources.name,
    origin: {
      name: sources.name,
      recording: recording && true,
      sample: sampledOn,
      at: countedUntil(sources),
    },
    sections: SECTIONS.map((make) => ({ ...make(sources), sampledOn })),
    entities: [...sources.schema.models.keys()],
  }
}
