import { countedUntil } from './counted-until.ts'
import type { LivingDocument, Section } from './document.ts'
import type { DocumentSources } from './document-sources.ts'
import { accessPatterns } from './sections/access-patterns.ts'
import { attributesSection } from './sections/attributes.ts'
import { calls } from './sections/calls.ts'
import { capacity } from './sections/capacity.ts'
import { changes } from './sections/changes.ts'
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

const SECTIONS: readonly ((sources: DocumentSources) => Section | readonly Section[])[] = [
  overview,
  changes,
  whenNotRight,
  accessPatterns,
  calls,
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

/** The document of a design, with all its sections. Equal sources give equal documents. */
export function makeDocument(sources: DocumentSources): LivingDocument {
  const { recording, sample } = sources.design
  const sampledOn = sample?.takenOn
  return {
    title: sources.name,
    origin: {
      name: sources.name,
      recording: recording && true,
      sample: sampledOn,
      before: sources.before?.hash,
      at: countedUntil(sources),
    },
    sections: SECTIONS.flatMap((make) => make(sources)).map((section) => ({
      ...section,
      sampledOn,
    })),
    entities: [...sources.schema.models.keys()],
  }
}
