import type { ReadPageResponse, ReturnConsumedCapacity } from '../../wire/item-operations.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { Page, PageRequest } from './read-page.ts'

/** The answer of Query and Scan. */
export function pageResponse(
  page: Page,
  returns: PageRequest['returns'],
  wanted: ReturnConsumedCapacity | undefined,
): ReadPageResponse {
  const response: ReadPageResponse = { Count: page.count, ScannedCount: page.scannedCount }
  if (returns !== 'count') response.Items = page.items
  if (page.lastEvaluatedKey !== undefined) response.LastEvaluatedKey = page.lastEvaluatedKey
  if (wantsCapacity(wanted)) response.ConsumedCapacity = page.capacity.show(wanted)
  return response
}
