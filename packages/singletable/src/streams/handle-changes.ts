import { refuseInput } from '../schema/input-issues.ts'
import type { Schema } from '../schema/model.ts'
import type { AnyChange } from './change.ts'
import { changesOfRecord } from './changes-of.ts'
import { HandledRecords } from './handled-records.ts'
import type { StreamHandler } from './stream-handler.ts'
import { normaliseRecord, type StreamRecord } from './stream-record.ts'

/** How a handler of changes deals with failures and repetitions. */
export interface HandlerOptions {
  /**
   * After a failure: `stop` leaves the rest of the event for its next delivery; `continue` handles
   * what does not concern the same item. `stop` unless said.
   */
  readonly afterFailure?: 'stop' | 'continue' | undefined
  /**
   * How failures are reported: `report` answers with `batchItemFailures`, which Lambda heeds only
   * if the event source mapping has `ReportBatchItemFailures`; `throw` throws the first error, so
   * that the whole event is delivered again. `report` unless said.
   */
  readonly failures?: 'report' | 'throw' | undefined
  /** This many records that were handled are remembered and not handled again; 10,000 unless
   * said. */
  readonly remember?: number | undefined
  /** Called for each failure; by default prints it. */
  readonly onError?: ((error: unknown, record: StreamRecord) => void) | undefined
}

const REMEMBER = 10_000

/** A handler of events that gives each change to a function, in order. */
export function handleChanges(
  schema: Schema,
  handle: (change: AnyChange, record: StreamRecord) => unknown,
  where: string,
  options: HandlerOptions = {},
): StreamHandler {
  const {
    afterFailure = 'stop',
    failures = 'report',
    remember = REMEMBER,
    onError = print,
  } = options
  checkOptions({ afterFailure, failures, remember }, where)
  const handled = new HandledRecords(remember)
  return async (event) => {
    const errors: unknown[] = []
    const batchItemFailures: { itemIdentifier: string }[] = []
    const failedItems = new Set<string>()
    for (const given of requireRecords(event, where)) {
      const record = normaliseRecord(given, where)
      if (handled.has(record.eventID)) continue
      const item = itemText(record)
      const itemIdentifier = record.dynamodb.SequenceNumber
      if (failedItems.has(item)) {
        batchItemFailures.push({ itemIdentifier })
        continue
      }
      try {
        for (const change of changesOfRecord(schema, record)) await handle(change, record)
        handled.add(record.eventID)
      } catch (error) {
        onError(error, record)
        errors.push(error)
        batchItemFailures.push({ itemIdentifier })
        if (afterFailure === 'stop') break
        failedItems.add(item)
      }
    }
    if (failures === 'throw' && errors.length > 0) throw errors[0]
    return { batchItemFailures }
  }
}

function requireRecords(event: Parameters<StreamHandler>[0], where: string) {
  const { Records } = Object(event) as Partial<typeof event>
  if (Array.isArray(Records)) return Records as readonly StreamRecord[]
  return refuseInput(
    [{ path: ['Records'], message: 'is not a list' }],
    where,
    'give the event as Lambda gives it, or { Records } with the records of GetRecords',
  )
}

function checkOptions(
  { afterFailure, failures, remember }: Required<Omit<HandlerOptions, 'onError'>>,
  where: string,
): void {
  const fix =
    "give afterFailure 'stop' or 'continue', failures 'report' or 'throw', remember a number"
  const refuse = (name: string, message: string): never =>
    refuseInput([{ path: [name], message }], where, fix, 'OPTION_INVALID')
  if (afterFailure !== 'stop' && afterFailure !== 'continue') refuse('afterFailure', 'is unknown')
  if (failures !== 'report' && failures !== 'throw') refuse('failures', 'is unknown')
  if (!(Number(remember) >= 0)) refuse('remember', 'is not a number of 0 or more')
}

/** The item a record is about. */
function itemText({ dynamodb }: StreamRecord): string {
  return JSON.stringify(Object.entries(dynamodb.Keys).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function print(error: unknown, { dynamodb }: StreamRecord): void {
  console.error(`singletable: the change ${dynamodb.SequenceNumber} could not be handled:`, error)
}
