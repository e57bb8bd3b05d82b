import { createWriteStream, mkdirSync, type WriteStream, writeFileSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import {
  createTableRequest,
  getOwn,
  type Item,
  type Schema,
  ServiceError,
  sameValue,
  type Transport,
} from 'singletable/tools'
import { jsonLines } from '../transfer/json-lines.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'

/** An item on its way to the target. */
export interface TargetItem {
  readonly item: Item
  readonly where: string
  /** What comes from the source; undefined for derived items, which are compared as a whole. */
  readonly mapped?: ReadonlySet<string> | undefined
}

export interface Written {
  readonly written: number
  /** Items that the target has already, the same as these. */
  readonly present: number
  /** Items that the target has already with other values: those stay. */
  readonly kept: readonly string[]
  /** All that was given so far would survive the end of the process. */
  readonly isDurable: boolean
}

export interface Target {
  /** How many writes may be under way at the same time. */
  readonly chunksMax: number
  write(items: readonly TargetItem[]): Promise<Written>
  /** Completes what is open. */
  end(): Promise<void>
}

const CONCURRENT_WRITES = 64

/** While the items of one chunk are on their way to the disk, those of another one are prepared. */
const CHUNKS_MAX = 2

export interface TableTargetOptions {
  readonly signal?: AbortSignal | undefined
  /** Writes on their way at the same time; an engine in this process commits them together. */
  readonly concurrentWrites?: number | undefined
}

/**
 * Writes items that the table does not have. What is there stays: it was written by an earlier run,
 * or by the application, whose writes are newer than the source.
 */
export function tableTarget(
  transport: Transport,
  tableName: string,
  schema: Schema,
  { signal, concurrentWrites = CONCURRENT_WRITES }: TableTargetOptions = {},
): Target {
  const [hash = ''] = schema.primary.hash
  const put = async ({
    item,
    mapped,
    where,
  }: TargetItem): Promise<'written' | 'present' | 'kept'> => {
    try {
      const request = {
        TableName: tableName,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': hash },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const
      await sendPatiently(transport, 'PutItem', request, signal)
      return 'written'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.name === 'ValidationException') {
        throw new TransferError(error.message, {
          where,
          fix: 'correct the row, or the mapping',
          cause: error,
        })
      }
      if (error.name !== 'ConditionalCheckFailedException') throw error
      return isSameItem(item, error.Item ?? {}, mapped) ? 'present' : 'kept'
    }
  }
  return {
    chunksMax: CHUNKS_MAX,
    async write(items) {
      const waiting = items[Symbol.iterator]()
      const kept: string[] = []
      const counts = { written: 0, present: 0 }
      const work = async (): Promise<void> => {
        // The iterator is shared: each takes the next item that nobody has taken.
        for (const next of waiting) {
          const outcome = await put(next)
          if (outcome === 'kept') kept.push(next.where)
          else counts[outcome]++
        }
      }
      await Promise.all(
        Array.from({ length: Math.min(concurrentWrites / CHUNKS_MAX, items.length) }, work),
      )
      return { ...counts, kept, isDurable: true }
    },
    async end() {},
  }
}

/** Whether the table has what the source says; what is generated may differ. */
export function isSameItem(
  expected: Item,
  found: Item,
  mapped: ReadonlySet<string> = new Set([...Object.keys(expected), ...Object.keys(found)]),
): boolean {
  for (const name of mapped) {
    if (!sameValue(getOwn(expected, name), getOwn(found, name))) return false
  }
  return true
}

/** S3 takes any number of files. */
const PART_CHARACTERS = 64 * 1024 * 1024

/** Files for DynamoDB's import from S3, and its request. */
export function fileTarget(options: {
  readonly directory: string
  readonly schema: Schema
  readonly tableName: string
  readonly bucket: string
  readonly prefix: string
  /** Files that an earlier run completed. */
  readonly parts: number
  /** A file is closed when it has this much text. */
  readonly partCharacters?: number
}): Target & { readonly parts: number } {
  const { directory, schema, tableName, bucket, prefix, partCharacters = PART_CHARACTERS } = options
  mkdirSync(path.join(directory, 'data'), { recursive: true })
  let parts = options.parts
  let characters = 0
  let open: { readonly gzip: Gzip; readonly file: WriteStream } | undefined
  const close = async (): Promise<void> => {
    if (open === undefined) return
    open.gzip.end()
    await finished(open.file)
    open = undefined
    characters = 0
    parts++
  }
  return {
    chunksMax: 1,
    get parts() {
      return parts
    },
    async write(items) {
      if (open === undefined) {
        const name = `part-${String(parts + 1).padStart(5, '0')}.json.gz`
        const file = createWriteStream(path.join(directory, 'data', name))
        const gzip = createGzip()
        gzip.pipe(file)
        open = { gzip, file }
      }
      const text = items.map(({ item }) => jsonLines.print(item)).join('')
      const { gzip } = open
      if (!gzip.write(text)) await new Promise((resolve) => gzip.once('drain', resolve))
      characters += text.length
      const isDurable = characters >= partCharacters
      if (isDurable) await close()
      return { written: items.length, present: 0, kept: [], isDurable }
    },
    async end() {
      await close()
      const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } =
        createTableRequest(schema, tableName)
      const request = {
        S3BucketSource: { S3Bucket: bucket, S3KeyPrefix: `${prefix}data/` },
        InputFormat: 'DYNAMODB_JSON',
        InputCompressionType: 'GZIP',
        TableCreationParameters: {
          TableName,
          KeySchema,
          AttributeDefinitions,
          BillingMode: 'PAY_PER_REQUEST',
          ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
        },
      }
      writeFileSync(
        path.join(directory, 'import-table.json'),
        `${JSON.stringify(request, undefined, 2)}\n`,
      )
    },
  }
}
