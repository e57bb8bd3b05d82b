import type { ExchangeEvent, Item, Schema } from 'singletable/tools'
import { filterShape, namesIn } from './filter-shape.ts'
import { keyTextShape } from './key-text-shape.ts'

/** How one key attribute is compared, with placeholders in place of values. */
export interface KeyTest {
  readonly name: string
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'begins_with' | 'BETWEEN'
  readonly texts: readonly string[]
}

/** What a request asks, without its values: requests of one shape are counted together. */
export interface RequestShape {
  /** Tells requests of this schema from those of others. */
  readonly schema: string
  readonly operation: string
  readonly pattern: string | null
  readonly entity: string | null
  /** What was called: `query`, `put`. */
  readonly verb: string
  readonly index: string | null
  readonly key: readonly KeyTest[]
  readonly filter: string | null
  /** The stored names that the filter looks at. */
  readonly filtered: readonly string[]
  /** The stored names that an update changes. */
  readonly changed: readonly string[]
}

/** The members of requests that shapes are made of; each request has some of them. */
interface Request {
  readonly IndexName?: string
  readonly Key?: Item
  readonly Item?: Item
  readonly KeyConditionExpression?: string
  readonly FilterExpression?: string
  readonly UpdateExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Item[] }>>
}

const ITEM_OPERATIONS =
  /^(?:(?:Get|Put|Update|Delete)Item|Query|Scan|Batch(?:Get|Write)Item|Transact(?:Get|Write)Items)$/

/** The shape of a request; undefined for those that are not about items. */
export function requestShape(event: ExchangeEvent): RequestShape | undefined {
  const { schema, operation, pattern, entity, verb, table } = event
  if (!ITEM_OPERATIONS.test(operation)) return undefined
  // Which members there are depends on the operation.
  const request = event.request as Request
  const { FilterExpression, UpdateExpression, IndexName } = request
  const index = IndexName ?? (operation === 'Query' || operation === 'Scan' ? 'primary' : null)
  const [first] = own(request.RequestItems, table)?.Keys ?? []
  const key = request.Key ?? request.Item ?? first
  const place = { schema, index: index ?? 'primary', entity }
  const nameOf = (placeholder: string): string =>
    own(request.ExpressionAttributeNames, placeholder) ?? placeholder
  const filter = filterShape(schema, FilterExpression ?? '', nameOf)
  return {
    schema: fingerprint(schema),
    operation,
    pattern: pattern ?? null,
    entity: entity ?? null,
    verb,
    index,
    key: key ? keyOfItem(place, key) : keyOfCondition(place, request),
    filter: filter?.text ?? null,
    filtered: filter?.names ?? [],
    changed: namesIn(UpdateExpression ?? '', nameOf),
  }
}

/** How many items a request read, and how many came back. */
export function itemsOf({ operation, response }: ExchangeEvent): readonly [number, number] {
  const { ScannedCount, Count, Item, Responses } = (response ?? {}) as {
    readonly ScannedCount?: number
    readonly Count?: number
    readonly Item?: unknown
    readonly Responses?: object
  }
  if (ScannedCount !== undefined) return [ScannedCount, Count ?? 0]
  if (!/Get/.test(operation)) return [0, 0]
  const found = Array.isArray(Responses)
    ? Responses.filter((each: { readonly Item?: unknown }) => each.Item !== undefined)
    : Object.values(Responses ?? {}).flat()
  const count = Item === undefined ? found.length : 1
  return [count, count]
}

/** Models with their primary keys: what two versions of a schema have in common while it is worked on, and two schemas have not. */
export function fingerprint({ models }: Schema): string {
  return [...models.values()]
    .filter(({ source }) => source === undefined)
    .map(({ name, primary }) =>
      [name, ...[...primary.hash, ...primary.sort].map((part) => part.template?.source ?? '')].join(
        ' ',
      ),
    )
    .sort()
    .join('\n')
}

interface KeyPlace {
  readonly schema: Schema
  readonly index: string
  readonly entity: string | undefined
}

function keyOfItem(place: KeyPlace, item: Item): readonly KeyTest[] {
  const { hash, sort } = place.schema.primary
  return [...hash, ...sort].map((name) => ({
    name,
    operator: '=',
    texts: [keyTextShape(place, name, own(item, name)?.S)],
  }))
}

const KEY_TEST =
  /begins_with\s*\(\s*([^,\s]+)\s*,\s*(:\w+)\s*\)|(\S+)\s+BETWEEN\s+(:\w+)\s+AND\s+(:\w+)|(\S+)\s*(<=|>=|=|<|>)\s*(:\w+)/gi

function keyOfCondition(place: KeyPlace, request: Request): readonly KeyTest[] {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {} } = request
  const test = (
    path: string,
    operator: KeyTest['operator'],
    values: readonly string[],
  ): KeyTest => {
    const name = own(ExpressionAttributeNames, path) ?? path
    // Of what is no text nothing is told.
    const texts = values.map((value) =>
      keyTextShape(place, name, own(request.ExpressionAttributeValues, value)?.S),
    )
    return { name, operator, texts }
  }
  return [...KeyConditionExpression.matchAll(KEY_TEST)].map(
    ([, prefixed, prefix = '', ranged, low = '', high = '', path = '', operator, value = '']) =>
      prefixed !== undefined
        ? test(prefixed, 'begins_with', [prefix])
        : ranged !== undefined
          ? test(ranged, 'BETWEEN', [low, high])
          : // The pattern has no others.
            test(path, operator as KeyTest['operator'], [value]),
  )
}

/** A member by a name that anybody may have chosen. What the library has for this is not imported: this runs inside the tests of others. */
function own<T>(object: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}
