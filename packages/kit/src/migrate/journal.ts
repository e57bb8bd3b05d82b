import { randomBytes } from 'node:crypto'
import {
  type AttributeValue,
  CONTROL_TYPE,
  type Environment,
  type Item,
  itemSizeBytes,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { controlKey } from './control-keys.ts'
import type { Fence } from './fence.ts'
import { MigrationError } from './migration-error.ts'

export type MigrationState = 'running' | 'paused' | 'failed' | 'applied' | 'reverting' | 'reverted'

/** What the table knows of a migration. */
export interface MigrationRecord {
  readonly state: MigrationState
  /** Of its code, so that one that was changed afterwards is noticed. */
  readonly checksum: string
  readonly startedAt: string
  readonly endedAt?: string
  /** Into how many parts the table is divided, the same for all workers and all runs. */
  readonly segments: number
  /** The step that is carried out, and the pass over the table. */
  readonly step: number
  readonly pass: number
  /** It is undone; also while that is paused or has failed. */
  readonly isDown?: boolean
  /** The step for which the items were found to fit the new schema, before anything was written. */
  readonly checkedStep?: number
  /** What steps took away is in the table. */
  readonly hasUndoLog?: boolean
  /** The time that the table can be restored to, where it can be. */
  readonly restorableTo?: string
  readonly note?: string
}

export interface Lock {
  readonly owner: string
  readonly epoch: number
  readonly heartbeatAt: number
}

export interface JournalState {
  readonly records: ReadonlyMap<string, MigrationRecord>
  readonly lock: Lock | undefined
  /** What somebody asks of the process that has the lock. */
  readonly request: 'pause' | 'abort' | undefined
  readonly revision: number
  readonly epoch: number
}

/** Without a sign of life for so long, a lock counts as left behind. */
export const LOCK_MS = 60_000
/** About what the key, the type and the lock of a process take. */
const LOCK_BYTES = 200

export interface JournalOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly schema: Schema
  readonly environment: Environment
  /** Who works, for the messages of others: `ada@laptop, process 4711`. */
  readonly owner: string
}

