import {
  GLOBAL_INDEXES_MAX,
  ITEM_COLLECTION_MAX_BYTES,
  ITEM_SIZE_MAX_BYTES,
  type KeyPart,
  LOCAL_INDEXES_MAX,
  type Model,
  PARTITION_KEY_MAX_BYTES,
  type Pattern,
  PROJECTED_PER_TABLE_MAX,
  SORT_KEY_MAX_BYTES,
  TRANSACTION_ACTIONS_MAX,
} from 'singletable/tools'
import { ID_BYTES, ISO_BYTES, UNIT_BYTES } from '../../cost/estimate-bytes.ts'
import type { Figure } from '../../cost/figure.ts'
import { itemBytes } from '../../cost/item-bytes.ts'
import { writeUnits } from '../../cost/write-units.ts'
import {
  type Cell,
  cell,
  code,
  elementId,
  entity,
  groupDigits,
  type Inline,
  link,
  NONE,
  printBytes,
  type Row,
  type Section,
} from '../document.ts'
import { type DocumentSources, ownModels } from '../document-sources.ts'
import { shownFigure } from '../figures.ts'
import { titleOf } from '../pattern-cells.ts'

/** The design compared with DynamoDB's limits. */
export function limits(sources: DocumentSources): Section {
  const rows = [
    ...keyRows(sources),
    sizeRow(sources),
    collectionRow(sources),
    transactionRow(sources),
    ...indexRows(sources),
  ]
  return {
    id: 'limits',
    title: 'Limits check',
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Limit' },
          { title: 'Of DynamoDB', align: 'right' },
          { title: 'Here', align: 'right' },
          { title: 'Where' },
          { title: '' },
        ],
        rows,
      },
    ],
  }
}

function row(
  what: string,
  limit: string,
  here: Cell,
  where: Cell,
  verdict:
    | 'well within'
    | 'near'
    | 'over'
    | 'not declared'
    | 'longer ones are refused'
    | 'no limit here',
): Row {
  return { cells: [cell(what), cell(limit), here, where, cell(verdict)] }
}

function verdictOf(value: number, limit: number): 'well within' | 'near' | 'over' {
  return value > limit ? 'over' : value > limit * 0.8 ? 'near' : 'well within'
}

/** The longest keys that the declared sizes allow. */
function keyRows(sources: DocumentSources): readonly Row[] {
  return (['hash', 'sort'] as const).flatMap((role) => {
    const parts = [...sources.schema.models.values()].flatMap((model) =>
      model.indexes.flatMap((use) => use[role].map((part) => ({ model, part }))),
    )
    if (parts.length === 0) return []
    const limit = role === 'hash' ? PARTITION_KEY_MAX_BYTES : SORT_KEY_MAX_BYTES
    const what = role === 'hash' ? 'Length of a partition key' : 'Length of a sort key'
    const sizes = parts.map(({ model, part }) => ({ model, part, bytes: keyBytesMax(model, part) }))
    const open = sizes.filter(({ bytes }) => bytes === undefined)
    const known = sizes.flatMap(({ bytes, ...rest }) =>
      bytes === undefined ? [] : { ...rest, bytes },
    )
    const longest = known.sort((a, b) => b.bytes - a.bytes)[0]
    if (open.length > 0 || longest === undefined) {
      const [first] = open
      return [
        row(
          what,
          `${groupDigits(limit)} B`,
          cell('not declared'),
          first
            ? [
                [entity(first.model.name), ', ', code(first.part.name)],
                [`and ${open.length - 1} more`],
              ].slice(0, open.length > 1 ? 2 : 1)
            : NONE,
          'longer ones are refused',
        ),
      ]
    }
    const where = cell(entity(longest.model.name), ', ', code(longest.part.name))
    const here: Inline = {
      kind: 'figure',
      text: `${groupDigits(longest.bytes)} B`,
      basis: 'declared',
    }
    return [
      row(what, `${groupDigits(limit)} B`, cell(here), where, verdictOf(longest.bytes, limit)),
    ]
  })
}

/** The maximum length of a key; undefined if the schema does not limit it. */
function keyBytesMax(model: Model, { template, attribute }: KeyPart): number | undefined {
  if (template === undefined) return attribute.definition.maxBytes
  let sum = 0
  for (const part of template.parts) {
    if (typeof part === 'string') sum += Buffer.byteLength(part)
    else if (part.count !== undefined) sum += String(part.count - 1).length
    else if (part.unit !== undefined) sum += UNIT_BYTES[part.unit] ?? ISO_BYTES
    else if (part.width !== undefined) sum += part.width
    else {
      const bytes = valueBytesMax(model, part.name)
      if (bytes === undefined) return undefined
      sum += bytes
    }
  }
  return sum
}

