import type {
  Edit,
  ExportRequest,
  FilterCondition,
  ImportMapping,
  ImportRequest,
  InputText,
  PatternRequest,
  QueryRequest,
  ScanRequest,
  SortCondition,
  StatementRequest,
  StoredItem,
  StoredValue,
} from './contract.ts'
import { readStoredItem } from './read-stored-item.ts'
import { StudioError } from './studio-error.ts'

/** Items of one page, and bytes of one cursor or text: more is nobody's page. */
export const PAGE_ITEMS_MAX = 1000
const TEXT_CHARACTERS_MAX = 500_000
/** Of a part of a file. Two parts of the page's size fit, and the largest item in DynamoDB JSON. */
export const FILE_PART_CHARACTERS_MAX = 800_000
/** An item has at most this many attributes that anybody maps by hand. */
export const MAPPED_COLUMNS_MAX = 1000
const SORT_OPERATORS = ['=', '<', '<=', '>', '>=', 'begins_with', 'between'] as const

const FILTER_OPERATORS = [...SORT_OPERATORS, '<>', 'contains', 'exists', 'not exists'] as const
const FILTER_TYPES = ['S', 'N', 'BOOL'] as const
const FILTERS_MAX = 10
/** A day: CloudWatch reports longer times too, but heat is about now. */
const PERIOD_MINUTES_MAX = 1440

/** Bodies are checked here, so that what follows can trust their types. */
export function readScan(body: unknown): ScanRequest {
  const members = object(body, 'The request')
  return {
    index: text(members, 'index'),
    limit: limitOf(members),
    ...(members.filters !== undefined && { filters: readFilters(members.filters) }),
    ...optional(members, 'cursor'),
  }
}

function readFilters(value: unknown): readonly FilterCondition[] {
  if (!Array.isArray(value) || value.length > FILTERS_MAX) {
    throw new StudioError('filters is not a list.', `send up to ${FILTERS_MAX} filters`)
  }
  return value.map((each) => {
    const members = object(each, 'filter')
    const op = FILTER_OPERATORS.find((known) => known === members.op)
    const type = FILTER_TYPES.find((known) => known === members.type)
    if (op === undefined || type === undefined) {
      throw new StudioError(
        'The operator or the type of a filter is not known.',
        `use one of ${FILTER_OPERATORS.join(', ')}, and ${FILTER_TYPES.join(', ')}`,
      )
    }
    return {
      attribute: text(members, 'attribute'),
      op,
      type,
      values: strings(members.values, 'values'),
    }
  })
}

export function readIndex(body: unknown): string {
  return text(object(body, 'The request'), 'index')
}

/** How many minutes ago, if one of the last minutes is asked for. */
export function readMinute(body: unknown): number | undefined {
  const { minutesAgo } = object(body, 'The request')
  if (minutesAgo === undefined) return undefined
  if (Number.isInteger(minutesAgo) && Number(minutesAgo) >= 0) return Number(minutesAgo)
  throw new StudioError('minutesAgo is not a number of minutes.', 'send a whole number')
}

/** Minutes that a report is about. */
export function readPeriod(body: unknown): number {
  const { minutes } = object(body, 'The request')
  const count = Number(minutes)
  if (Number.isInteger(count) && count >= 1 && count <= PERIOD_MINUTES_MAX) return count
  throw new StudioError('minutes is not a number of minutes.', `send 1 to ${PERIOD_MINUTES_MAX}`)
}

export function readId(body: unknown): string {
  return text(object(body, 'The request'), 'id')
}

/** The name of the table as it was typed to confirm a change on AWS. */
export function readTyped(body: unknown): string | undefined {
  const { table } = object(body, 'The request')
  return table === undefined ? undefined : string(table, 'table')
}

const EXPORT_FORMATS = ['dynamodb', 'json', 'csv'] as const

/** An export is a link, so that its parts are in the address. */
export function readExport(query: Readonly<Record<string, string>>): ExportRequest {
  const { entity, index = 'primary', pk, pattern, input } = query
  const call = { pattern, input: parseJson(input ?? '{}') }
  return {
    format: oneOf(EXPORT_FORMATS, query.format, 'format'),
    index,
    ...(entity !== undefined && { entity }),
    ...(pk !== undefined && { hash: strings(parseJson(pk), 'pk') }),
    ...(pattern !== undefined && { call: readPatternRequest(call) }),
  }
}

