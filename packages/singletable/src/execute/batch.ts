import { BatchIncompleteError, type UnfinishedBatch } from '../errors/batch-incomplete-error.ts'
import { describeCause } from '../errors/describe-cause.ts'
import type { Item } from '../values/attribute-value.ts'
import { type Call, waitForRetry } from './call.ts'
import type { TableContext } from './table-context.ts'

/** Requests of one batch that are under way at the same time, at most. */
const CONCURRENCY_MAX = 8

/**
 * Sends chunks until nothing is left of them. `sendChunk` gives what was not processed; that is
 * sent again after a pause, until nothing is left, or nothing was processed for as many rounds as a
 * request may be sent. Members that are left when it ends are given back.
 */
export async function drain<TMember>(
  context: TableContext,
  call: Call,
  chunks: readonly (readonly TMember[])[],
  sendChunk: (members: readonly TMember[]) => Promise<readonly TMember[]>,
): Promise<{ readonly left: readonly TMember[]; readonly cause: unknown }> {
  const left: TMember[] = []
  let cause: unknown
  let failed = false
  let next = 0
  const work = async (): Promise<void> => {
    while (next < chunks.length) {
      let pending = chunks[next++] ?? []
      try {
        for (let idle = 0; pending.length > 0 && !failed; ) {
          const unprocessed = await sendChunk(pending)
          idle = unprocessed.length < pending.length ? 0 : idle + 1
          pending = unprocessed
          if (pending.length === 0) break
          if (idle >= context.retry.attemptsMax) failed = true
          else {
            call.retries++
            await waitForRetry(context, call, idle + 1)
          }
        }
      } catch (error) {
        failed = true
        cause ??= error
      }
      left.push(...pending)
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY_MAX, chunks.length) }, work))
  return { left, cause }
}

/** A key as text, equal for equal keys whatever the order of their attributes. */
export function keyText(key: Item, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => key[name]?.S ?? key[name]?.N ?? key[name]?.B))
}

export function batchIncomplete(
  call: Call,
  batch: UnfinishedBatch,
  cause: unknown,
): BatchIncompleteError {
  const all = batch.done.length + batch.remaining.length
  const isUnknown = (cause as { code?: unknown } | undefined)?.code === 'OUTCOME_UNKNOWN'
  const why = cause === undefined ? '.' : `: ${describeCause(cause)}`
  return new BatchIncompleteError(
    {
      what: `${batch.remaining.length} of ${all} members of the batch ${isUnknown ? 'may not have been' : 'were not'} processed${why}`,
      where: call.place,
      fix:
        cause === undefined
          ? 'send error.remaining again later, or raise the capacity'
          : 'fix what error.cause says, and send error.remaining again',
    },
    batch,
    cause === undefined ? undefined : { cause },
  )
}
