import { contextOf, type TableLike } from '../builder/context-of.ts'
import { CursorError } from '../errors/cursor-error.ts'
import { startCall } from '../execute/call.ts'
import { READ, send } from '../execute/send.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { Item } from '../values/attribute-value.ts'
import { eachLimited } from './each-limited.ts'
import type { Finding } from './finding.ts'
import { Inspection } from './inspection.ts'

/** How far a verification is, and what it found. */
export interface VerifyReport {
  /** Items that were looked at. */
  readonly items: number
  /** What is wrong; of very many the first 1,000, while `onFinding` gets all. */
  readonly findings: readonly Finding[]
  readonly found: number
  readonly repaired: number
  /** Counters that could not be checked, each with the reason. */
  readonly skipped: readonly string[]
  /** Where to continue after a failure or a stop; `undefined` at the end. */
  readonly cursor: string | undefined
}

export interface VerifyOptions {
  /** Repair what is wrong. Each repair is a transaction on the condition that nothing has changed
   * since it was found. */
  readonly repair?: boolean | undefined
  /** Of the progress of a run that did not come to its end. */
  readonly cursor?: string | undefined
  readonly onFinding?: ((finding: Finding) => unknown) | undefined
  /** Called after each page. */
  readonly onProgress?: ((report: VerifyReport) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
  /** Items that are read at a time; 100 unless said. */
  readonly pageSize?: number | undefined
}

const PLACE = 'verifyCopies()'
const PAGE_SIZE = 100
const CONCURRENCY = 8
const FINDINGS_MAX = 1000

/**
 * Reads the whole table and looks whether all that is kept twice agrees: attributes with `copyOf`
 * and their sources, `copies`, guards of unique values, and counters. With `repair` it repairs what
 * it finds. Can be repeated, stopped and resumed; other writes may continue meanwhile.
 */
export async function verifyCopies(
  table: TableLike<SchemaDefinition>,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const context = contextOf(table, PLACE)
  const { primary } = context.schema
  const { repair = false, onFinding, onProgress, signal, pageSize: Limit = PAGE_SIZE } = options
  const inspection = new Inspection(context, { repair, signal }, PLACE)
  const call = startCall(context, 'verifyCopies', undefined, { signal })
  const findings: Finding[] = []
  let items = 0
  let found = 0
  let repaired = 0
  let start = options.cursor === undefined ? undefined : parseCursor(options.cursor)
  const report = (): VerifyReport => ({
    items,
    findings: [...findings],
    found,
    repaired,
    skipped: inspection.skipped,
    cursor: start && JSON.stringify(start),
  })
  do {
    const request = { TableName: context.name, ConsistentRead: true, Limit }
    const page = await send(
      context,
      call,
      'Scan',
      start ? { ...request, ExclusiveStartKey: start } : request,
      READ,
    )
    await eachLimited(fromList(page.Items ?? []), CONCURRENCY, async (item) => {
      for (const finding of await inspection.inspect(item, keyFromItem(primary, item))) {
        found++
        if (finding.repaired) repaired++
        if (findings.length < FINDINGS_MAX) findings.push(finding)
        await onFinding?.(finding)
      }
      items++
    })
    start = page.LastEvaluatedKey
    await onProgress?.(report())
  } while (start !== undefined)
  return report()
}

async function* fromList<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list
}

function parseCursor(text: string): Item {
  try {
    const key: unknown = JSON.parse(text)
    if (typeof key === 'object' && key !== null) return key as Item
  } catch {
    // Falls through to the error below.
  }
  throw new CursorError({
    what: 'The cursor does not come from a verification.',
    where: PLACE,
    fix: 'give the last cursor that onProgress() got',
  })
}