function valueBytesMax(model: Model, name: string): number | undefined {
  const { definition } = model.attributes.get(name) ?? {}
  if (definition === undefined) return undefined
  const { type, maxBytes, generate } = definition
  // An escape can take up to three bytes for one.
  if (maxBytes !== undefined) return definition.encode === true ? 3 * maxBytes : maxBytes
  if (definition.enum)
    return Math.max(...definition.enum.map((each) => Buffer.byteLength(String(each))))
  if (type === Boolean) return 5
  if (type === Date) return ISO_BYTES
  if (typeof generate === 'string' && definition.readonly) return ID_BYTES[generate]
  return undefined
}

function sizeRow({ schema, design }: DocumentSources): Row {
  const sizes = [...schema.models.values()].map((model) => ({
    model,
    bytes: itemBytes(design, model),
  }))
  const [largest] = sizes.sort((a, b) => b.bytes.value - a.bytes.value)
  if (largest === undefined) return row('Size of an item', '400 KB', NONE, NONE, 'not declared')
  return row(
    'Size of an item, on average',
    '400 KB',
    cell(shownFigure(largest.bytes, printBytes(largest.bytes.value))),
    cell(entity(largest.model.name)),
    verdictOf(largest.bytes.value, ITEM_SIZE_MAX_BYTES),
  )
}

/** Only a table with local indexes limits the size of an item collection. */
function collectionRow(sources: DocumentSources): Row {
  const { schema, design } = sources
  const isBounded = [...schema.indexes.values()].some(({ type }) => type === 'local')
  const sizes = ownModels(sources).flatMap((model) => {
    const { perPartition } = schema.definition.models[model.name]?.stats ?? {}
    const count = perPartition?.max ?? perPartition?.average
    if (count === undefined) return []
    const bytes = itemBytes(design, model)
    return [{ model, figure: { ...bytes, value: count * bytes.value } satisfies Figure }]
  })
  const [largest] = sizes.sort((a, b) => b.figure.value - a.figure.value)
  const limit = isBounded ? '10 GB with a local index' : 'none without a local index'
  if (largest === undefined) {
    return row('Items of one partition key', limit, NONE, NONE, 'not declared')
  }
  return row(
    'Items of one partition key',
    limit,
    cell(shownFigure(largest.figure, printBytes(largest.figure.value))),
    cell(entity(largest.model.name)),
    isBounded ? verdictOf(largest.figure.value, ITEM_COLLECTION_MAX_BYTES) : 'no limit here',
  )
}

function transactionRow({ schema, design }: DocumentSources): Row {
  const sizes = [...schema.patterns.values()].flatMap((pattern: Pattern) => {
    const items = writeUnits(design, pattern)?.items.length ?? 0
    return items > 1 ? [{ pattern, items }] : []
  })
  const [largest] = sizes.sort((a, b) => b.items - a.items)
  if (largest === undefined) {
    return row('Items of a transaction', '100', cell('1'), NONE, 'well within')
  }
  const { name, definition } = largest.pattern
  return row(
    'Items of a transaction',
    '100',
    cell({ kind: 'figure', text: String(largest.items), basis: 'declared' }),
    cell(link(elementId('AP', name), titleOf(name, definition))),
    verdictOf(largest.items, TRANSACTION_ACTIONS_MAX),
  )
}

function indexRows({ schema }: DocumentSources): readonly Row[] {
  const indexes = [...schema.indexes.values()]
  const count = (type: string): number => indexes.filter((each) => each.type === type).length
  const projected = indexes.flatMap(({ project }) => (typeof project === 'string' ? [] : project))
  const one = (what: string, value: number, limit: number): Row =>
    row(
      what,
      String(limit),
      cell({ kind: 'figure', text: String(value), basis: 'declared' }),
      NONE,
      verdictOf(value, limit),
    )
  return [
    one('Global indexes', count('global'), GLOBAL_INDEXES_MAX),
    one('Local indexes', count('local'), LOCAL_INDEXES_MAX),
    one('Attributes named in projections', projected.length, PROJECTED_PER_TABLE_MAX),
  ]
}
