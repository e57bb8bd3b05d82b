import {
  type AttributeValue,
  type Index,
  type Item,
  isInIndex,
  itemSizeBytes,
  type Model,
  modelOf,
  ServiceError,
  unitsToWrite,
} from 'singletable/tools'
import { printCell, printJson } from '../../text/typed-values.ts'
import type {
  EntityCount,
  FilterCondition,
  Heat,
  IndexCopy,
  ItemDetail,
  Overview,
  Page,
  QueryRequest,
  ScanRequest,
  SortCondition,
  StatementRequest,
  StoredItem,
  TrafficView,
} from './contract.ts'
import { failureOf, StudioError } from './studio-error.ts'
import { Meter, type StudioSource } from './studio-source.ts'

/** Items that an overview counts; a larger table is counted in part. */
export const COUNTED_ITEMS_MAX = 20_000

/** One page of an index in the order of DynamoDB: items of a partition follow each other. */
export async function scanPage(source: StudioSource, request: ScanRequest): Promise<Page> {
  const index = indexOf(source, request.index)
  const meter = new Meter(source.connection.transport)
  const answer = await meter.transport.send('Scan', {
    TableName: source.connection.tableName,
    ...(index.type !== 'primary' && { IndexName: index.name }),
    Limit: request.limit,
    ReturnConsumedCapacity: 'TOTAL',
    ...startOf(request.cursor),
    ...expressions(request.filters, [], []),
  })
  return pageOf(source, meter, answer, index.name)
}

/** One page of a partition. */
export async function queryPage(source: StudioSource, request: QueryRequest): Promise<Page> {
  const meter = new Meter(source.connection.transport)
  const { limit: Limit, cursor } = request
  const answer = await meter.transport.send('Query', {
    ...queryRequest(source, request),
    Limit,
    ...startOf(cursor),
  })
  return pageOf(source, meter, answer, request.index)
}

/** What asks for the items of a partition, whatever page of them. */
export function queryRequest(
  source: StudioSource,
  { index: name, hash, sort, isReversed, filters }: Omit<QueryRequest, 'limit' | 'cursor'>,
): PartitionRequest {
  const index = indexOf(source, name)
  if (hash.length !== index.hash.length) {
    throw new StudioError(
      `The partition key of ${index.name} is ${index.hash.join(' and ')}.`,
      'give a value for each',
    )
  }
  const [sortName] = index.sort
  if (sort && sortName === undefined) {
    throw new StudioError(`${index.name} has no sort key.`, 'leave out its condition')
  }
  const names = [...index.hash, ...(sort && sortName !== undefined ? [sortName] : [])]
  return {
    TableName: source.connection.tableName,
    ...(index.type !== 'primary' && { IndexName: index.name }),
    ReturnConsumedCapacity: 'TOTAL',
    KeyConditionExpression: [
      ...hash.map((_, at) => `#k${at} = :k${at}`),
      ...(sort ? [sortExpression(sort, `#k${hash.length}`)] : []),
    ].join(' AND '),
    ...expressions(
      filters,
      names.map((each, at) => [`#k${at}`, each]),
      [
        ...index.hash.map(
          (each, at) => [`:k${at}`, keyValue(source, each, hash[at] ?? '')] as const,
        ),
        ...(sort?.values ?? []).map(
          (text, at) => [`:s${at}`, keyValue(source, sortName ?? '', text)] as const,
        ),
      ],
    ),
    ScanIndexForward: isReversed !== true,
  }
}

/** One page of a SELECT in PartiQL. */
export async function statementPage(
  source: StudioSource,
  request: StatementRequest,
): Promise<Page> {
  if (!/^\s*select\b/i.test(request.statement)) {
    throw new StudioError(
      'Only a SELECT can be run here.',
      'change items in the editor, which keeps copies, unique values and counters right',
    )
  }
  const table = tableIn(request.statement)
  if (table !== source.connection.tableName) {
    throw new StudioError(
      `The statement reads ${table ?? 'no table'}, and only ${source.connection.tableName} is shown here.`,
      `write FROM "${source.connection.tableName}"`,
    )
  }
  const meter = new Meter(source.connection.transport)
  const answer = await meter.transport.send('ExecuteStatement', {
    Statement: request.statement,
    Limit: request.limit,
    ReturnConsumedCapacity: 'TOTAL',
    ...(request.cursor && { NextToken: request.cursor }),
  })
  const items = (answer.Items ?? []).map((item) => source.found(item))
  return { items, cursor: answer.NextToken ?? null, spent: meter.spent(items.length, null) }
}

/**
 * The table that a SELECT names behind its first FROM; strings and quoted names are skipped whole.
 */