export function readImport(body: unknown): ImportRequest {
  const members = object(body, 'The request')
  const part = readFilePart(body)
  const { mapping } = members
  if (mapping === undefined && part.format === 'json') {
    throw new StudioError('Rows of JSON have no mapping.', 'say which column is which attribute')
  }
  return {
    ...part,
    ...(mapping !== undefined && { mapping: readMapping(mapping) }),
    replaces: members.replaces === true,
    isDryRun: members.isDryRun === true,
    ...(members.table !== undefined && { table: text(members, 'table') }),
  }
}

/** A part of a file, of whole records. */
export type FilePart = Pick<ImportRequest, 'format' | 'name' | 'text' | 'line'>

export function readFilePart(body: unknown): FilePart {
  const members = object(body, 'The request')
  const { text: content, line } = members
  if (typeof content !== 'string') throw new StudioError('text is not a text.', 'send a text')
  if (content.length > FILE_PART_CHARACTERS_MAX) {
    throw new StudioError(
      `The part of the file is longer than ${FILE_PART_CHARACTERS_MAX.toLocaleString('en-US')} characters.`,
      'cut it between records; the items of a longer record are imported by singletable load',
    )
  }
  return {
    format: oneOf(['dynamodb', 'csv', 'json'] as const, members.format, 'format'),
    name: members.name === undefined ? 'the file' : text(members, 'name'),
    text: content,
    line: Number.isInteger(line) ? Number(line) : 0,
  }
}

function readMapping(value: unknown): ImportMapping {
  const members = object(value, 'mapping')
  const columns = Object.entries(object(members.columns, 'columns'))
  if (columns.length > MAPPED_COLUMNS_MAX) {
    throw new StudioError(
      `The mapping has more than ${MAPPED_COLUMNS_MAX.toLocaleString('en-US')} columns.`,
      'import the file with singletable import',
    )
  }
  const named = columns.map(([name, each]): [string, string | null] => [
    name,
    each === null ? null : string(each, name),
  ])
  const used = named.flatMap(([, attribute]) => attribute ?? [])
  const twice = used.find((name, at) => used.indexOf(name) !== at)
  if (twice !== undefined) {
    throw new StudioError(`Two columns are "${twice}".`, 'choose one of them, leave the other out')
  }
  return { entity: text(members, 'entity'), columns: Object.fromEntries(named) }
}

export function readWorkbenchModel(body: unknown): {
  readonly name: string
  readonly model: unknown
} {
  const members = object(body, 'The request')
  return { name: text(members, 'name'), model: members.model }
}

export function readQuery(body: unknown): QueryRequest {
  const members = object(body, 'The request')
  const { sort, isReversed } = members
  return {
    ...readScan(body),
    hash: strings(members.hash, 'hash'),
    ...(sort !== undefined && { sort: readSort(sort) }),
    isReversed: isReversed === true,
  }
}

export function readStatement(body: unknown): StatementRequest {
  const members = object(body, 'The request')
  return {
    statement: text(members, 'statement'),
    limit: limitOf(members),
    ...optional(members, 'cursor'),
  }
}

export function readPatternRequest(body: unknown): PatternRequest {
  const members = object(body, 'The request')
  const input = Object.entries(object(members.input, 'input')).map(
    ([name, value]): [string, InputText] => {
      if (typeof value === 'string') return [name, value]
      if (Array.isArray(value)) return [name, strings(value, name)]
      const bounds = Object.entries(object(value, name))
      return [name, Object.fromEntries(bounds.map(([bound, each]) => [bound, string(each, bound)]))]
    },
  )
  return {
    pattern: text(members, 'pattern'),
    input: Object.fromEntries(input),
    ...(members.limit !== undefined && { limit: limitOf(members) }),
    ...optional(members, 'cursor'),
  }
}

export function readKey(body: unknown): StoredItem {
  return object(object(body, 'The request').key, 'key') as StoredItem
}

