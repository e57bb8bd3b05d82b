import { type Operations, ServiceError, type Transport } from 'singletable/tools'
import { type Aspect, assumedShape } from './diff-shapes.ts'
import { describeTable, isUnsupported, readLiveTable } from './live-shape.ts'
import { createCalls, type SdkCall, updateCalls } from './sdk.ts'
import { planSteps } from './steps.ts'
import type { TableShape } from './table-shape.ts'

interface TagCall {
  readonly operation: 'TagResource'
  readonly request: Operations['TagResource']['request']
}

/** One thing that is done to a table, and the requests that do it. */
export interface TableTask {
  /** `create the index "gsi2"` */
  readonly text: string
  /** Whether data is lost that has to be made again: that of an index. */
  readonly isDestructive: boolean
  readonly calls: readonly (SdkCall | TagCall)[]
}

export interface TablePlan {
  readonly changes: readonly TableTask[]
  /** What the service does not say, as DynamoDB Local with backups. */
  readonly unknown: readonly Aspect[]
}

/**
 * What makes the table as the shape says: all of it if there is none, else what differs, one index
 * after the other.
 */
export async function planTable(transport: Transport, wanted: TableShape): Promise<TablePlan> {
  const description = await describeTable(transport, wanted.name)
  if (description === undefined) {
    const text = `create the table with ${['primary', ...indexNames(wanted)].join(', ')}`
    return {
      changes: [{ text, isDestructive: false, calls: createCalls(wanted) }],
      unknown: [],
    }
  }
  const found = await readLiveTable(transport, wanted.name)
  const current = assumedShape(found, wanted)
  const changes = planSteps(current, wanted).flatMap((step): TableTask[] => {
    const { change } = step
    const calls = updateCalls(step)
    // Tags have calls of their own, below.
    if (calls.length === 0) return []
    return [
      {
        text:
          change.kind === 'settings'
            ? `change ${change.what.filter((what) => what !== 'tags').join(', ')}`
            : `${change.kind} the index "${change.index}"`,
        isDestructive: change.kind === 'delete',
        calls,
      },
    ]
  })
  const tags = tagCalls(current.tags, wanted.tags, description.TableArn ?? '')
  if (tags.length > 0) changes.push({ text: 'change tags', isDestructive: false, calls: tags })
  return { changes, unknown: found.unknown }
}

export interface ApplyOptions {
  readonly transport: Transport
  readonly table: string
  readonly signal?: AbortSignal | undefined
  /** Called while a change is waited for. */
  readonly onWait?: ((text: string) => void) | undefined
}

/**
 * Does what was planned, and waits after each request until the table and its indexes are active.
 * Gives what the service does not support.
 */
export async function applyChange(
  { text, calls }: TableTask,
  { transport, table, signal, onWait }: ApplyOptions,
): Promise<readonly string[]> {
  const unsupported: string[] = []
  for (const { operation, request } of calls) {
    await sendWhenReady(async () => {
      try {
        await transport.send(operation, request, { signal })
      } catch (error) {
        if (!isUnsupported(error)) throw error
        unsupported.push(operation)
      }
    }, signal)
    onWait?.(text)
    await waitUntilActive(transport, table, signal, () => onWait?.(text))
  }
  return unsupported
}

const POLL_MS_FIRST = 20
const POLL_MS_MAX = 5_000
const ATTEMPTS_MAX = 20

/**
 * A table that was just made is not ready for everything, and one that others change is not ready
 * for anything.
 */
async function sendWhenReady(send: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const isPassing =
        error instanceof ServiceError &&
        /^(ContinuousBackupsUnavailable|ResourceInUse)/.test(error.name)
      if (!isPassing || attempt === ATTEMPTS_MAX) throw error
      await pause(Math.min(POLL_MS_MAX, POLL_MS_FIRST * 2 ** attempt), signal)
    }
  }
}

/** Waits for what an earlier run, or somebody else, began: DynamoDB makes one index at a time. */
export async function settleTable({
  transport,
  table,
  signal,
  onWait,
}: ApplyOptions): Promise<void> {
  if ((await describeTable(transport, table)) === undefined) return
  await waitUntilActive(transport, table, signal, () => onWait?.('waiting for a change under way'))
}

async function waitUntilActive(
  transport: Transport,
  table: string,
  signal: AbortSignal | undefined,
  onPoll: () => void,
): Promise<void> {
  for (let pauseMs = POLL_MS_FIRST; ; pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)) {
    const found = await describeTable(transport, table)
    const states = [
      found?.TableStatus,
      ...(found?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus),
    ]
    if (states.every((state) => state === 'ACTIVE')) return
    onPoll()
    await pause(pauseMs, signal)
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

function indexNames({ global, local }: TableShape): readonly string[] {
  return [...global, ...local].map(({ name }) => name)
}

/** Further tags are those of whoever deploys. */
function tagCalls(
  is: TableShape['tags'],
  wanted: TableShape['tags'],
  ResourceArn: string,
): readonly TagCall[] {
  const Tags = [...wanted].flatMap(([Key, Value]) =>
    is.get(Key) === Value ? [] : [{ Key, Value }],
  )
  return Tags.length > 0 ? [{ operation: 'TagResource', request: { ResourceArn, Tags } }] : []
}
