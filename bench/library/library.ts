import type { Canned } from './canned.ts'
import { CHANGES, POSTS, type Post, type PostChanges, type PostKey } from './model.ts'
import type { Operation, Setting } from './operations.ts'

/**
 * A library under measurement. Calls mean the same everywhere: put replaces, update needs the item
 * to exist and returns nothing, a query asks for one page of one user's posts.
 */
export interface Library {
  get(key: PostKey): Promise<unknown>
  put(post: Post): Promise<unknown>
  update(key: PostKey, changes: PostChanges): Promise<unknown>
  query(username: string, limit: number): Promise<unknown>
  batchWrite(posts: readonly Post[]): Promise<unknown>
  transactWrite(posts: readonly Post[]): Promise<unknown>
  /** Where the results of `get` and `query` have the posts; not measured. */
  itemFrom(result: unknown): unknown
  itemsFrom(result: unknown): readonly unknown[]
  /** Where the result of `query` says where to continue; not measured. */
  cursorFrom(result: unknown): unknown
}

export type CreateLibrary = (setting: Setting, canned: Canned) => Library

/** The call of an operation with the number of a turn; each turn has other values. */
export function callOf(library: Library, operation: Operation): (turn: number) => Promise<unknown> {
  const keys = POSTS.map(({ username, postId }) => ({ username, postId }))
  const batches = slices(25)
  const transactions = slices(5)
  switch (operation) {
    case 'get':
      return (turn) => library.get(at(keys, turn))
    case 'put':
      return (turn) => library.put(at(POSTS, turn))
    case 'update':
      return (turn) => library.update(at(keys, turn), at(CHANGES, turn))
    case 'query 25':
      return (turn) => library.query(at(keys, turn).username, 25)
    case 'query 100':
      return (turn) => library.query(at(keys, turn).username, 100)
    case 'batchWrite 25':
      return (turn) => library.batchWrite(at(batches, turn))
    case 'transactWrite 5':
      return (turn) => library.transactWrite(at(transactions, turn))
  }
}

function slices(size: number): Post[][] {
  return Array.from({ length: POSTS.length / size }, (_, number) =>
    POSTS.slice(number * size, (number + 1) * size),
  )
}

function at<T>(values: readonly T[], turn: number): T {
  const value = values[turn % values.length]
  if (value === undefined) throw new Error('nothing to call with')
  return value
}
