import type { QueryRequest, ReadPageResponse, ScanRequest } from '../../wire/item-operations.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineContext } from '../context/context.ts'
import { after, inTurns } from '../context/turns.ts'
import { type Page, type PageRequest, pageSteps } from './read-page.ts'

/** Reads the page that a Query or Scan asks for, and answers with it. */
export function answerPage(
  context: EngineContext,
  request: QueryRequest | ScanRequest,
  page: PageRequest,
): ReadPageResponse | Promise<ReadPageResponse> {
  const steps = pageSteps(context, page)
  return after(inTurns(context, steps), (read) => pageResponse(request, page, read))
}

function pageResponse(
  { ReturnConsumedCapacity: wanted }: QueryRequest | ScanRequest,
  { returns }: PageRequest,
  page: Page,
): ReadPageResponse {
  const response: ReadPageResponse = { Count: page.count, ScannedCount: page.scannedCount }
  if (returns !== 'count') response.Items = page.items
  if (page.lastEvaluatedKey !== undefined) response.LastEvaluatedKey = page.lastEvaluatedKey
  if (wantsCapacity(wanted)) response.ConsumedCapacity = page.capacity.show(wanted)
  return response
}
