import { itemOf, keyOf, POSTS } from './model.ts'

/** Ready responses, in the three forms in which a library can meet them. */
export interface Canned {
  /** How many items a query finds. */
  queryItems: 25 | 100
  /** Set while checking: gets each request as text. Not an object, because a library may change its
   * request later. */
  observe: ((request: string) => void) | undefined
  received(request: unknown): void
  /** Plain JavaScript values: what a DocumentClient resolves with. */
  plain(operation: string): object
  /** Attribute values: what a DynamoDBClient or a transport resolves with. */
  wire(operation: string): object
  /** What comes out of a socket. */
  bytes(operation: string): Uint8Array
}

export function createCanned(): Canned {
  const found = (count: number) => POSTS.slice(0, count).map(itemOf)
  const plain = responses((item) => item, found)
  const wire = responses(attributeValues, found)
  const bytes = new Map([...wire].map(([name, response]) => [name, bytesOf(response)]))
  const canned: Canned = {
    queryItems: 25,
    observe: undefined,
    received(request) {
      canned.observe?.(textOf(request))
    },
    plain: (operation) => pick(plain, operation),
    wire: (operation) => pick(wire, operation),
    bytes: (operation) => pick(bytes, operation),
  }
  function pick<T>(answers: ReadonlyMap<string, T>, operation: string): T {
    const answer = answers.get(operation === 'Query' ? `Query${canned.queryItems}` : operation)
    if (answer === undefined) throw new Error(`No response to ${operation} is ready`)
    return answer
  }
  return canned
}

function responses(
  encode: (item: Record<string, unknown>) => object,
  found: (count: number) => Record<string, unknown>[],
): Map<string, object> {
  const page = (count: number) => ({
    Items: found(count).map(encode),
    Count: count,
    ScannedCount: count,
    // There is more to read, as after most pages: what a library makes of it is part of the price
    // of a page.
    LastEvaluatedKey: encode(found(count).map(keyOf).at(-1) ?? {}),
  })
  const answers: [string, object][] = [
    ['GetItem', { Item: found(1).map(encode)[0] }],
    ['PutItem', {}],
    ['UpdateItem', {}],
    ['Query25', page(25)],
    ['Query100', page(100)],
    ['BatchWriteItem', { UnprocessedItems: {} }],
    ['TransactWriteItems', {}],
  ]
  // As JSON makes them, so that the objects have the shapes they would have coming from a service.
  return new Map(JSON.parse(JSON.stringify(answers)))
}

function attributeValues(values: object): Record<string, object> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, attributeValue(value)]),
  )
}

/** Only for the types that a post has. */
function attributeValue(value: unknown): object {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map(attributeValue) }
  return { M: attributeValues(Object(value)) }
}

function textOf(request: unknown): string {
  if (typeof request === 'string') return request
  if (request instanceof Uint8Array) return Buffer.from(request).toString()
  return JSON.stringify(request)
}

function bytesOf(response: object): Uint8Array {
  return Buffer.from(JSON.stringify(response))
}