function tableIn(statement: string): string | undefined {
  const words = statement.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w.-]+|\S/g) ?? []
  // A comment could hide the FROM that counts.
  if (words.some((word) => word === '/' || word.startsWith('--'))) return undefined
  const at = words.findIndex((word) => /^from$/i.test(word))
  const name = at < 0 ? undefined : words[at + 1]
  if (name?.startsWith('"')) return name.slice(1, -1).replaceAll('""', '"')
  return name?.split('.')[0]
}

/**
 * The table in figures. Items are counted only where that costs nothing, or somebody asks for it.
 */
export async function overviewOf(source: StudioSource, counts: boolean): Promise<Overview> {
  const { transport, tableName: TableName } = source.connection
  const meter = new Meter(transport)
  const { Table } = await meter.transport.send('DescribeTable', { TableName })
  const timeToLive = await timeToLiveOf(source)
  return {
    itemCount: Table?.ItemCount ?? 0,
    sizeBytes: Table?.TableSizeBytes ?? 0,
    status: Table?.TableStatus ?? 'UNKNOWN',
    description: JSON.stringify(Table, undefined, 2),
    timeToLive,
    counted: counts ? await countItems(source, meter, timeToLive?.attribute) : null,
    spent: meter.spent(0, null),
  }
}

/** Not every endpoint knows of it. */
async function timeToLiveOf({ connection }: StudioSource): Promise<Overview['timeToLive']> {
  const { transport, tableName: TableName } = connection
  try {
    const { TimeToLiveDescription: found } = await transport.send('DescribeTimeToLive', {
      TableName,
    })
    if (found?.AttributeName === undefined) return null
    return { attribute: found.AttributeName, status: found.TimeToLiveStatus ?? 'UNKNOWN' }
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

async function countItems(
  source: StudioSource,
  meter: Meter,
  expires: string | undefined,
): Promise<NonNullable<Overview['counted']>> {
  const { tableName: TableName } = source.connection
  const entities = new Map<string | null, { items: number; bytes: number }>(
    [...source.schema.models.keys()].map((name) => [name, { items: 0, bytes: 0 }]),
  )
  const indexes = new Map([...source.schema.indexes.values()].map((index) => [index, 0]))
  const nowSeconds = Date.now() / 1000
  let [items, expiring, expired] = [0, 0, 0]
  let start: Item | undefined
  do {
    const answer = await meter.transport.send('Scan', {
      TableName,
      ReturnConsumedCapacity: 'TOTAL',
      ...(start && { ExclusiveStartKey: start }),
    })
    for (const item of answer.Items ?? []) {
      items++
      const due = expires === undefined ? undefined : item[expires]?.N
      if (due !== undefined) expiring++
      if (due !== undefined && Number(due) < nowSeconds) expired++
      const entity = modelOf({ schema: source.schema }, item)?.name ?? null
      const count = entities.get(entity) ?? { items: 0, bytes: 0 }
      entities.set(entity, { items: count.items + 1, bytes: count.bytes + itemSizeBytes(item) })
      for (const [index, has] of indexes) if (hasKeys(index, item)) indexes.set(index, has + 1)
    }
    start = answer.LastEvaluatedKey
  } while (start && items < COUNTED_ITEMS_MAX)
  return {
    entities: [...entities].map(([entity, count]): EntityCount => ({ entity, ...count })),
    indexes: [...indexes].map(([{ name }, count]) => ({ index: name, items: count })),
    items,
    expiring,
    expired,
    isWhole: start === undefined,
  }
}

/** Partitions that are shown; the rest is only counted. */
const PARTITIONS_MAX = 60

/** The largest partitions of an index, from the items at its beginning. */
export async function heatOf(source: StudioSource, name: string): Promise<Heat> {
  const index = indexOf(source, name)
  const meter = new Meter(source.connection.transport)
  const partitions = new Map<
    string,
    { hash: string[]; items: number; bytes: number; entities: Set<string> }
  >()
  let [items, bytes] = [0, 0]
  let start: Item | undefined
  do {
    const answer = await meter.transport.send('Scan', {
      TableName: source.connection.tableName,
      ...(index.type !== 'primary' && { IndexName: index.name }),
      ReturnConsumedCapacity: 'TOTAL',
      ...(start && { ExclusiveStartKey: start }),
    })
    for (const item of answer.Items ?? []) {
      const hash = index.hash.map((each) => keyText(item, [each]))
      const key = JSON.stringify(hash)
      const found = partitions.get(key) ?? { hash, items: 0, bytes: 0, entities: new Set() }
      const size = itemSizeBytes(item)
      found.items++
      found.bytes += size
      const model = modelOf({ schema: source.schema }, item)
      if (model) found.entities.add(model.name)
      partitions.set(key, found)
      items++
      bytes += size
    }
    start = answer.LastEvaluatedKey
  } while (start && items < COUNTED_ITEMS_MAX)
  const largest = [...partitions.values()]
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, PARTITIONS_MAX)
  return {
    partitions: largest.map((each) => ({ ...each, entities: [...each.entities] })),
    partitionCount: partitions.size,
    items,
    bytes,
    isWhole: start === undefined,
    spent: meter.spent(items, index.name),
  }
}

/** The partitions of an index that were asked for most, in all minutes or in one of them. */
export function trafficOf(
  source: StudioSource,
  name: string,
  minutesAgo: number | undefined,
): TrafficView {
  const index = indexOf(source, name)
  const { tableName, traffic } = source.connection
  const partitions = source.traffic
    .top(tableName, index.name, minutesAgo)
    .slice(0, PARTITIONS_MAX)
    .map(({ key, ...counts }) => ({ hash: hashOf(index, key), ...counts }))
  const history = source.traffic.history(tableName, index.name)
  return { partitions, history, isShared: traffic !== undefined }
}

/** The values of a key such as `pk=USER#alice`, or `year=2026, month=11`. */
function hashOf({ hash }: Index, key: string): readonly string[] {
  const starts = hash.map((name, at) => {
    const start = at === 0 ? `${name}=` : `, ${name}=`
    const from = key.indexOf(start)
    return { from, to: from + start.length }
  })
  return starts.map(({ to }, at) => key.slice(to, starts[at + 1]?.from))
}

/** One item as it is stored, as its entity reads it, and as each index has it. */
export async function itemDetail(
  source: StudioSource,
  key: StoredItem,
): Promise<ItemDetail | undefined> {
  const meter = new Meter(source.connection.transport)
  const item = await readStored(source, key, meter)
  if (item === undefined) return undefined
  const found = source.found(item)
  const model = found.entity === null ? undefined : source.schema.models.get(found.entity)
  let strings: Record<string, string> = {}
  let problem: ItemDetail['problem'] = null
  try {
    if (model) strings = stringsOf(model, model.decode(item, false))
  } catch (error) {
    problem = failureOf(error) ?? {
      code: 'DECODE_FAILED',
      what: String((error as Error).message),
      where: null,
      fix: null,
    }
  }
  const indexes = [...source.schema.indexes.values()].map((index) =>
    indexCopy(source, index, item, model),
  )
  return { found, strings, problem, indexes, spent: meter.spent(1, null) }
}

/** The item with the primary key of another, as it is stored now. */
export async function readStored(
  source: StudioSource,
  item: StoredItem,
  meter: Meter,
): Promise<Item | undefined> {
  const { primary } = source.schema
  const names = [...primary.hash, ...primary.sort]
  const missing = names.filter((name) => item[name] === undefined)
  if (missing.length > 0) {
    throw new StudioError(`The key lacks ${missing.join(' and ')}.`, 'give the whole primary key')
  }
  const { Item } = await meter.transport.send('GetItem', {
    TableName: source.connection.tableName,
    Key: Object.fromEntries(names.map((name) => [name, item[name]])) as Item,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  return Item
}

/** Attributes as a form shows them: what is typed there is read back as the same value. */
export function stringsOf(model: Model, values: object): Record<string, string> {
  const strings: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const isAny = model.attributes.get(name)?.definition.type === 'any'
    strings[name] = isAny ? printJson(value) : printCell(value)
  }
  return strings
}

function indexCopy(
  source: StudioSource,
  index: Index,
  item: Item,
  model: Model | undefined,
): IndexCopy {
  const { primary } = source.schema
  const isPresent = hasKeys(index, item)
  const use = model?.indexes.find((each) => each.index === index)
  const attributes = Object.keys(item).filter(
    (name) =>
      index.project === 'all' ||
      index === primary ||
      index.keyNames.includes(name) ||
      (index.project !== 'keys' && index.project.includes(name)),
  )
  const part = Object.fromEntries(attributes.map((name) => [name, item[name]])) as Item
  const bytes = isPresent ? itemSizeBytes(part) : 0
  return {
    index: index.name,
    state: stateOf(isPresent, expected(use, model, item)),
    hash: isPresent ? keyText(item, index.hash) : null,
    sort: isPresent && index.sort.length > 0 ? keyText(item, index.sort) : null,
    attributes: isPresent ? attributes : [],
    bytes,
    writeUnits: isPresent ? unitsToWrite(bytes) : 0,
  }
}

/** Whether the item should be in the index; undefined where nobody can say. */
function expected(
  use: Model['indexes'][number] | undefined,
  model: Model | undefined,
  item: Item,
): boolean | undefined {
  if (model === undefined) return undefined
  if (use === undefined) return false
  try {
    return isInIndex(use, model.decode(item, true))
  } catch {
    return undefined
  }
}

function stateOf(isPresent: boolean, isExpected: boolean | undefined): IndexCopy['state'] {
  if (isExpected === undefined || isPresent === isExpected) return isPresent ? 'present' : 'absent'
  return isPresent ? 'unexpected' : 'missing'
}

export function hasKeys({ hash, sort }: Index, item: StoredItem): boolean {
  return [...hash, ...sort].every((name) => Object.hasOwn(item, name))
}

/** A key as people read it. */
function keyText(item: Item, names: readonly string[]): string {
  return names
    .map((name) => item[name] as AttributeValue)
    .map(({ S, N, B }) => S ?? N ?? B ?? '')
    .join(' · ')
}

export function indexOf({ schema }: StudioSource, name: string): Index {
  const index = schema.indexes.get(name)
  if (index) return index
  const known = [...schema.indexes.keys()].join(', ')
  throw new StudioError(`There is no index "${name}".`, `name one of ${known}`)
}

function startOf(cursor: string | undefined): { readonly ExclusiveStartKey?: Item } {
  return cursor === undefined ? {} : { ExclusiveStartKey: readCursor(cursor) }
}

interface PartitionRequest extends FilterMembers {
  readonly TableName: string
  readonly IndexName?: string
  readonly ReturnConsumedCapacity: 'TOTAL'
  readonly KeyConditionExpression: string
  readonly ScanIndexForward: boolean
}

function pageOf(
  source: StudioSource,
  meter: Meter,
  answer: { readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item },
  index: string,
): Page {
  const items = (answer.Items ?? []).map((item) => source.found(item))
  return {
    items,
    cursor: answer.LastEvaluatedKey
      ? Buffer.from(JSON.stringify(answer.LastEvaluatedKey)).toString('base64url')
      : null,
    spent: meter.spent(items.length, index),
  }
}

function readCursor(text: string): Item {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Item
  } catch {
    throw new StudioError("The cursor can't be read.", 'start from the first page again')
  }
}

function keyValue({ schema }: StudioSource, name: string, text: string): AttributeValue {
  const type = schema.keyTypes.get(name)
  if (type === 'N') return { N: text }
  return type === 'B' ? { B: text } : { S: text }
}

type Named<TValue> = readonly (readonly [placeholder: string, value: TValue])[]

/** Filters, with the names and values of the whole request: empty maps are refused. */
function expressions(
  filters: readonly FilterCondition[] = [],
  keyNames: Named<string>,
  keyValues: Named<AttributeValue>,
): FilterMembers {
  const names = [
    ...keyNames,
    ...filters.map(({ attribute }, at) => [`#f${at}`, attribute] as const),
  ]
  const values = [
    ...keyValues,
    ...filters.flatMap((filter, at) =>
      filterValues(filter).map((value, place) => [`:f${at}v${place}`, value] as const),
    ),
  ]
  return {
    ...(filters.length > 0 && { FilterExpression: filters.map(filterText).join(' AND ') }),
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  }
}

interface FilterMembers {
  readonly FilterExpression?: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Item
}

function filterText({ op }: FilterCondition, at: number): string {
  const [name, value] = [`#f${at}`, `:f${at}v0`]
  if (op === 'exists') return `attribute_exists(${name})`
  if (op === 'not exists') return `attribute_not_exists(${name})`
  if (op === 'between') return `${name} BETWEEN ${value} AND :f${at}v1`
  return /^\w/.test(op) ? `${op}(${name}, ${value})` : `${name} ${op} ${value}`
}

function filterValues({ attribute, op, type, values }: FilterCondition): readonly AttributeValue[] {
  const wanted = op.endsWith('exists') ? 0 : op === 'between' ? 2 : 1
  if (values.length < wanted) {
    throw new StudioError(`The filter on ${attribute} lacks a value.`, 'give it, or remove it')
  }
  return values.slice(0, wanted).map((text): AttributeValue => {
    if (type === 'N') return { N: text }
    return type === 'BOOL' ? { BOOL: text === 'true' } : { S: text }
  })
}

function sortExpression({ op, values }: SortCondition, name: string): string {
  if (values.length !== (op === 'between' ? 2 : 1)) {
    throw new StudioError(
      `"${op}" takes ${op === 'between' ? 'two values' : 'one value'}.`,
      'give them',
    )
  }
  if (op === 'begins_with') return `begins_with(${name}, :s0)`
  return op === 'between' ? `${name} BETWEEN :s0 AND :s1` : `${name} ${op} :s0`
}
