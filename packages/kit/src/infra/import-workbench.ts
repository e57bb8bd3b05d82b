import type { Item } from 'singletable/tools'
import { isItem } from '../transfer/json-lines.ts'
import { InfraError } from './infra-error.ts'
import { Code, type Literal, printCode, printText } from './print-code.ts'

/** The parts of Workbench's models that are read. */
interface WorkbenchTable {
  readonly TableName: string
  readonly KeyAttributes: WorkbenchKeys
  readonly NonKeyAttributes?: readonly WorkbenchAttribute[]
  readonly TableFacets?: readonly WorkbenchFacet[]
  readonly TableData?: readonly unknown[]
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string
    readonly KeyAttributes: WorkbenchKeys
    readonly Projection?: {
      readonly ProjectionType?: string
      readonly NonKeyAttributes?: readonly string[]
    }
  }[]
}
interface WorkbenchAttribute {
  readonly AttributeName: string
  readonly AttributeType: string
}
interface WorkbenchKeys {
  readonly PartitionKey: WorkbenchAttribute
  readonly SortKey?: WorkbenchAttribute
}
interface WorkbenchFacet {
  readonly FacetName: string
  readonly KeyAttributeAlias?: {
    readonly PartitionKeyAlias?: string
    readonly SortKeyAlias?: string
  }
  readonly NonKeyAttributes?: readonly string[]
  readonly TableData?: readonly unknown[]
}

/** A table of a model, with its sample data. */
export interface WorkbenchContents {
  readonly name: string
  /** The names of its primary key. */
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly facets: readonly {
    readonly name: string
    /** The aliases of its keys. */
    readonly aliases: readonly string[]
  }[]
  /** What the model has as sample data of the table and of its facets, each item once. */
  readonly items: readonly Item[]
  /** Sample data without the keys of the table, which can't be items. */
  readonly unreadable: number
  /** A draft of a schema. */
  readonly draft: string
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['S', 'String'],
  ['N', 'Number'],
  ['B', 'Uint8Array'],
  ['BOOL', 'Boolean'],
])

/** A draft of a schema from a model of NoSQL Workbench: a model for every facet. Templates of
 * indexes are for people to add, since the format has none. */
export function importWorkbench(text: string, file: string, tableName?: string): string {
  return refusing(file, () =>
    printDraft(chooseTable(readTables(parseModel(text, file), file), file, tableName)),
  )
}

/** All tables of a model, which is parsed already. */
export function readWorkbench(model: unknown, file: string): readonly WorkbenchContents[] {
  return refusing(file, () => readTables(model, file).map(contentsOf))
}

function contentsOf(table: WorkbenchTable): WorkbenchContents {
  const { PartitionKey, SortKey } = table.KeyAttributes
  const keys = [PartitionKey, SortKey].flatMap((each) => each?.AttributeName ?? [])
  const facets = table.TableFacets ?? []
  const found = [table, ...facets].flatMap(({ TableData = [] }) => TableData)
  const isWhole = (each: unknown): each is Item =>
    isItem(each) && keys.every((name) => Object.hasOwn(each, name))
  // A facet repeats items of its table.
  const items = new Map(found.filter(isWhole).map((item) => [printSorted(item), item]))
  return {
    name: table.TableName,
    keys,
    indexes: (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName),
    facets: facets.map(({ FacetName, KeyAttributeAlias: aliases = {} }) => ({
      name: FacetName,
      aliases: [aliases.PartitionKeyAlias, aliases.SortKeyAlias].flatMap((each) => each || []),
    })),
    items: [...items.values()],
    unreadable: found.filter((each) => !isWhole(each)).length,
    draft: printDraft(table),
  }
}

/** The same text for items that differ in nothing but the order of their attributes. */
function printSorted(item: Item): string {
  return JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What lacks a member that is needed gives a TypeError where it is read. */
function refusing<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw unreadable(file)
  }
}

function parseModel(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(file)
  }
}

function readTables(model: unknown, file: string): readonly WorkbenchTable[] {
  const { DataModel } = Object(model) as { DataModel?: unknown }
  if (!Array.isArray(DataModel) || DataModel.length === 0) throw unreadable(file)
  return DataModel as readonly WorkbenchTable[]
}

