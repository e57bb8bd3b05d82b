import type { StreamRecord } from 'singletable/streams'
import type { Item, Transport } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import type { CopyNotes } from './copy-notes.ts'
import type { CopyTarget } from './copy-target.ts'
import type { CopyVersion } from './copy-version.ts'
import type { CopiedTable, RowItems } from './row-items.ts'

/** What copying rows needs. */
export interface RowCopier {
  readonly transport: Transport
  readonly items: RowItems
  readonly target: CopyTarget
  readonly notes: CopyNotes
  readonly epoch: number
}

const CONCURRENT_ROWS = 32
const SCAN_SEGMENTS = 4

/** Copies what stream records say: rows side by side, the changes of one row in their order. */
export async function copyRecords(
  copier: RowCopier,
  table: CopiedTable,
  records: readonly StreamRecord[],
): Promise<void> {
  const byRow = new Map<string, StreamRecord[]>()
  for (const record of records) {
    const row = rowText(table, record.dynamodb.Keys)
    byRow.set(row, [...(byRow.get(row) ?? []), record])
  }
  await eachOf([...byRow], async ([row, changes]) => {
    for (const { dynamodb } of changes) {
      const version = {
        epoch: copier.epoch,
        seconds: dynamodb.ApproximateCreationDateTime,
        sequenceNumber: dynamodb.SequenceNumber,
      }
      await copyRow(copier, table, { ...dynamodb, version, row })
    }
  })
}

/** Writes what the row gives, and deletes what only its earlier form gave. */
async function copyRow(
  { items, target }: RowCopier,
  table: CopiedTable,
  change: {
    readonly OldImage?: Item
    readonly NewImage?: Item
    readonly version: CopyVersion
    readonly row: string
  },
): Promise<void> {
  const { version, row } = change
  const after = items.of(table, change.NewImage)
  for (const [text, { key, where }] of items.of(table, change.OldImage)) {
    if (!after.has(text)) await target.write({ key, version, row, where })
  }
  for (const each of after.values()) await target.write({ ...each, version, row })
}

interface SegmentNote {
  readonly rows: number
  /** Undefined when the segment is done. */
  readonly next?: Item | undefined
}

/** The words of the notes of a backfill. */
export function backfillNotes({ source }: CopiedTable, epoch: number): readonly string[] {
  return Array.from({ length: SCAN_SEGMENTS }, (_, at) => `BACKFILL#${epoch}#${source}#${at}`)
}

/**
 * Copies all rows of a table. What the stream has brought is newer and stays. Each page is noted
 * after its rows are written, so that a run that was killed continues there.
 */
export async function backfill(
  copier: RowCopier,
  table: CopiedTable,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<void> {
  const version: CopyVersion = { epoch: copier.epoch }
  const segment = async (word: string, Segment: number): Promise<void> => {
    let note = await copier.notes.load<SegmentNote>(word)
    onRows(note?.rows ?? 0)
    while (!signal.aborted && (note === undefined || note.next !== undefined)) {
      const { Items = [], LastEvaluatedKey: next } = await sendPatiently(copier.transport, 'Scan', {
        TableName: table.table,
        ConsistentRead: true,
        Segment,
        TotalSegments: SCAN_SEGMENTS,
        ...(note?.next && { ExclusiveStartKey: note.next }),
      })
      await eachOf(Items, async (NewImage) => {
        if (signal.aborted) return
        await copyRow(copier, table, { NewImage, version, row: rowText(table, NewImage) })
      })
      if (signal.aborted) return
      note = { rows: (note?.rows ?? 0) + Items.length, next }
      await copier.notes.save(word, note)
      onRows(Items.length)
    }
  }
  await Promise.all(backfillNotes(table, copier.epoch).map(segment))
}

/** Which row it is: the source and the key. */
export function rowText({ source, keyNames }: CopiedTable, item: Item): string {
  return JSON.stringify([source, Object.fromEntries(keyNames.map((name) => [name, item[name]]))])
}

/** The row as it is now. */
export async function readRow(
  transport: Transport,
  tables: readonly CopiedTable[],
  row: string,
): Promise<{ readonly table: CopiedTable; readonly item: Item | undefined } | undefined> {
  const [source, Key] = JSON.parse(row) as [string, Item]
  const table = tables.find((each) => each.source === source)
  if (table === undefined) return undefined
  const { Item } = await sendPatiently(transport, 'GetItem', {
    TableName: table.table,
    Key,
    ConsistentRead: true,
  })
  return { table, item: Item }
}

async function eachOf<T>(list: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = list.values()
  const worker = async (): Promise<void> => {
    for (const each of waiting) await work(each)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_ROWS, list.length) }, worker))
}
