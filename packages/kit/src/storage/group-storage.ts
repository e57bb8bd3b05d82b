import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Storage,
  type StorageKey,
  type StorageRange,
  type StorageSnapshot,
  type StorageTransaction,
  type StorageValue,
  type StorageVisitor,
  StoredItem,
} from 'singletable/engine'
import { assert } from './assert.ts'
import { Entries } from './entries.ts'
import { LargeValues } from './large-values.ts'
import { HELD_POINTS_MAX, type LmdbFile, type ReadPoint } from './lmdb-file.ts'
import { PendingWrites, REMOVED, visitThrough } from './pending-writes.ts'
import { storageClosed, storageFailed, tooManySnapshots } from './storage-errors.ts'

/** Transactions that share a commit, and what their callers get when it has ended. */
class Group {
  readonly writes: PendingWrites = new PendingWrites()
  readonly ends: { readonly succeed: () => void; readonly fail: (error: unknown) => void }[] = []
}

export interface GroupStorageParts {
  readonly file: LmdbFile
  /** Where it is, for messages. */
  readonly path: string
  /** What there is to do after the file was closed. */
  readonly afterClose?: () => Promise<void>
}

/** Larger commits are made on this thread, where they need no memory. */
const LISTED_WRITES_MAX = 100_000

/**
 * A storage whose transactions share commits: while one group is being written and flushed, the
 * next one gathers. Callbacks run when they are called, on top of what is not committed yet; reads
 * outside see only what has been acknowledged.
 */
