import { keyVariables, type Model } from 'singletable/tools'
import {
  type Cell,
  cell,
  entity,
  NONE,
  paragraph,
  type RelatedEntity,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { declared } from '../figures.ts'
import { typeWords } from '../type-words.ts'

const ATTRIBUTES_MAX = 8

/** Which entities reference which. */
export function relationsSection({ schema, relations }: DocumentSources): Section {
  const entities = [...schema.models.values()].map(relatedEntity)
  return {
    id: 'relations',
    title: 'Entities and relations',
    blocks: [
      paragraph(
        'Inferred from the attributes in keys, from counters, and from copied attributes and items.',
      ),
      { kind: 'relations', entities, relations },
      ...(relations.length === 0
        ? []
        : [
            {
              kind: 'table' as const,
              columns: [
                { title: 'One' },
                { title: 'has' },
                { title: 'Other' },
                { title: 'By' },
                { title: 'Of each', align: 'right' as const },
              ],
              rows: relations.map(({ parent, child, many, label, average }) => ({
                cells: [
                  cell(entity(parent)),
                  cell(many ? 'any number of' : 'at most one'),
                  cell(entity(child)),
                  cell(label),
                  averageCell(average),
                ],
              })),
            },
          ]),
    ],
  }
}

function averageCell(average: number | undefined): Cell {
  return average === undefined ? NONE : cell(declared(`about ${average}`))
}

export function relatedEntity(model: Model): RelatedEntity {
  const keys = keyVariables([...model.primary.hash, ...model.primary.sort])
  const attributes = [...model.attributes.values()].map(({ name, definition }) => ({
    name,
    type: typeWords({ type: definition.type }),
    isKey: keys.includes(name),
  }))
  const ordered = [
    ...attributes.filter(({ isKey }) => isKey),
    ...attributes.filter(({ isKey }) => !isKey),
  ]
  return { name: model.name, attributes: ordered.slice(0, ATTRIBUTES_MAX) }
}