function chooseTable(
  tables: readonly WorkbenchTable[],
  file: string,
  name: string | undefined,
): WorkbenchTable {
  const found = tables.filter((table) => name === undefined || table?.TableName === name)
  const [table] = found
  if (table && found.length === 1) return table
  const names = tables.map((each) => each?.TableName).join(', ')
  throw new InfraError(
    name === undefined ? `${file} has several tables.` : `${file} has no table "${name}".`,
    `pass --table with one of ${names}`,
  )
}

function unreadable(file: string): InfraError {
  return new InfraError(
    `${file} is not a model of NoSQL Workbench.`,
    'export the model from Workbench as JSON, and give that file',
  )
}

function printDraft(table: WorkbenchTable): string {
  const { PartitionKey, SortKey } = table.KeyAttributes
  const indexes = new Map<string, Literal>([
    ['primary', { hash: PartitionKey.AttributeName, sort: SortKey?.AttributeName }],
  ])
  const keys = new Set([PartitionKey.AttributeName, SortKey?.AttributeName])
  for (const { IndexName, KeyAttributes, Projection } of table.GlobalSecondaryIndexes ?? []) {
    const { PartitionKey: hash, SortKey: sort } = KeyAttributes
    keys.add(hash.AttributeName).add(sort?.AttributeName)
    indexes.set(IndexName, {
      hash: hash.AttributeName,
      sort: sort?.AttributeName,
      project: projected(Projection),
    })
  }
  const types = new Map(
    (table.NonKeyAttributes ?? []).map(({ AttributeName, AttributeType }) => [
      AttributeName,
      AttributeType,
    ]),
  )
  const models = new Map<string, Literal>()
  const facets = table.TableFacets?.length
    ? table.TableFacets
    : [{ FacetName: table.TableName, NonKeyAttributes: [...types.keys()] }]
  for (const facet of facets) {
    models.set(facet.FacetName, draftModel(facet, table.KeyAttributes, keys, types))
  }
  return [
    "import { defineSchema } from 'singletable'",
    '',
    `// A draft from the model of ${printText(table.TableName)}. Add the templates of its indexes to the models that are in them (index: { … }),`,
    '// say which attributes are required, and declare the access patterns.',
    `export const schema = defineSchema(${printCode({ indexes, models })})`,
    '',
  ].join('\n')
}

function draftModel(
  { FacetName, KeyAttributeAlias: aliases = {}, NonKeyAttributes = [] }: WorkbenchFacet,
  { PartitionKey, SortKey }: WorkbenchKeys,
  keys: ReadonlySet<string | undefined>,
  types: ReadonlyMap<string, string>,
): Literal {
  const hash = template(aliases.PartitionKeyAlias, `${FacetName}Id`)
  const sort = SortKey && template(aliases.SortKeyAlias, `${FacetName}Sort`)
  const attributes = new Map<string, Literal>()
  for (const text of [hash, sort ?? '']) {
    for (const [, name = ''] of text.matchAll(/\$\{([^}:]*)/g)) {
      // Another type could not be in a key as it is.
      attributes.set(name, { type: new Code('String'), required: true })
    }
  }
  for (const name of NonKeyAttributes) {
    // Keys are made of templates, and the type is the library's own attribute.
    if (keys.has(name) || attributes.has(name) || name === '_type') continue
    attributes.set(name, { type: typeCode(types.get(name)) })
  }
  return {
    key: new Map([
      [PartitionKey.AttributeName, hash],
      ...(SortKey && sort !== undefined ? [[SortKey.AttributeName, sort] as const] : []),
    ]),
    attributes,
  }
}

/** An alias such as `USER#<username>` or `USER#{username}` is a template; a plain word names what
 * the key holds. */
function template(alias: string | undefined, otherwise: string): string {
  const text = alias?.trim() || otherwise
  if (/[<{]/.test(text)) return text.replace(/\$?[<{]([^<>{}]+)[>}]/g, '${$1}')
  return /^[a-zA-Z_]\w*$/.test(text) && text !== text.toUpperCase() ? `\${${text}}` : text
}

function typeCode(type: string | undefined): Literal {
  const known = TYPES.get(type ?? 'S')
  return known === undefined ? 'any' : new Code(known)
}

function projected(
  projection: {
    readonly ProjectionType?: string
    readonly NonKeyAttributes?: readonly string[]
  } = {},
): Literal {
  const { ProjectionType, NonKeyAttributes } = projection
  if (ProjectionType === 'KEYS_ONLY') return 'keys'
  return ProjectionType === 'INCLUDE' ? NonKeyAttributes : undefined
}
