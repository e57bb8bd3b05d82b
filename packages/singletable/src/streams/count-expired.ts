import { contextOf, type TableLike } from '../builder/context-of.ts'
import { startCall } from '../execute/call.ts'
import { isAnswer } from '../execute/condition-failure.ts'
import { send, WITH_TOKEN } from '../execute/send.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { siteOf } from '../plan/plan-context.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import { planDerivedItems } from '../plan/write/plan-derived-items.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import { compileAction } from '../request/compile-write.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AnyChange } from './change.ts'
import { type HandlerOptions, handleChanges } from './handle-changes.ts'
import type { StreamHandler } from './stream-handler.ts'
import type { StreamRecord } from './stream-record.ts'

const PLACE = 'countExpired()'
/** A token of a transaction has 36 characters at most; one is left for the position. */
const TOKEN_TEXT_MAX = 34

/**
 * A handler of stream events that counts down the counters of items which DynamoDB removed because
 * their time to live ran out: those no call of the library removes, so that none counts them. A
 * record that is delivered again within ten minutes is not counted again, as its transaction has
 * the same token; after a longer outage `verifyCopies` counts again.
 */
export function countExpired(
  table: TableLike<SchemaDefinition>,
  options: HandlerOptions & Pick<CallOptions, 'signal'> = {},
): StreamHandler {
  const context = contextOf(table, PLACE)
  const { schema } = context
  const view = schema.definition.table?.stream ?? 'new-and-old'
  if (view === 'keys' || view === 'new') {
    refusePlan(
      'PLAN_INVALID',
      `${PLACE}, schema with table.stream '${view}'`,
      'To find what counted a removed item, its old image is needed, and the stream has no old images.',
      "give the table a stream of both images: table: { stream: 'new-and-old' }",
    )
  }
  const { signal, ...handling } = options
  const handle = async (change: AnyChange, record: StreamRecord): Promise<void> => {
    const model = schema.models.get(change.entity ?? '')
    const { OldImage: before, Keys: key } = record.dynamodb
    if (!change.expired || !model?.derivedItems?.counters.length || !before) return
    const call = startCall(context, 'countExpired', model.name, { signal })
    const { place } = call
    const keys = [key, key] as const
    const site = siteOf(context)
    const transition = { site, model, place, keys, before, after: undefined, whole: true }
    const derivedItems = planDerivedItems(transition).filter(({ kind }) => kind === 'count')
    // The counts follow from a write; of the removal, which has happened, nothing is sent.
    const removal = planWrite({ model }, site, {
      action: 'Delete',
      verb: 'delete',
      place,
      key,
      version: undefined,
      derivedItems,
    })
    const [, ...counts] = gatherWrites([removal]).writes
    for (const [position, count] of counts.entries()) {
      const ClientRequestToken = `${change.eventId.slice(-TOKEN_TEXT_MAX)}-${position}`
      const TransactItems = [compileAction(count)]
      try {
        await send(
          context,
          call,
          'TransactWriteItems',
          { TransactItems, ClientRequestToken },
          WITH_TOKEN,
        )
      } catch (error) {
        // A parent that is gone, or counts nothing any more, has nothing to count down.
        if (!isAnswer(error, 'TransactionCanceledException')) throw error
        const { CancellationReasons: [reason] = [] } = error
        if (reason?.Code !== 'ConditionalCheckFailed') throw error
      }
    }
  }
  return handleChanges(schema, handle, PLACE, handling)
}
