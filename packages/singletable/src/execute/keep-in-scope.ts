import { isPartition, isScoped, leave, type Scope } from '../plan/scope.ts'
import type { Schema } from '../schema/model.ts'
import { GUARD } from '../schema/reserved-items.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { QueryRequest } from '../wire/item-operations.ts'
import { requestTargets } from '../wire/request-targets.ts'
import type { TableContext } from './table-context.ts'

/** Operations on single items, alone or several at once. */
const KEYED = /^((Get|Put|Update|Delete)Item|Batch(Get|Write)Item|Transact(Get|Write)Items)$/

/**
 * Refuses every request that would read or write outside of the table's scope, if it has one: whatever a builder was given, it comes by here.
 * Operations that are not on keys, such as scans, see everything, so there is none of them in a scope.
 */
export function keepInScope(
  { name, schema, scope }: TableContext,
  operation: string,
  request: object,
  place: string,
): void {
  if (scope === undefined) return
  if (operation === 'Query') {
    // Only queries come here.
    checkQuery({ schema, scope }, request as QueryRequest, place)
    return
  }
  if (!KEYED.test(operation)) leave(place, scope, `${operation} is on the whole table`)
  // What has no key at all is outside of every scope.
  for (const { table, item: key = {} } of requestTargets(request)) {
    if (table !== name) leave(place, scope, `table "${table}" is another one`)
    const isInside = isPartition({ schema, scope }, schema.primary, (each) => getOwn(key, each))
    // What keeps values unique belongs to no tenant, and has keys that no caller can name.
    if (!isInside && !isGuard(schema, key)) {
      const type = getOwn(key, schema.params.typeField)?.S
      leave(place, scope, `${type === undefined ? 'a key' : `the key of ${type}`} is not of it`)
    }
  }
}

function checkQuery(
  within: { readonly schema: Schema; readonly scope: Scope },
  { IndexName = 'primary', ...request }: QueryRequest,
  place: string,
): void {
  const { schema, scope } = within
  const {
    KeyConditionExpression = '',
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = request
  const index = schema.indexes.get(IndexName)!
  const serves = [...schema.models.values()].some((model) =>
    model.indexes.some((use) => use.index === index && isScoped(use, scope)),
  )
  if (!serves) leave(place, scope, `no partition key of index "${IndexName}" begins with it`)
  const fixed = new Map<string, AttributeValue | undefined>()
  for (const [, path = '', value = ''] of KeyConditionExpression.matchAll(/(\S+) = (:\w+)/g)) {
    const key = getOwn(ExpressionAttributeNames, path) ?? path
    fixed.set(key, getOwn(ExpressionAttributeValues, value))
  }
  if (!isPartition(within, index, (key) => fixed.get(key))) {
    leave(place, scope, 'the partition that is asked for is not of it')
  }
}

function isGuard({ primary, params }: Schema, key: Item): boolean {
  const [hash, sort] = [...primary.hash, ...primary.sort].map((name) => getOwn(key, name)?.S)
  return (
    hash?.startsWith(GUARD.word + params.separator) === true &&
    (primary.sort.length === 0 || sort === GUARD.word)
  )
}
