import type { Item, Transport } from 'singletable/tools'
import type { Checkpoint } from './checkpoint.ts'
import type { ItemFormat } from './item-format.ts'
import { sendPatiently } from './send-patiently.ts'

/** Where an export is: enough to resume it. */
export interface ExportCheckpoint extends Checkpoint {
  readonly format: typeof EXPORT_FORMAT
  readonly kind: ItemFormat['name']
  readonly items: number
  /** How much of the file belongs to what was read. */
  readonly bytes: number
  readonly segments: readonly SegmentPosition[]
}

/** How far a segment of the scan is: `next` is where it continues, none at its beginning. */
export interface SegmentPosition {
  readonly done: boolean
  readonly next?: Item | undefined
}

export const EXPORT_FORMAT = 'singletable-export:1'

export interface ExportOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly format: ItemFormat
  /** Where each segment begins; a segment for each. */
  readonly segments: readonly SegmentPosition[]
  /** What earlier runs did. */
  readonly before: { readonly items: number; readonly bytes: number }
  readonly consistent: boolean
  /** When aborted, pages that are under way are finished and no more are asked for. */
  readonly signal: AbortSignal
  /** Puts text at the end of the file, and gives the bytes it has there. */
  append(text: string): Promise<number>
  /** Called after each page, when it is in the file. */
  onPage(checkpoint: ExportCheckpoint): Promise<void>
}

/** Reads the whole table, segments side by side, page by page: never more than a page of each is in
 * memory. */
export async function exportItems(options: ExportOptions): Promise<ExportCheckpoint> {
  const { transport, tableName, format, signal } = options
  const segments = [...options.segments]
  let { items, bytes } = options.before
  const checkpoint = (): ExportCheckpoint => ({
    format: EXPORT_FORMAT,
    table: tableName,
    kind: format.name,
    items,
    bytes,
    segments: [...segments],
  })
  // Pages are put into the file one at a time, so that each checkpoint is true of the whole file.
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work)
    return last
  }
  if (bytes === 0 && format.header !== '') {
    await inTurn(async () => {
      bytes += await options.append(format.header)
    })
  }
  const readSegment = async (segment: number): Promise<void> => {
    let position = segments[segment]
    while (position && !position.done && !signal.aborted) {
      const page = await sendPatiently(transport, 'Scan', {
        TableName: tableName,
        ...(segments.length > 1 && { Segment: segment, TotalSegments: segments.length }),
        ...(position.next && { ExclusiveStartKey: position.next }),
        ...(options.consistent && { ConsistentRead: true }),
      })
      const found = page.Items ?? []
      const text = found.map((item) => format.print(item)).join('')
      const next = page.LastEvaluatedKey
      position = next === undefined ? { done: true } : { done: false, next }
      const reached = position
      await inTurn(async () => {
        if (text !== '') bytes += await options.append(text)
        items += found.length
        segments[segment] = reached
        await options.onPage(checkpoint())
      })
    }
  }
  await Promise.all(segments.map((_, segment) => readSegment(segment)))
  return checkpoint()
}
