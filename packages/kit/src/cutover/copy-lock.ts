import { randomBytes } from 'node:crypto'
import { ServiceError } from 'singletable/tools'
import { TransferError } from '../transfer/transfer-error.ts'
import type { CopyNotes, Noted } from './copy-notes.ts'

interface LockNote {
  readonly owner: string
  readonly token: string
  readonly heartbeatAt: number
}

/** Without a sign of life for so long, a lock counts as left behind. */
const LOCK_MS = 60_000
/** A process that is this close to losing the lock writes nothing more. */
const MARGIN_MS = 10_000
const WORD = 'LOCK'

/**
 * The lock of a live copy: a note in the new table. Two processes at once would do the same work
 * twice, and one that was paused could copy old writes over newer ones after the copy has ended.
 */
export class CopyLock {
  readonly #notes: CopyNotes
  readonly #owner: string
  readonly #now: () => number
  readonly #token = randomBytes(9).toString('base64url')
  #known: Noted<LockNote> | undefined
  #lastBeatMs = Number.NEGATIVE_INFINITY

  /** `owner` is for the messages of others: `ada@laptop, process 4711`. */
  constructor(options: {
    readonly notes: CopyNotes
    readonly owner: string
    readonly now: () => number
  }) {
    this.#notes = options.notes
    this.#owner = options.owner
    this.#now = options.now
  }

  /** Takes the lock, or says who has it. One without a sign of life is taken over. */
  async acquire(isTakingOver: boolean): Promise<void> {
    for (;;) {
      const known = await this.#notes.loadNoted<LockNote>(WORD)
      const now = this.#now()
      if (known && !isTakingOver && now - known.note.heartbeatAt < LOCK_MS) {
        const seconds = Math.max(0, Math.round((now - known.note.heartbeatAt) / 1000))
        throw new TransferError(
          `Another process copies these tables: ${known.note.owner}, which was active ${seconds} s ago.`,
          {
            where: 'live copy',
            fix: 'wait for it; if it is dead, wait a minute or pass --take-over',
          },
        )
      }
      if (await this.#save(known)) return
    }
  }

  /** A sign of life. An error if another process has taken the lock. */
  async beat(): Promise<void> {
    if (await this.#save(this.#known)) return
    this.#lastBeatMs = Number.NEGATIVE_INFINITY
    throw lost()
  }

  /** Refuses to continue when the lock may be another process's by now. */
  require(): void {
    if (this.#now() - this.#lastBeatMs >= LOCK_MS - MARGIN_MS) throw lost()
  }

  async release(): Promise<void> {
    this.#lastBeatMs = Number.NEGATIVE_INFINITY
    if (this.#known) await this.#notes.removeNoted(WORD, this.#known).catch(ignoreLost)
  }

  async #save(known: Noted<LockNote> | undefined): Promise<boolean> {
    const heartbeatAt = this.#now()
    const note = { owner: this.#owner, token: this.#token, heartbeatAt }
    const saved = await this.#notes.saveNoted(WORD, note, known)
    if (saved === undefined) return false
    this.#known = saved
    this.#lastBeatMs = heartbeatAt
    return true
  }
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException')
    throw error
}

function lost(): TransferError {
  return new TransferError(
    'The lock was lost: this process did not renew it in time, or another one took over.',
    { where: 'live copy', fix: 'run cutover copy again, on one machine only' },
  )
}
