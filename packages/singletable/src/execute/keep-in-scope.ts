import { isPartition, isScoped, leave, type Scope } from '../plan/scope.ts'
import type { Index, Schema } from '../schema/model.ts'
import { GUARD } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { requestTargets } from '../wire/request-targets.ts'
import type { TableContext } from './table-context.ts'

/** The partition that a query reads. */
export interface QueriedPartition {
  readonly index: Index
  readonly key: Item
}

/** Operations on single items, alone or several at once. */
const KEYED = /^((Get|Put|Update|Delete)Item|Batch(Get|Write)Item|Transact(Get|Write)Items)$/

/**
 * Refuses every request that would read or write outside of the table's scope, if it has one:
 * whatever a builder was given, it comes by here. Operations that are not on keys, such as scans,
 * see everything, so there is none of them in a scope.
 */
export function keepInScope(
  { name, schema, scope }: TableContext,
  operation: string,
  request: object,
  place: string,
  queried?: QueriedPartition,
): void {
  if (scope === undefined) return
  if (operation === 'Query' && queried) {
    checkQuery({ schema, scope }, queried, place)
    return
  }
  if (!KEYED.test(operation)) leave(place, scope, `${operation} affects the whole table`)
  // What has no key at all is outside of every scope.
  for (const { table, item: key = {} } of requestTargets(request)) {
    if (table !== name) leave(place, scope, `table "${table}" is outside of it`)
    const isInside = isPartition({ schema, scope }, schema.primary, (each) => getOwn(key, each))
    // What keeps values unique belongs to no tenant, and has keys that no caller can name.
    if (!isInside && !isGuard(schema, key)) {
      const type = getOwn(key, schema.params.typeField)?.S
      leave(place, scope, `${type === undefined ? 'a key' : `the key of ${type}`} is outside of it`)
    }
  }
}

function checkQuery(
  within: { readonly schema: Schema; readonly scope: Scope },
  { index, key }: QueriedPartition,
  place: string,
): void {
  const { schema, scope } = within
  const serves = [...schema.models.values()].some((model) =>
    model.indexes.some((use) => use.index === index && isScoped(use, scope)),
  )
  if (!serves) leave(place, scope, `no partition key of index "${index.name}" begins with it`)
  if (!isPartition(within, index, (name) => getOwn(key, name))) {
    leave(place, scope, 'the partition that is asked for is outside of it')
  }
}

function isGuard({ primary, params }: Schema, key: Item): boolean {
  const [hash, sort] = [...primary.hash, ...primary.sort].map((name) => getOwn(key, name)?.S)
  return (
    hash?.startsWith(GUARD.word + params.separator) === true &&
    (primary.sort.length === 0 || sort === GUARD.word)
  )
}
