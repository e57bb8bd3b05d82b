import {
  type Condition,
  type ExchangeEvent,
  getOwn,
  type Item,
  type Operand,
  partsOf,
  printUpdate,
  readExpressions,
  type Schema,
} from 'singletable/tools'
import { filterShape, NameCollector } from './filter-shape.ts'
import { keyTextShape } from './key-text-shape.ts'

/** How one key attribute is compared, with placeholders in place of values. */
export interface KeyTest {
  readonly name: string
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'begins_with' | 'BETWEEN'
  readonly values: readonly string[]
}

/** What a request asks, without its values: requests of one shape are counted together. */
export interface RequestShape {
  /** Distinguishes requests of this schema from those of others. */
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
  const { IndexName } = request
  const index = IndexName ?? (operation === 'Query' || operation === 'Scan' ? 'primary' : null)
  const [first] = getOwn(request.RequestItems ?? {}, table)?.Keys ?? []
  const key = request.Key ?? request.Item ?? first
  const place = { schema, index: index ?? 'primary', entity }
  const { key: condition, filter: asked, update } = readExpressions(request)
  const filter = filterShape(schema, asked)
  const changed = new NameCollector()
  if (update) printUpdate(update, changed)
  return {
    schema: fingerprint(schema),
    operation,
    pattern: pattern ?? null,
    entity: entity ?? null,
    verb,
    index,
    key: key ? keyOfItem(place, key) : keyOfCondition(place, condition),
    filter: filter?.text ?? null,
    filtered: filter?.names ?? [],
    changed: changed.sorted(),
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

/** Models with their primary keys: what two versions of a schema have in common while it is worked
 * on, and two schemas have not. */
export function fingerprint({ models }: Schema): string {
  return [...models.values()]
    .filter(({ source }) => source === undefined)
    .map(({ name, primary }) =>
      [
        name,
        ...[...primary.hash, ...primary.sort].map((part) => part.template?.source ?? part.name),
      ].join(' '),
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
    values: [keyTextShape(place, name, getOwn(item, name)?.S)],
  }))
}

function keyOfCondition(place: KeyPlace, key: Condition | undefined): readonly KeyTest[] {
  const test = (
    operator: KeyTest['operator'],
    subject: Operand,
    operands: readonly Operand[],
  ): KeyTest[] => {
    if (subject.kind !== 'path') return []
    const [name] = subject.path
    // Only strings have a shape.
    const values = operands.map((each) =>
      keyTextShape(place, name, each.kind === 'value' ? each.value.S : undefined),
    )
    return [{ name, operator, values }]
  }
  return (key ? partsOf('and', key) : []).flatMap((part) => {
    switch (part.kind) {
      case 'compare':
        return part.operator === '<>' ? [] : test(part.operator, part.left, [part.right])
      case 'between':
        return test('BETWEEN', part.operand, [part.low, part.high])
      case 'begins_with':
        return test('begins_with', part.operand, [part.prefix])
      default:
        return []
    }
  })
}