export function readEntityKey(body: unknown): EntityKey {
  const members = object(body, 'The request')
  const typed = Object.entries(object(members.strings, 'strings'))
  return {
    entity: text(members, 'entity'),
    strings: Object.fromEntries(typed.map(([name, each]) => [name, string(each, name)])),
  }
}

/** The attributes of a primary key, as a form shows them. */
export interface EntityKey {
  readonly entity: string
  readonly strings: { readonly [attribute: string]: string }
}

export function readItems(body: unknown): readonly StoredItem[] {
  const { items } = object(body, 'The request')
  if (!Array.isArray(items)) throw new StudioError('items is not a list.', 'send a list of items')
  return items.map((each) => object(each, 'item') as StoredItem)
}

export function readChange(body: unknown): ChangeRequest {
  const { change, isDryRun } = object(body, 'The request')
  return {
    change: readOneChange(object(change, 'change')),
    isDryRun: isDryRun === true,
    table: readTyped(body),
  }
}

interface ChangeRequest {
  readonly change: Edit
  readonly isDryRun: boolean
  /** What was typed to confirm a change on AWS. */
  readonly table: string | undefined
}

function readOneChange(given: Members): Edit {
  if (given.kind === 'raw') {
    const [before, after] = [given.before, given.after].map((each) =>
      each === null ? null : readStoredItem(each),
    )
    return { kind: 'raw', entity: null, before: before ?? null, after: after ?? null }
  }
  const entity = text(given, 'entity')
  switch (given.kind) {
    case 'create': {
      const typed = Object.entries(object(given.strings, 'strings'))
      const all = Object.fromEntries(typed.map(([name, each]) => [name, string(each, name)]))
      if (given.restores === undefined) return { kind: 'create', entity, strings: all }
      return { kind: 'create', entity, strings: all, restores: readStoredItem(given.restores) }
    }
    case 'update': {
      const typed = Object.entries(object(given.strings, 'strings'))
      const all = Object.fromEntries(
        typed.map(([name, each]) => [name, each === null ? null : string(each, name)]),
      )
      const before = object(given.before, 'before') as StoredItem
      if (given.values === undefined) return { kind: 'update', entity, before, strings: all }
      return { kind: 'update', entity, before, strings: all, values: readValues(given.values) }
    }
    case 'delete': {
      const before = object(given.before, 'before') as StoredItem
      return { kind: 'delete', entity, before }
    }
    default:
      throw new StudioError('kind is none of create, update, delete and raw.', 'send one of them')
  }
}

/** Values by attribute; null removes. */
function readValues(given: unknown): { readonly [attribute: string]: StoredValue | null } {
  const all = Object.entries(object(given, 'values'))
  const removed = all.filter(([, value]) => value === null).map(([name]) => [name, null] as const)
  const rest = readStoredItem(Object.fromEntries(all.filter(([, value]) => value !== null)))
  return { ...rest, ...Object.fromEntries(removed) }
}

function readSort(value: unknown): SortCondition {
  const members = object(value, 'sort')
  const op = oneOf(SORT_OPERATORS, members.op, 'The operator')
  return { op, values: strings(members.values, 'values') }
}

function oneOf<TName extends string>(names: readonly TName[], value: unknown, what: string): TName {
  const found = names.find((each) => each === value)
  if (found !== undefined) return found
  throw new StudioError(`${what} is not known.`, `use one of ${names.join(', ')}`)
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

type Members = Readonly<Record<string, unknown>>

function object(value: unknown, name: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw new StudioError(`${name} is not an object.`, 'send an object')
}

function text(members: Members, name: string): string {
  return string(members[name], name)
}

function string(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX) return value
  throw new StudioError(`${name} is not a text.`, 'send a text')
}

function strings(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => string(each, name))
  throw new StudioError(`${name} is not a list.`, 'send a list of strings')
}

function optional(members: Members, name: 'cursor'): { readonly cursor?: string } {
  const value = members[name]
  return value === undefined || value === null ? {} : { [name]: string(value, name) }
}

function limitOf({ limit }: Members): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= PAGE_ITEMS_MAX) {
    return Number(limit)
  }
  throw new StudioError('limit is not a number of items.', `send 1 to ${PAGE_ITEMS_MAX}`)
}
