import { type Index, keyAttributes, type Pattern } from 'singletable/tools'
import { writeAmplification } from '../../cost/index-writes.ts'
import {
  type Block,
  type Cell,
  cell,
  code,
  counted,
  elementId,
  entity,
  type Inline,
  link,
  listed,
  NONE,
  type Row,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { shownFigure } from '../figures.ts'
import { indexName } from '../index-name.ts'
import { titleOf } from '../pattern-cells.ts'

/** Which reads use each index, which indexes are unused, and what each costs in writes. */
export function indexUsage(sources: DocumentSources): Section {
  return {
    id: 'index-usage',
    title: 'Index usage',
    blocks: [indexTable(sources), ...matrix(sources), ...amplification(sources)],
  }
}

function patternsOf({ schema }: DocumentSources, index: Index): readonly Pattern[] {
  return [...schema.patterns.values()].filter(
    ({ use, definition }) => use?.index === index && isAsked(definition.op),
  )
}

/** Writes go to the table, and from there to all indexes: only reads use an index. */
function isAsked(op: string): boolean {
  return /[gG]et$|^query$/.test(op)
}

function indexTable(sources: DocumentSources): Block {
  const { schema } = sources
  const rows = [...schema.indexes.values()].map((index): Row => {
    const members = [...schema.models.values()].filter(({ indexes }) =>
      indexes.some((use) => use.index === index),
    )
    const reads = patternsOf(sources, index).length
    const isUnused = reads === 0 && index.type !== 'primary' && schema.patterns.size > 0
    return {
      cells: [
        cell(code(index.name)),
        cell(index.type === 'primary' ? 'the table itself' : index.type),
        cell(...listed(keyAttributes(index).map(code))),
        projectionCell(index),
        cell(...listed(members.map(({ name }) => entity(name)))),
        cell(isUnused ? 'none: unused' : counted(reads, 'read')),
      ],
    }
  })
  return {
    kind: 'table',
    columns: [
      { title: 'Index' },
      { title: 'Kind' },
      { title: 'Keys' },
      { title: 'Projection' },
      { title: 'Entities in it' },
      { title: 'Patterns' },
    ],
    rows,
  }
}

function projectionCell({ project, type }: Index): Cell {
  if (type === 'primary') return NONE
  if (typeof project === 'string') return cell(project === 'all' ? 'all attributes' : 'keys only')
  return cell('keys and ', ...listed(project.map(code)))
}

/** Reads in rows, indexes in columns. */
function matrix(sources: DocumentSources): readonly Block[] {
  const { schema } = sources
  const indexes = [...schema.indexes.values()]
  const asked = [...schema.patterns.values()].filter(({ definition }) => isAsked(definition.op))
  if (indexes.length < 2 || asked.length === 0) return []
  return [
    { kind: 'heading', id: 'index-usage-matrix', line: ['Reads by index'] },
    {
      kind: 'table',
      columns: [
        { title: 'Pattern' },
        ...indexes.map(({ name }) => ({ title: indexName(name), align: 'center' as const })),
      ],
      rows: asked.map(({ name, definition, use, target }) => ({
        cells: [
          cell(link(elementId('AP', name), titleOf(name, definition))),
          ...indexes.map((index): Cell => {
            const isUsed = use?.index === index
            // Whole items are fetched from the table afterwards.
            const isFetched = target !== undefined && index.type === 'primary' && !isUsed
            return cell(isUsed ? '●' : isFetched ? '○' : '')
          }),
        ],
      })),
    },
    ...(asked.some(({ target }) => target)
      ? [
          {
            kind: 'paragraph' as const,
            line: ['● queried, ○ whole items fetched by the keys that were found'],
          },
        ]
      : []),
  ]
}

/** What a new item costs in the table and in each index. */
function amplification({ schema, design }: DocumentSources): readonly Block[] {
  const indexes = [...schema.indexes.values()].slice(1)
  if (indexes.length === 0) return []
  const rows = [...schema.models.values()].map((model): Row => {
    const cost = writeAmplification(design, model)
    const total: Inline = shownFigure(cost.itemBytes, `${cost.totalUnits} WRU`)
    return {
      cells: [
        cell(entity(model.name)),
        cell(shownFigure(cost.itemBytes, `${cost.tableUnits}`)),
        ...indexes.map(({ name }): Cell => {
          const found = cost.indexes.find((each) => each.index === name)
          return found ? cell(shownFigure(found.entryBytes, `${found.units}`)) : NONE
        }),
        cell(total),
        cell(`× ${Number(cost.factor.toFixed(2))}`),
      ],
    }
  })
  return [
    { kind: 'heading', id: 'index-usage-writes', line: ['Write amplification'] },
    {
      kind: 'paragraph',
      line: ['Write units of putting one new item, in the table and in every index it is in.'],
    },
    {
      kind: 'table',
      columns: [
        { title: 'Entity' },
        { title: 'Table', align: 'right' },
        ...indexes.map(({ name }) => ({ title: name, align: 'right' as const })),
        { title: 'In all', align: 'right' },
        { title: 'Factor', align: 'right' },
      ],
      rows,
    },
  ]
}
