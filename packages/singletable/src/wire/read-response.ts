/** Operations that answer with an empty body, as AWS's reference says of these alone. */
const EMPTY_ANSWERS: ReadonlySet<string> = new Set(['TagResource', 'UntagResource'])

/** What every answer to these operations has. */
const ALWAYS: { readonly [operation: string]: string } = {
  Query: 'Count',
  Scan: 'Count',
  BatchGetItem: 'Responses',
  TransactGetItems: 'Responses',
}

/** Answers to these operations have nothing else; they may have none of it. */
const MEMBERS: readonly string[] = [
  'Item',
  'Attributes',
  'ConsumedCapacity',
  'ItemCollectionMetrics',
  'UnprocessedItems',
]
const ON_ITEMS: ReadonlySet<string> = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
])

/**
 * The response in the text of a successful answer; throws if it is none. An empty answer, and one
 * with other members than DynamoDB's, comes from something on the way: of a read it would say that
 * there is nothing, of a write that all is well.
 */
export function readResponse(operation: string, text: string): object {
  if (text === '' && EMPTY_ANSWERS.has(operation)) return {}
  if (text === '') throw new SyntaxError('The answer is empty.')
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError('The answer is not a JSON object.')
  }
  const always = ALWAYS[operation]
  if (always === undefined ? isForeign(operation, parsed) : !(always in parsed)) {
    throw new SyntaxError(`The answer is not one to ${operation}.`)
  }
  return parsed
}

function isForeign(operation: string, answer: object): boolean {
  if (!ON_ITEMS.has(operation)) return false
  let isEmpty = true
  for (const member in answer) {
    if (MEMBERS.includes(member)) return false
    isEmpty = false
  }
  return !isEmpty
}
