import { isDeepStrictEqual } from 'node:util'
import type { Canned } from './canned.ts'
import { callOf, type Library } from './library.ts'
import { CHANGES, POSTS, postKey, statusKey, userKey } from './model.ts'
import type { Operation } from './operations.ts'

/**
 * Makes one call and looks at what was sent and what came back. Figures of a call that failed,
 * found nothing or forgot the keys of the index would be worthless.
 */
export async function checkOperation(
  library: Library,
  canned: Canned,
  operation: Operation,
): Promise<void> {
  const requests: string[] = []
  canned.observe = (request) => requests.push(request)
  canned.queryItems = operation === 'query 100' ? 100 : 25
  const result = await callOf(library, operation)(0)
  canned.observe = undefined
  if (requests.length !== 1) throw new Error(`${operation}: ${requests.length} requests, not 1`)
  checkRequest(operation, first(requests))
  if (operation === 'get') checkPosts(operation, [library.itemFrom(result)], 1)
  if (operation === 'query 25' || operation === 'query 100') {
    checkPosts(operation, library.itemsFrom(result), canned.queryItems)
    if (!library.cursorFrom(result)) throw new Error(`${operation}: nothing says where to continue`)
  }
}

const { username, postId, status } = first(POSTS)
const KEYS = [userKey(username), postKey(postId)]
const SENT: Readonly<Record<Operation, readonly string[]>> = {
  get: KEYS,
  put: [...KEYS, statusKey(status), '"gsi1sk"'],
  update: [...KEYS, statusKey(first(CHANGES).status), 'attribute_exists'],
  'query 25': [userKey(username), '"POST#"', '"Limit":25'],
  'query 100': [userKey(username), '"POST#"', '"Limit":100'],
  'batchWrite 25': [...KEYS, statusKey(status)],
  'transactWrite 5': [...KEYS, statusKey(status)],
}
const ITEMS_SENT: Partial<Record<Operation, number>> = {
  put: 1,
  'batchWrite 25': 25,
  'transactWrite 5': 5,
}

function checkRequest(operation: Operation, request: string): void {
  for (const part of SENT[operation]) {
    if (!request.includes(part)) throw new Error(`${operation}: no ${part} in ${request}`)
  }
  const expected = ITEMS_SENT[operation]
  const count = request.split('"gsi1pk":').length - 1
  if (expected !== undefined && count !== expected) {
    throw new Error(`${operation}: ${count} items sent instead of ${expected}`)
  }
}

function checkPosts(operation: Operation, items: readonly unknown[], count: number): void {
  if (items.length !== count) {
    throw new Error(`${operation}: ${items.length} items instead of ${count}`)
  }
  items.forEach((item, number) => {
    for (const [name, value] of Object.entries(POSTS[number] ?? {})) {
      const actual = Reflect.get(Object(item), name)
      if (!isDeepStrictEqual(actual, value)) {
        throw new Error(`${operation}: ${name} of item ${number} is ${JSON.stringify(actual)}`)
      }
    }
  })
}

function first<T>(values: readonly T[]): T {
  const [value] = values
  if (value === undefined) throw new Error('no values')
  return value
}