/**
 * The journal of a table's migrations: one item in the table, with a record for each migration and
 * the lock of whoever works. Every change is conditional on the item being as it was read.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #token = randomBytes(9).toString('base64url')
  #epoch: number | undefined
  #lastBeatMs = 0

  constructor(options: JournalOptions) {
    this.#options = options
  }

  /** The number of the lock, while this process has it. */
  get epoch(): number | undefined {
    return this.#epoch
  }

  async read(): Promise<JournalState> {
    const { transport, tableName, schema } = this.#options
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key: controlKey(schema, 'JOURNAL'),
      ConsistentRead: true,
    })
    return stateOf(Item)
  }

  /** Takes the lock, or says who has it. A lock without a sign of life is taken over. */
  async acquire(): Promise<void> {
    const { environment, owner } = this.#options
    for (;;) {
      const state = await this.read()
      const now = environment.now()
      if (state.lock && now - state.lock.heartbeatAt < LOCK_MS) {
        const seconds = Math.round((now - state.lock.heartbeatAt) / 1000)
        throw new MigrationError(
          `Another process migrates this table: ${state.lock.owner}, which was active ${seconds} s ago.`,
          `table "${this.#options.tableName}"`,
          'wait for it, join it with migrate up --join, or, if it is dead, wait a minute or run migrate unlock',
        )
      }
      const epoch = state.epoch + 1
      const lock: Lock = { owner: `${owner} (${this.#token})`, epoch, heartbeatAt: now }
      if (await this.#write(state, { ...state, lock, epoch, request: undefined })) {
        this.#epoch = epoch
        this.#lastBeatMs = now
        return
      }
    }
  }

  /**
   * A sign of life; gives what somebody asks of this process. Without the lock it is an error:
   * somebody else has taken over.
   */
  async beat(): Promise<JournalState['request']> {
    let request: JournalState['request']
    await this.#change((state) => {
      request = state.request
      return { ...state, lock: this.#refreshed(state), request: undefined }
    })
    return request
  }

  /** Asks the process that has the lock for something. */
  async ask(request: 'pause' | 'abort'): Promise<void> {
    for (;;) {
      const state = await this.read()
      if (await this.#write(state, { ...state, request })) return
    }
  }

  /** Refuses to continue when the lock may be somebody else's by now. */
  requireLock(): void {
    const age = this.#options.environment.now() - this.#lastBeatMs
    if (this.#epoch !== undefined && age < LOCK_MS - LOCK_MS / 6) return
    throw this.#lost()
  }

  /** Lets writes happen only while the lock with this number is held. */
  fence(epoch: number): Fence {
    const { tableName, schema } = this.#options
    return {
      check: {
        ConditionCheck: {
          TableName: tableName,
          Key: controlKey(schema, 'JOURNAL'),
          ConditionExpression: '#epoch = :epoch AND attribute_exists(#lock)',
          ExpressionAttributeNames: { '#epoch': 'epoch', '#lock': 'lock' },
          ExpressionAttributeValues: { ':epoch': { N: String(epoch) } },
        },
      },
      lost: () => this.#lost(),
    }
  }

  async record(id: string, change: Partial<MigrationRecord>): Promise<MigrationRecord> {
    let changed: MigrationRecord | undefined
    await this.#change((state) => {
      // A new record is given whole.
      changed = { ...state.records.get(id), ...change } as MigrationRecord
      return {
        ...state,
        lock: this.#refreshed(state),
        records: new Map([...state.records, [id, changed]]),
      }
    })
    return changed!
  }

  async release(): Promise<void> {
    if (this.#epoch === undefined) return
    await this.#change((state) => ({ ...state, lock: undefined }))
    this.#epoch = undefined
  }

  /** Removes the lock of another process. Gives whose it was. */
  async unlock(isForced: boolean): Promise<Lock | undefined> {
    const state = await this.read()
    if (state.lock === undefined) return undefined
    const age = this.#options.environment.now() - state.lock.heartbeatAt
    if (age < LOCK_MS && !isForced) {
      throw new MigrationError(
        `The lock is in use: ${state.lock.owner} was active ${Math.round(age / 1000)} s ago.`,
        `table "${this.#options.tableName}"`,
        'end that process first, or pass --force',
      )
    }
    if (await this.#write(state, { ...state, lock: undefined })) return state.lock
    return this.unlock(isForced)
  }

  #refreshed(state: JournalState): Lock {
    if (state.lock === undefined || state.lock.epoch !== this.#epoch) throw this.#lost()
    this.#lastBeatMs = this.#options.environment.now()
    return { ...state.lock, heartbeatAt: this.#lastBeatMs }
  }

  async #change(change: (state: JournalState) => JournalState): Promise<void> {
    for (;;) {
      const state = await this.read()
      if (state.lock?.epoch !== this.#epoch) throw this.#lost()
      if (await this.#write(state, change(state))) return
    }
  }

  #lost(): MigrationError {
    return new LockLostError(
      'The lock was lost: this process did not renew it in time, or somebody removed it.',
      `table "${this.#options.tableName}"`,
      'run migrate status, and continue with migrate resume',
    )
  }

  /** Writes the journal if nobody has changed it since it was read. */
  async #write(state: JournalState, next: JournalState): Promise<boolean> {
    const { transport, tableName, schema } = this.#options
    const item = itemOf(next, state.revision + 1)
    try {
      await sendPatiently(transport, 'PutItem', {
        TableName: tableName,
        Item: {
          ...controlKey(schema, 'JOURNAL'),
          [schema.params.typeField]: { S: CONTROL_TYPE },
          ...item,
        },
        ConditionExpression:
          state.revision === 0 ? 'attribute_not_exists(#revision)' : '#revision = :revision',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ...(state.revision > 0 && {
          ExpressionAttributeValues: { ':revision': { N: String(state.revision) } },
        }),
      })
      return true
    } catch (error) {
      if (!isConditionFailure(error)) throw error
      // The answer of an earlier attempt may have been lost.
      const found = await this.read()
      return found.revision === state.revision + 1 && sameJournal(found, next)
    }
  }
}

class LockLostError extends MigrationError {
  // As an answer of the service is called, so that a request which gives it is not repeated.
  override readonly name = 'LockLostException'
}

function isConditionFailure(error: unknown): boolean {
  return error instanceof ServiceError && error.name === 'ConditionalCheckFailedException'
}

function sameJournal(a: JournalState, b: JournalState): boolean {
  const text = (state: JournalState): string =>
    // The members of a stored map have no order.
    JSON.stringify([[...state.records].sort(), state.lock, state.request, state.epoch])
  return text(a) === text(b)
}

function itemOf({ records, lock, request, epoch }: JournalState, revision: number): Item {
  const members: { [id: string]: AttributeValue } = {}
  for (const [id, record] of records) members[id] = { S: JSON.stringify(record) }
  return {
    revision: { N: String(revision) },
    epoch: { N: String(epoch) },
    migrations: { M: members },
    ...(lock && { lock: { S: JSON.stringify(lock) } }),
    ...(request && { request: { S: request } }),
  }
}

/** How large the journal is in the table while somebody works, without its key. */
export function journalBytes(state: JournalState): number {
  return itemSizeBytes(itemOf(state, state.revision)) + LOCK_BYTES
}

function stateOf(item: Item | undefined): JournalState {
  const records = new Map<string, MigrationRecord>()
  for (const [id, { S = '{}' }] of Object.entries(item?.migrations?.M ?? {})) {
    // Written by this class, under a condition that nobody else knows.
    records.set(id, JSON.parse(S) as MigrationRecord)
  }
  const lock = item?.lock?.S === undefined ? undefined : (JSON.parse(item.lock.S) as Lock)
  const request = item?.request?.S
  return {
    records,
    lock,
    request: request === 'pause' || request === 'abort' ? request : undefined,
    revision: Number(item?.revision?.N ?? 0),
    epoch: Number(item?.epoch?.N ?? 0),
  }
}
