import { createHash } from 'node:crypto'
import {
  CONTROL_TYPE,
  type DerivedAction,
  ITEM_SIZE_MAX_BYTES,
  type Item,
  isInBoth,
  itemSizeBytes,
  keyAttributes,
  keyFromItem,
  modelOf,
  type Rewrite,
  RewriteProblem,
  type Schema,
  type Transport,
  type Versions,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { controlKey } from './control-keys.ts'

export interface UndoOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly schema: Schema
  /** Of the migration. */
  readonly id: string
  /** What to do with an item that was replaced; it is reported otherwise. */
  readonly replaced?: 'keep' | 'restore' | undefined
}

/**
 * The attribute of an item that says which record of the log is its own. Updates leave it in place,
 * and an item that was replaced under the same key lacks it.
 */
const MARK = '_undo'
const MARK_CHARACTERS = 11

/**
 * What steps took away from items, one record for each item, in the table itself: a record is
 * written in the transaction that changes its item, so that it can't be missing. `migrate down`
 * reads it.
 */
export class UndoLog {
  readonly #options: UndoOptions
  readonly #stage: number
  /** Whether records are written or used. */
  readonly isDown: boolean

  constructor(options: UndoOptions, stage: number, isDown: boolean) {
    this.#options = options
    this.#stage = stage
    this.isDown = isDown
  }

  /** The same change, which marks the item as the one that its record belongs to. */
  marked(rewrite: Rewrite): Rewrite {
    const { schema, id } = this.#options
    const [own, ...split] = rewrite.after
    if (!rewrite.isLossy || own === undefined || own.item[MARK]) return rewrite
    // The same in each run, so that an interrupted one leaves the same items.
    const S = digestOf([id, keyFromItem(schema.primary, own.item)]).slice(0, MARK_CHARACTERS)
    return { ...rewrite, after: [{ ...own, item: { ...own.item, [MARK]: { S } } }, ...split] }
  }

  /** The record of an item that is changed. It is found by the key that the item has afterwards. */
  recordOf({ before, after: [own] }: Rewrite): DerivedAction['action'] {
    const { tableName, schema } = this.#options
    const mark = own?.item[MARK]
    const record: Item = {
      ...this.#key(keyFromItem(schema.primary, own?.item ?? before)),
      [schema.params.typeField]: { S: CONTROL_TYPE },
      item: { M: before },
      ...(mark && { mark }),
      ...(!own && { isGone: { BOOL: true } }),
    }
    if (itemSizeBytes(record) > ITEM_SIZE_MAX_BYTES) {
      throw new RewriteProblem(
        'is too large to be kept in the undo log: export it, and pass --no-undo',
      )
    }
    return { Put: { TableName: tableName, Item: record } }
  }

  /** The item as it was before the migration; undefined if nothing of it was lost. */
  async find(item: Item): Promise<Item | undefined> {
    const { transport, tableName, schema } = this.#options
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key: this.#key(keyFromItem(schema.primary, item)),
      ConsistentRead: true,
    })
    const logged = Item?.item?.M
    if (logged === undefined || Item?.mark?.S === item[MARK]?.S) return logged
    if (this.#options.replaced === 'keep') return undefined
    if (this.#options.replaced === 'restore') return logged
    throw new RewriteProblem(
      'was replaced after the migration, and may be another one by now: pass --replaced keep to leave such items as they are, or --replaced restore to give them back what was lost',
    )
  }

  /** The same change, without the mark if the item had none before the migration. */
  unmarked(rewrite: Rewrite, logged: Item): Rewrite {
    const [own, ...split] = rewrite.after
    if (own === undefined || logged[MARK] || !own.item[MARK]) return rewrite
    const { [MARK]: _mark, ...item } = own.item
    return { ...rewrite, isSame: false, after: [{ ...own, item }, ...split] }
  }

  removalOf(item: Item): DerivedAction['action'] {
    const { tableName, schema } = this.#options
    const Key = this.#key(keyFromItem(schema.primary, item))
    return { Delete: { TableName: tableName, Key } }
  }

  /** What a record of a deleted item brings back; undefined for other items. */
  restored(record: Item, versions: Versions): Rewrite | undefined {
    const { schema } = this.#options
    const item = record.item?.M
    const isOwn = hashOf(schema, record).startsWith(prefixOf(this.#options, this.#stage))
    const model = isOwn && record.isGone && item && modelOf({ schema }, item)
    if (!model) return undefined
    const after = [{ model, item }]
    return {
      before: record,
      from: undefined,
      writers: [],
      after,
      isSame: false,
      isVersioned: false,
      isLossy: false,
      isNew: true,
      isCounted: (change) => isInBoth(versions, change),
    }
  }

  #key(key: Item): Item {
    const { schema, id } = this.#options
    const digest = digestOf(Object.values(key))
    // Each in a partition of its own, as the items are.
    return controlKey(schema, `UNDO#${id}#${this.#stage}#${digest}`)
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function hashOf({ primary }: Schema, item: Item): string {
  return item[keyAttributes(primary)[0] ?? '']?.S ?? ''
}

/** What the partition keys of records begin with: `_KIT#UNDO#<id>#<stage>#`. */
function prefixOf({ schema, id }: UndoOptions, ...stage: readonly number[]): string {
  return hashOf(schema, controlKey(schema, ['UNDO', id, ...stage, ''].join('#')))
}

/** Deletes the log of a migration; gives how many records it had. */
export async function removeUndoLog(options: UndoOptions): Promise<number> {
  const { transport, tableName, schema } = options
  const names = keyAttributes(schema.primary)
  let removed = 0
  let cursor: Item | undefined
  do {
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      FilterExpression: 'begins_with(#hash, :prefix)',
      ProjectionExpression: names.map((_, at) => (at === 0 ? '#hash' : '#sort')).join(', '),
      ExpressionAttributeNames: Object.fromEntries(
        names.map((name, at) => [at === 0 ? '#hash' : '#sort', name]),
      ),
      ExpressionAttributeValues: { ':prefix': { S: prefixOf(options) } },
      ...(cursor && { ExclusiveStartKey: cursor }),
    })
    for (const Key of page.Items ?? []) {
      await sendPatiently(transport, 'DeleteItem', { TableName: tableName, Key })
      removed++
    }
    cursor = page.LastEvaluatedKey
  } while (cursor)
  return removed
}
