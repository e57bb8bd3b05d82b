import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GroupStorage } from './group-storage.ts'
import { type LmdbFile, openLmdbFile, type PhysicalWrite } from './lmdb-file.ts'

let folder: string
let storage: Storage
/** The commits of the file that have started; each waits until it is let go. */
let commits: { readonly writes: readonly PhysicalWrite[]; readonly go: () => void }[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'singletable-group-'))
  commits = []
  const file = openLmdbFile(join(folder, 'data.mdb'), { acknowledgeBeforeFlush: false })
  const held: LmdbFile = {
    ...file,
    commit: (writes) =>
      new Promise((resolve, reject) => {
        let gone = false
        const go = () => {
          if (!gone) void file.commit(writes).then(resolve, reject)
          gone = true
        }
        commits.push({ writes, go })
      }),
  }
  storage = new GroupStorage({ file: held, path: folder })
})
afterEach(async () => {
  for (const { go } of commits) go()
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const commitsStarted = (count: number) => expect.poll(() => commits.length).toBe(count)
const put = (key: string, n: number) =>
  storage.transaction((transaction) => transaction.put(key, { n }))

test('transactions that come while a commit is under way share the next one', async () => {
  const first = put('a', 1)
  await commitsStarted(1)
  const others = [put('b', 2), put('c', 3), put('b', 4)]
  commits[0]!.go()
  await first
  await commitsStarted(2)
  commits[1]!.go()
  await Promise.all(others)
  expect(commits.map(({ writes }) => writes.length)).toEqual([1, 2])
})

test('a write is seen by later transactions at once, and by reads only when it is acknowledged', async () => {
  const first = put('a', 1)
  expect(storage.get('a')).toBeUndefined()
  const second = storage.transaction((transaction) => {
    expect(transaction.get('a')).toEqual({ n: 1 })
    transaction.put('a', { n: 2 })
  })
  await commitsStarted(1)
  expect(storage.get('a')).toBeUndefined()
  const third = storage.transaction((transaction) => transaction.get('a'))
  commits[0]!.go()
  await Promise.all([first, second])
  expect(storage.get('a')).toEqual({ n: 2 })
  expect(await third).toEqual({ n: 2 })
})

test('a transaction sees what is committed, what is being committed and what is gathering as one', async () => {
  const first = Promise.all(['a', 'c', 'e', 'g'].map((key) => put(key, 0)))
  await commitsStarted(1)
  commits[0]!.go()
  await first
  const second = storage.transaction((transaction) => {
    transaction.put('b', { n: 1 })
    transaction.remove('c')
    transaction.removeRange({ start: 'e', end: 'f' })
    transaction.put('ee', { n: 1 })
  })
  await commitsStarted(2)
  const seen = storage.transaction((transaction) => {
    transaction.put('c', { n: 2 })
    transaction.removeRange({ start: 'ee', end: 'h' })
    transaction.put('f', { n: 2 })
    return [false, true].map((reverse) => {
      const keys: string[] = []
      transaction.visit({ start: 'a', end: 'z', reverse }, (key) => keys.push(key) > 0)
      return keys.join('')
    })
  })
  commits[1]!.go()
  await second
  await commitsStarted(3)
  commits[2]!.go()
  expect(await seen).toEqual(['abcf', 'fcba'])
  const after: string[] = []
  storage.visit({ start: 'a', end: 'z' }, (key) => after.push(key) > 0)
  expect(after.join('')).toBe('abcf')
})

test('the error of a callback is thrown only when the writes it has seen are safe', async () => {
  const first = put('a', 1)
  const ended: string[] = []
  const thrown = storage
    .transaction((transaction) => {
      throw new Error(`a is ${JSON.stringify(transaction.get('a'))}`)
    })
    .catch((error: Error) => ended.push(error.message))
  await commitsStarted(1)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(ended).toEqual([])
  commits[0]!.go()
  await Promise.all([first, thrown])
  expect(ended).toEqual(['a is {"n":1}'])
})

test('a transaction that only reads, with nothing under way, needs no commit', async () => {
  expect(await storage.transaction((transaction) => transaction.get('a'))).toBeUndefined()
  await expect(
    storage.transaction(() => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(commits).toEqual([])
})

test('closing waits for the writes that are under way', async () => {
  const first = put('a', 1)
  let closed = false
  const closing = storage.close().then(() => {
    closed = true
  })
  await commitsStarted(1)
  expect(closed).toBe(false)
  await expect(put('b', 2)).rejects.toThrow('STORAGE_CLOSED')
  commits[0]!.go()
  await Promise.all([first, closing])
})

test('a transaction called during a restore runs after it', async () => {
  const snapshot = storage.snapshot()
  const first = put('a', 1)
  await commitsStarted(1)
  const restored = storage.restore(snapshot)
  const after = storage.transaction((transaction) => transaction.get('a'))
  commits[0]!.go()
  await Promise.all([first, restored])
  expect(await after).toBeUndefined()
})
