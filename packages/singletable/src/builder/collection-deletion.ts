import { startCall } from '../execute/call.ts'
import { deleteCollection } from '../execute/delete-collection.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { splitConjuncts } from '../plan/conjuncts.ts'
import { matchKey } from '../plan/key-condition.ts'
import { valuesOf } from '../plan/plan-collection.ts'
import { placeOf } from '../plan/plan-context.ts'
import type { Where } from '../plan/where.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'

/** How a collection is deleted. */
export interface DeleteCollectionOptions {
  /** What becomes of items whose type the schema does not declare. If there are any, nothing is deleted, unless they are to go, too. */
  readonly unknown?: 'refuse' | 'delete' | undefined
  /** Is told after each chunk how many items are gone. */
  readonly onProgress?: ((progress: { readonly deleted: number }) => void) | undefined
}

/** The deletion of all items that share a partition key. */
export interface CollectionDeletion {
  /**
   * Deletes them, and gives their number. If it fails or is aborted, some of them may be gone; what is left is deleted by calling it again.
   */
  execute(options?: CallOptions): Promise<number>
}

const VERB = 'deleteCollection'

/** Starts the deletion of the partition that a condition fixes. */
export function createDeletion(
  context: BuilderContext,
  model: Model,
  where: Where,
  { unknown = 'refuse', onProgress }: DeleteCollectionOptions = {},
): CollectionDeletion {
  const place = placeOf(context, model, VERB)
  if (unknown !== 'refuse' && unknown !== 'delete') {
    const message = "is neither 'refuse' nor 'delete'"
    refuseInput([{ path: ['unknown'], message }], place, undefined, 'OPTION_INVALID')
  }
  const { primary } = model
  const conjuncts = splitConjuncts(where)
  const match = matchKey(primary, conjuncts, { model, text: place, warn: context.warn })
  const [part] = match?.parts ?? []
  const [value] = valuesOf(part?.condition)
  if (!part || !value || part.absorbed.length < conjuncts.all.length) {
    return refuseInput(
      [{ path: [], message: 'what is given is not just a partition key' }],
      place,
      `give all of ${primary.hash.flatMap(({ template }) => template?.names ?? []).join(', ')}, and nothing else`,
    )
  }
  const partition = [primary.hash[0]!.name, value] as const
  return {
    execute: async (options) => {
      const call = startCall(context, VERB, model.name, options)
      return deleteCollection(context, call, { partition, unknown, onProgress })
    },
  }
}
