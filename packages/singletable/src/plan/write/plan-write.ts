import type { Condition } from '../../expression/tree.ts'
import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { ReturnConsumedCapacity, ReturnValues } from '../../wire/item-operations.ts'
import type { WritePlan } from '../plan.ts'
import type { WriteSite } from '../plan-context.ts'
import type { Where } from '../where.ts'
import type { AttributeChange } from './encode-changes.ts'
import type { PartlySeen } from './keep-unseen.ts'
import { updateOf } from './update-of.ts'
import { type KnownValues, NOTHING_KNOWN, writeCondition } from './write-condition.ts'

/** What a state has for every write. */
export interface WriteOptions {
  readonly model: Model
  readonly where?: Where | undefined
  readonly returning?: ReturnValues | 'NEW'
  readonly capacity?: ReturnConsumedCapacity | undefined
}

/** What a write says, whichever of the four it is. */
export interface WriteDescription {
  readonly action: WritePlan['action']
  readonly verb: WritePlan['verb']
  /** For messages. */
  readonly place: string
  readonly key: Item
  /** Of a put. */
  readonly item?: Item
  /** Of an update, and of a put that changes an item which is there. */
  readonly changes?: readonly AttributeChange[]
  /**
   * Of a put: it keeps attributes of the item that reading leaves out, and that others may follow
   * from.
   */
  readonly keepsHidden?: boolean
  /** Of a put: what its caller may not have seen all of, so that the item is read first. */
  readonly partlySeen?: readonly PartlySeen[]
  /** There must be an item under the key. */
  readonly exists?: boolean
  /** There must be none. */
  readonly absent?: boolean
  readonly version: number | undefined
  /** In place of all that it would ask for. */
  readonly condition?: Condition
  /** Values that the caller says the item has. */
  readonly given?: KnownValues
  /** Values that were read, which it must still have. */
  readonly known?: KnownValues
  readonly fresh?: readonly string[]
  /** The stored names of what the item must have, if there is one. */
  readonly complete?: readonly string[]
  /** What takes members from sets that must keep one, if that is not among the changes. */
  readonly lasting?: readonly AttributeChange[]
  readonly output?: WritePlan['output']
  /** What it finds is known, so that a second time changes nothing more. */
  readonly repeatable?: boolean
  readonly derivedItems?: WritePlan['derivedItems']
  readonly role?: WritePlan['role']
  readonly draft?: WritePlan['draft']
}

/** Decides a write: what it asks of the item, and what it does to it. */
export function planWrite(
  options: WriteOptions,
  site: WriteSite,
  write: WriteDescription,
): WritePlan {
  const { model, where, returning, capacity } = options
  const { action, verb, place, key, item, changes, version, output, fresh } = write
  const { exists = false, absent = false, complete = [] } = write
  const { given = NOTHING_KNOWN, known = NOTHING_KNOWN } = write
  const { lasting = changes?.filter(({ required }) => required) } = write
  const always = { exists, absent, version }
  const expects = lasting?.length ? { ...always, lasting } : always
  // One that was put starts again, and so does one that an update must find.
  const creates = action === 'Update' && !exists && !absent
  const asked = { model, place, where, expects, creates, given, known, complete, now: site.now }
  // A put whose condition fails the second time may have happened; whoever sends it looks at the
  // item it finds. What was there before the first time is not known after the second.
  const returnsOld = returning === 'ALL_OLD' || returning === 'UPDATED_OLD'
  const idempotent =
    where === undefined &&
    !returnsOld &&
    write.condition === undefined &&
    (write.repeatable ||
      action === 'Put' ||
      (version === undefined &&
        given.size + known.size === 0 &&
        (changes === undefined ? !exists : changes.every(isRepeatable))))
  return Object.freeze<WritePlan>({
    kind: 'write',
    tableName: site.tableName,
    place,
    verb,
    model,
    action,
    key,
    item,
    condition: write.condition ?? writeCondition(asked),
    update: changes && updateOf(changes),
    returns: returning === 'NEW' || returning === 'NONE' ? undefined : returning,
    capacity,
    expects,
    idempotent,
    output,
    fresh,
    draft: write.draft,
    derivedItems: write.derivedItems,
    role: write.role,
  })
}

/**
 * Whether a second time changes nothing more. What is done at a position of a list may move the
 * others.
 */
function isRepeatable({ kind, path }: AttributeChange): boolean {
  return (
    (kind === 'set' || kind === 'remove' || kind === 'default') &&
    path.every((step) => typeof step === 'string')
  )
}
