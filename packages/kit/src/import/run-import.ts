import {
  derivedOf,
  type Environment,
  type Item,
  keyFromItem,
  type Schema,
  ServiceError,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import type { ImportDefinition } from './define-import.ts'
import { joinedSources, type MappedItem, mapperOf } from './map-rows.ts'
import { PostgresSnapshots } from './read-postgres.ts'
import { readRows } from './read-rows.ts'
import { chunksOf, stageRows } from './stage-rows.ts'
import type { ImportProgress, Staging } from './staging.ts'
import { takenKeys } from './taken-keys.ts'
import type { Target, TargetItem, Written } from './targets.ts'

export interface ImportOptions {
  readonly definition: ImportDefinition
  readonly schema: Schema
  readonly tableName: string
  /** Where relative paths of sources begin. */
  readonly directory: string
  /** For sources that are tables, and for counters; undefined where files are written. */
  readonly transport: Transport | undefined
  readonly staging: Staging
  readonly progress: ImportProgress
  readonly target: Target & { readonly parts?: number }
  /** When aborted, what is under way is finished and noted. */
  readonly signal: AbortSignal
  onProgress(items: number): void
}

export interface ImportResult {
  readonly isDone: boolean
  /** By source. */
  readonly rows: Readonly<Record<string, number>>
  readonly items: number
  /** Items that the table had already, the same. */
  readonly present: number
  /** Items that the table had already with other values, which stay: their rows. */
  readonly kept: readonly string[]
  readonly keptCount: number
  /** Counters that somebody changed meanwhile. */
  readonly countersSkipped: number
}

const KEPT_SHOWN_MAX = 20
/** Sources that do not give the same rows in the same order when they are read again. */
const LIVE = ['table', 'postgres']

/** Makes items of all rows and writes them, or continues a run that was interrupted. */
export async function runImport(options: ImportOptions): Promise<ImportResult> {
  const postgres = new PostgresSnapshots()
  try {
    return await importRows(options, postgres)
  } finally {
    await postgres.close()
  }
}

async function importRows(
  options: ImportOptions,
  postgres: PostgresSnapshots,
): Promise<ImportResult> {
  const { definition, schema, staging, target, signal } = options
  // The same for all runs, so that what is made again is the same.
  const environment: Environment = {
    ...systemEnvironment,
    now: () => options.progress.startedAt,
  }
  const result = { present: 0, keptCount: 0, countersSkipped: 0, kept: [] as string[] }
  let progress = options.progress
  let { items } = progress
  const rows: Record<string, number> = { ...progress.rows }
  const save = (change: Partial<ImportProgress>): void => {
    progress = { ...progress, ...change }
    staging.save(progress)
  }
  const ended = (isDone: boolean): ImportResult => ({ isDone, rows, items, ...result })

  for (const source of joinedSources(definition).keys()) {
    if (progress.staged.includes(source)) continue
    if (!(await stageRows(definition, source, { ...options, postgres }))) return ended(false)
    save({ staged: [...progress.staged, source] })
  }

  for (const [source, found] of Object.entries(definition.sources)) {
    const mapper = mapperOf(definition, schema, source, environment)
    const isLive = LIVE.includes(found.kind)
    const skip = isLive ? 0 : (progress.rows[source] ?? 0)
    let read = 0
    const write = async (
      out: readonly TargetItem[],
      rowsBefore: number,
      earlier: Promise<void> | undefined,
    ): Promise<void> => {
      let written: Written
      try {
        written = await target.write(out)
        // What is noted is that all rows up to this one are at the target.
        await earlier
      } catch (error) {
        // Writes that were under way are repeated by the next run.
        if (signal.aborted) return
        throw error
      }
      const { present, kept, isDurable } = written
      items += out.length
      result.present += present
      result.keptCount += kept.length
      result.kept.push(...kept.slice(0, KEPT_SHOWN_MAX - result.kept.length))
      rows[source] = rowsBefore
      if (isDurable) save({ rows: { ...rows }, items, parts: target.parts ?? 0 })
      options.onProgress(items)
    }
    // Chunks are written while the next one is read and mapped.
    const writing: Promise<void>[] = []
    try {
      for await (const chunk of chunksOf(readRows(found, { ...options, postgres }))) {
        read += chunk.length
        if (signal.aborted) break
        if (read <= skip) continue
        const fresh = chunk.slice(Math.max(0, chunk.length - (read - skip)))
        const made = fresh.flatMap((row) =>
          mapper.map(row, (name, key) => staging.getRow(name, key)),
        )
        const out = staging.transaction(() => made.flatMap((each) => claimed(options, each)))
        if (writing.length === target.chunksMax) await writing.shift()
        if (staging.isLarge) {
          // Nothing may be noted while the file is closed.
          await writing.at(-1)
          await staging.release()
        }
        if (signal.aborted) break
        const writes = write(out, read, writing.at(-1))
        // They are waited for below, maybe only after the next rows were found to be wrong.
        writes.catch(() => {})
        writing.push(writes)
      }
    } finally {
      await writing.at(-1)
    }
    if (signal.aborted) return ended(false)
    if (read < skip) {
      throw new TransferError(`The source has ${read} rows, and ${skip} were imported from it.`, {
        where: `source "${source}"`,
        fix: 'give the same source, or start again with --restart',
      })
    }
    rows[source] = read
  }
  await target.end()
  result.countersSkipped = await writeCounters(options)
  return ended(true)
}

/** The item and what follows from it, each key noted with its row. */
function claimed(options: ImportOptions, mapped: MappedItem): readonly TargetItem[] {
  const { staging, schema, tableName, progress } = options
  const { model, item, where } = mapped
  const derived = derivedOf(model, item, { tableName, now: progress.startedAt })
  const [isFirst] = takenKeys(schema, item, derived).map(({ key, what }) =>
    staging.claim(key, where, what),
  )
  const items: TargetItem[] = [mapped]
  for (const each of derived) {
    if (each.kind === 'count') {
      const { parent, attribute, key: of, by } = each
      if (isFirst)
        staging.count(JSON.stringify(keyFromItem(parent.schema.primary, of)), attribute.stored, by)
    } else if (each.item) {
      items.push({ item: each.item, where })
    }
  }
  return items
}

/** Writes what was counted, unless the application has counted since. */
async function writeCounters({ staging, transport, tableName }: ImportOptions): Promise<number> {
  let skipped = 0
  for (const { key, attribute, sum } of staging.counts()) {
    if (transport === undefined) {
      throw new TransferError('Counters of parents are not part of the files.', {
        where: `attribute "${attribute}"`,
        fix: 'import into a table, or count after the import from S3 with a migration of countItems',
      })
    }
    try {
      await sendPatiently(transport, 'UpdateItem', {
        TableName: tableName,
        Key: JSON.parse(key) as Item,
        UpdateExpression: 'SET #counter = :sum',
        ConditionExpression:
          'attribute_exists(#hash) AND (attribute_not_exists(#counter) OR #counter IN (:zero, :sum))',
        ExpressionAttributeNames: {
          '#counter': attribute,
          '#hash': Object.keys(JSON.parse(key) as Item)[0] ?? '',
        },
        ExpressionAttributeValues: { ':sum': { N: sum }, ':zero': { N: '0' } },
      })
    } catch (error) {
      if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException')
        throw error
      skipped++
    }
  }
  return skipped
}