export class GroupStorage implements Storage {
  readonly #file: LmdbFile
  readonly #path: string
  readonly #afterClose: () => Promise<void>
  readonly #entries: Entries
  /** The state that reads outside transactions see: what has been acknowledged. */
  #point: ReadPoint
  /** Takes the writes of transactions until its commit begins. */
  #gathering = new Group()
  #committing: Group | undefined
  /** Commits one group after the other while there are any. */
  #work: Promise<void> | undefined
  /** Transactions wait for the end of a restore. */
  #restoring: Promise<void> | undefined
  #failure: Error | undefined
  #closing: Promise<void> | undefined
  /** The state of the last snapshot, until the next commit. */
  #held: WeakRef<HeldPoint> | undefined
  #heldPoints = 0
  #inTransaction = false
  #visits = 0
  readonly #large = new LargeValues()
  // One object serves all transactions, as there is never more than one at a time.
  readonly #transaction: StorageTransaction = {
    get: (key) => this.#getPending(key),
    visit: (range, visitor) => this.#visitPending(range, visitor),
    put: (key, value) => {
      this.#requireWritable()
      this.#gathering.writes.set(key, value)
    },
    remove: (key) => {
      this.#requireWritable()
      this.#gathering.writes.set(key, REMOVED)
    },
    removeRange: (range) => {
      this.#requireWritable()
      this.#gathering.writes.removeRange(range)
    },
  }

  constructor({ file, path, afterClose = async () => {} }: GroupStorageParts) {
    this.#file = file
    this.#path = path
    this.#afterClose = afterClose
    this.#entries = new Entries(file, path)
    this.#point = file.readPoint()
  }

  get(key: StorageKey): StorageValue | undefined {
    this.#requireOpen('get')
    return this.#read(key)
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visiting(() => this.#entries.visit(range, this.#point, visitor))
  }

  transaction<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult> {
    try {
      this.#requireOpen('transaction')
      this.#requireOutside('A transaction')
    } catch (error) {
      return Promise.reject(error)
    }
    if (this.#restoring !== undefined) {
      return this.#restoring.then(() => this.transaction(callback))
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return this.#run(callback)
  }

  prepare(value: StorageValue): void {
    if (value instanceof StoredItem) value.keepJson()
  }

  snapshot(): StorageSnapshot {
    this.#requireOpen('snapshot')
    this.#requireOutside('A snapshot')
    return new GroupSnapshot(this, this.#hold())
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof GroupSnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    while (this.#restoring !== undefined) await this.#restoring
    this.#requireOpen('restore')
    const restoring = this.#restore(snapshot.held.point)
    this.#restoring = restoring.then(noResult, noResult)
    try {
      await restoring
    } finally {
      this.#restoring = undefined
    }
  }

  async close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing
    this.#requireOutside('Closing')
    this.#closing = this.#close()
    return this.#closing
  }

  /** The present state, kept for as long as a snapshot of it is reachable. Snapshots of one state
   * share it. */
  #hold(): HeldPoint {
    const known = this.#held?.deref()
    if (known !== undefined) return known
    if (this.#heldPoints >= HELD_POINTS_MAX) throw tooManySnapshots(this.#path, HELD_POINTS_MAX)
    const point = this.#file.readPoint()
    const held = { point }
    this.#heldPoints++
    this.#held = new WeakRef(held)
    FORGOTTEN.register(held, () => {
      this.#heldPoints--
      this.#release(point)
    })
    return held
  }

  /** What the callback of a transaction sees: also the writes of those before it that are not
   * committed yet. */
  #getPending(key: StorageKey): StorageValue | undefined {
    const pending = this.#gathering.writes.get(key) ?? this.#committing?.writes.get(key)
    if (pending === undefined) return this.#read(key)
    return pending === REMOVED ? undefined : pending
  }

  #read(key: StorageKey): StorageValue | undefined {
    const known = this.#large.get(key)
    if (known !== undefined) return known
    const value = this.#entries.get(key, this.#point)
    if (value instanceof StoredItem) this.#large.keep(key, value)
    return value
  }

  #visitPending(range: StorageRange, visitor: StorageVisitor): void {
    const layers = [this.#gathering.writes]
    if (this.#committing !== undefined) layers.unshift(this.#committing.writes)
    this.#visiting(() =>
      visitThrough(layers, range, visitor, (inner, each) =>
        this.#entries.visit(inner, this.#point, each),
      ),
    )
  }

  #visiting(visit: () => void): void {
    this.#visits++
    try {
      visit()
    } finally {
      this.#visits--
    }
  }

  #run<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult> {
    const group = this.#gathering
    let end: () => Promise<TResult>
    this.#inTransaction = true
    try {
      const result = callback(this.#transaction)
      end = () => Promise.resolve(result)
    } catch (error) {
      group.writes.takeBack()
      end = () => Promise.reject(error)
    } finally {
      this.#inTransaction = false
      group.writes.keep()
    }
    // With nothing on its way to the disk, the callback has seen and written nothing that could
    // still be lost.
    if (this.#work === undefined && group.writes.isEmpty) return end()
    const ended = new Promise<void>((succeed, fail) => group.ends.push({ succeed, fail })).then(end)
    this.#work ??= this.#commitGroups()
    return ended
  }

  async #commitGroups(): Promise<void> {
    // Requests that arrived together share the first commit as well.
    await nextTurn()
    while (this.#gathering.ends.length > 0) {
      const group = this.#gathering
      this.#committing = group
      this.#gathering = new Group()
      try {
        if (!group.writes.isEmpty) {
          await this.#commit(group.writes)
          this.#moveOn()
          this.#large.forget(group.writes)
        }
        this.#committing = undefined
        for (const { succeed } of group.ends) succeed()
      } catch (error) {
        this.#fail(error)
      }
    }
    this.#work = undefined
  }

  async #commit(pending: PendingWrites): Promise<void> {
    const writes = await inTurns(this.#entries.list(pending, this.#point, LISTED_WRITES_MAX))
    if (writes !== undefined) return this.#file.commit(writes)
    this.#file.commitLarge((write) => {
      const steps = this.#entries.write(pending, this.#point, (each) => {
        write(each)
        return true
      })
      while (steps.next().done !== true);
    })
  }

  /** Lets readers see what has been committed. */
  #moveOn(): void {
    const before = this.#point
    this.#point = this.#file.readPoint()
    this.#held = undefined
    this.#release(before)
  }

  /**
   * After a failed write it is not known what the disk holds, and a second attempt may succeed
   * without having written anything. So nothing is acknowledged any more until the storage is
   * opened again.
   */
  #fail(cause: unknown): void {
    this.#failure = storageFailed(this.#path, cause)
    const groups = [this.#committing, this.#gathering]
    this.#committing = undefined
    this.#gathering = new Group()
    for (const group of groups) {
      for (const { fail } of group?.ends ?? []) fail(this.#failure)
    }
  }

  async #restore(point: ReadPoint): Promise<void> {
    await this.#work
    if (this.#failure !== undefined) throw this.#failure
    try {
      this.#file.commitLarge((write) => this.#entries.writeDifference(this.#point, point, write))
      this.#moveOn()
      this.#large.clear()
    } catch (error) {
      this.#fail(error)
      throw this.#failure
    }
  }

  async #close(): Promise<void> {
    await this.#restoring
    await this.#work
    await this.#file.close()
    await this.#afterClose()
  }

  #release(point: ReadPoint): void {
    // A closed file has released everything.
    if (this.#closing === undefined) this.#file.release(point)
  }

  #requireOpen(call: string): void {
    if (this.#closing !== undefined) throw storageClosed(this.#path, call)
  }

  #requireOutside(what: string): void {
    assert(!this.#inTransaction, `${what} cannot be started inside the callback of a transaction.`)
    assert(this.#visits === 0, `${what} cannot be started inside a visitor.`)
  }

  #requireWritable(): void {
    assert(this.#inTransaction, 'A transaction cannot be used after its callback has returned.')
    assert(this.#visits === 0, 'Nothing is written during a visit: collect first, then write.')
  }
}

/** Steps that take longer let others have a turn. */
const TURN_MS = 5

/** Runs the steps to their end; at once, if they take no longer than others may wait. */
function inTurns<T>(steps: Generator<void, T>): T | Promise<T> {
  const start = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - start > TURN_MS) return nextTurn().then(() => inTurns(steps))
  }
}

class GroupSnapshot implements StorageSnapshot {
  readonly storageSnapshot = true as const
  readonly storage: GroupStorage
  readonly held: HeldPoint

  constructor(storage: GroupStorage, held: HeldPoint) {
    this.storage = storage
    this.held = held
  }
}

/** A state of the file that snapshots keep. */
interface HeldPoint {
  readonly point: ReadPoint
}

/** States whose snapshots have all been collected are given free, so that LMDB can use their pages
 * again. */
const FORGOTTEN = new FinalizationRegistry<() => void>((release) => release())

function noResult(): void {}
