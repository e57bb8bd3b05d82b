import type { Item, Transport } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'

export interface ScanOptions {
  readonly transport: Transport
  readonly tableName: string
  /** When aborted, no further page is read. */
  readonly signal: AbortSignal
}

const CONCURRENT_SEGMENTS = 8

/** Reads the whole table consistently, several segments at once. */
export async function scanPages(
  { transport, tableName, signal }: ScanOptions,
  visit: (items: readonly Item[]) => void | Promise<void>,
): Promise<void> {
  const readSegment = async (Segment: number): Promise<void> => {
    let cursor: Item | undefined
    do {
      const page = await sendPatiently(transport, 'Scan', {
        TableName: tableName,
        Segment,
        TotalSegments: CONCURRENT_SEGMENTS,
        ConsistentRead: true,
        ...(cursor && { ExclusiveStartKey: cursor }),
      })
      await visit(page.Items ?? [])
      cursor = page.LastEvaluatedKey
    } while (cursor && !signal.aborted)
  }
  await Promise.all(Array.from({ length: CONCURRENT_SEGMENTS }, (_, at) => readSegment(at)))
}
