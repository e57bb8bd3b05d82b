import { startCall } from '../execute/call.ts'
import { deleteCollection } from '../execute/delete-collection.ts'
import { placeOf } from '../plan/plan-context.ts'
import { splitConjuncts } from '../plan/read/conjuncts.ts'
import { partitionKey } from '../plan/read/fan-out.ts'
import { keyValues, matchKey } from '../plan/read/key-condition.ts'
import type { Where } from '../plan/where.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { keyVariables } from '../schema/key-variables.ts'
import type { KeyPart, Model } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'
import { type LazyPromise, lazyCall } from './lazy-call.ts'

/** How a collection is deleted. */
export interface DeleteCollectionOptions {
  /**
   * What becomes of items whose type the schema does not declare. If there are any, nothing is
   * deleted, unless they are to go, too.
   */
  readonly unknown?: 'refuse' | 'delete' | undefined
  /** Called after each chunk with the number of deleted items. */
  readonly onProgress?: ((progress: { readonly deleted: number }) => void) | undefined
}

/**
 * The deletion of all items that share a partition key, which gives their number. If it fails or is
 * aborted, some of them may be gone; what is left is deleted by calling `execute()` again.
 */
export type CollectionDeletion = LazyPromise<number>

const VERB = 'deleteCollection'

/**
 * Starts the deletion of the partition that a condition fixes; of all its shards, where the key has
 * them.
 */
export function createDeletion(
  context: BuilderContext,
  model: Model,
  where: Where | undefined,
  { unknown = 'refuse', onProgress }: DeleteCollectionOptions = {},
): CollectionDeletion {
  const place = placeOf(context, model, VERB)
  if (unknown !== 'refuse' && unknown !== 'delete') {
    const message = "is neither 'refuse' nor 'delete'"
    refuseInput([{ path: ['unknown'], message }], place, undefined, 'OPTION_INVALID')
  }
  const { primary } = model
  const conjuncts = splitConjuncts(where)
  const { warn, environment } = context
  const now = (): number => environment.now()
  const names = keyVariables(primary.hash)
  const [hash] = primary.hash as [KeyPart]
  const given = conjuncts.usable.map(({ operands }) => operands[0].name)
  // The key can also be given as it is stored.
  const wanted = given.join() === hash.name ? given : names
  const isKey =
    conjuncts.all.length === wanted.length && wanted.every((name) => given.includes(name))
  const match = isKey ? matchKey(primary, conjuncts, { model, text: place, warn, now }) : undefined
  const [value] = match ? keyValues(match) : []
  if (!match || !value) {
    return refuseInput(
      'the input must be a partition key and nothing else',
      place,
      names.length > 0
        ? `give all of ${names.join(', ')}, and nothing else`
        : 'give an empty object: the key of the partition is always the same',
    )
  }
  const { fan } = match
  const partitions = fan
    ? Array.from({ length: fan.shards }, (_, shard) => partitionKey(fan, fan.first, shard)[0]!)
    : [value]
  return lazyCall(async (options) => {
    const call = startCall(context, VERB, model.name, options)
    return deleteCollection(context, call, { partitions, unknown, onProgress })
  })
}
