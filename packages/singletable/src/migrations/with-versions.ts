import { modelOf } from '../execute/collect-items.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Item } from '../values/attribute-value.ts'
import { sameValue } from '../values/same-value.ts'
import { withVersion } from './item-versions.ts'
import { newestVersion, type UpgradeChain } from './upgrade-item.ts'

/** A write of any kind, with the members that matter here. */
interface Write {
  readonly TableName?: string
  readonly Item?: Item
  readonly Key?: Item
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
}

interface WriteRequest extends Write {
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[]
  readonly RequestItems?: Readonly<Record<string, readonly Readonly<Record<string, Write>>[]>>
}

const NAME = '#itemVersion'
const HASH = '#itemKey'
const VALUE = ':itemVersion'
/** `SET` at the start of a clause: a reserved word, so that no attribute is called so. */
const SET_CLAUSE = /(?<![#:.\w])SET\s+/i

/**
 * A write that gives its items the newest version. A put replaces all of its item, so that nothing
 * older is left. An update does so only for the items in `safe`, which had the newest version or
 * did not exist, and on the condition that this is still so: a version must never be newer than its
 * item.
 */
export function withVersions(
  request: WriteRequest,
  given: {
    readonly table: string
    readonly chain: UpgradeChain
    readonly safe?: readonly Item[]
  },
): object {
  const { table, chain, safe = [] } = given
  const { TransactItems, RequestItems } = request
  const each = (actions: readonly Readonly<Record<string, Write>>[], name?: string) =>
    actions.map((action) =>
      Object.fromEntries(
        Object.entries(action).map(([kind, write]) => [kind, versioned(write, name)]),
      ),
    )
  if (TransactItems) return { ...request, TransactItems: each(TransactItems) }
  const batch = RequestItems?.[table]
  if (batch) return { ...request, RequestItems: { ...RequestItems, [table]: each(batch, table) } }
  return versioned(request)

  function versioned(write: Write, name = write.TableName): Write {
    const { Item: item, Key: key, UpdateExpression: update } = write
    if (name !== table) return write
    const named = item ?? key
    const model = named && modelOf({ schema: chain.after }, named)
    const version = model && !model.source ? newestVersion(chain, model.name) : undefined
    if (version === undefined) return write
    if (item) return { ...write, Item: withVersion(item, chain.attribute, version) }
    if (!key || update === undefined || !safe.some((each) => sameValue(each, key))) return write
    const condition = `(attribute_not_exists(${HASH}) OR ${NAME} = ${VALUE})`
    const own = write.ConditionExpression
    const [hash = ''] = Object.keys(keyFromItem(chain.after.primary, key))
    return {
      ...write,
      UpdateExpression: SET_CLAUSE.test(update)
        ? update.replace(SET_CLAUSE, (text) => `${text}${NAME} = ${VALUE}, `)
        : `SET ${NAME} = ${VALUE} ${update}`,
      ConditionExpression: own ? `(${own}) AND ${condition}` : condition,
      ExpressionAttributeNames: {
        ...write.ExpressionAttributeNames,
        [NAME]: chain.attribute,
        [HASH]: hash,
      },
      ExpressionAttributeValues: { ...write.ExpressionAttributeValues, [VALUE]: { S: version } },
    }
  }
}
