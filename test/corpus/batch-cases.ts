import { expect } from 'vitest'
import { type CorpusCase, invalid, KEY, refused, row, type Setup } from './corpus-case.ts'

const putRequest = (pk: string) => ({ PutRequest: { Item: { pk: { S: pk } } } })
const deleteRequest = (pk: string) => ({ DeleteRequest: { Key: { pk: { S: pk } } } })
const times = <TResult>(count: number, make: (index: number) => TResult): TResult[] =>
  Array.from({ length: count }, (_, index) => make(index))
const write = (...requests: object[]) => ({ RequestItems: { hash: requests } })
const read = (...keys: string[]) => ({
  RequestItems: { hash: { Keys: keys.map((pk) => ({ pk: { S: pk } })) } },
})
const transact = (...TransactItems: object[]) => ({ TransactItems })
const put = (pk: string, members: object = {}) => ({
  Put: { TableName: 'hash', Item: { pk: { S: pk } }, ...members },
})
const add = (pk: string) => ({
  Update: {
    TableName: 'hash',
    Key: { pk: { S: pk } },
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
})
const mustExist = { ConditionExpression: 'attribute_exists(pk)' }
const canceled = (codes: string) =>
  [
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
  ] as const

/** AWS says it of no request as well as of two. */
const NOT_ONE_REQUEST = invalid(
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
)
const DUPLICATES = invalid('Provided list of item keys contains duplicates')
const SAME_ITEM = invalid('Transaction request cannot include multiple operations on one item')
const NOT_FOUND = ['ResourceNotFoundException', 'Requested resource not found'] as const

const count = async ({ send }: Setup): Promise<number> =>
  (await send('Scan', { TableName: 'hash' })).Count
const counter = async ({ send }: Setup): Promise<string | undefined> =>
  (await send('GetItem', { TableName: 'hash', Key: { pk: { S: 'a' } } })).Item?.n.N

/** Batches and transactions. */
export const batchCases: readonly CorpusCase[] = [
  refused(
    'T-1',
    'a batch writes 25 items and no more',
    'BatchWriteItem',
    write(...times(26, (index) => putRequest(`${index}`))),
    invalid(
      /^1 validation error detected: Value '\{hash=\[.*\]\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/,
    ),
  ),
  refused(
    'T-2',
    'a batch writes some items',
    'BatchWriteItem',
    write(),
    invalid(
      "1 validation error detected: Value '{hash=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
    ),
  ),
  refused(
    'T-2',
    'a batch writes to some tables',
    'BatchWriteItem',
    { RequestItems: {} },
    invalid('The requestItems parameter is required for BatchWriteItem'),
  ),
  refused(
    'T-3',
    'a batch writes an item once',
    'BatchWriteItem',
    write(putRequest('a'), putRequest('a')),
    DUPLICATES,
  ),
  refused(
    'T-3',
    'a batch does not both write and delete an item',
    'BatchWriteItem',
    write(putRequest('a'), deleteRequest('a')),
    DUPLICATES,
  ),
  refused(
    'T-4',
    'two ways to write a number are one key in a batch',
    'BatchWriteItem',
    {
      RequestItems: { numbers: ['1', '1.0'].map((N) => ({ PutRequest: { Item: { pk: { N } } } })) },
    },
    DUPLICATES,
  ),
  refused(
    'T-5',
    'a request of a batch does one thing',
    'BatchWriteItem',
    write({ ...putRequest('a'), ...deleteRequest('b') }),
    NOT_ONE_REQUEST,
  ),
  refused(
    'T-6',
    'a request of a batch does something',
    'BatchWriteItem',
    write({}),
    NOT_ONE_REQUEST,
  ),
  row('T-7', 'a batch for a table that is missing writes nothing', async (setup) => {
    const RequestItems = { hash: [putRequest('a')], nowhere: [putRequest('a')] }
    await setup.refuses('BatchWriteItem', { RequestItems }, NOT_FOUND)
    expect(await count(setup)).toBe(0)
  }),
  refused(
    'T-8',
    'a batch reads 100 items and no more',
    'BatchGetItem',
    read(...times(101, (index) => `${index}`)),
    invalid(
      "1 validation error detected: Value at 'RequestItems.hash.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
    ),
  ),
  refused('T-9', 'a batch reads an item once', 'BatchGetItem', read('a', 'a'), DUPLICATES),
  refused(
    'T-9',
    'two ways to write a number are one key to read',
    'BatchGetItem',
    { RequestItems: { numbers: { Keys: [{ pk: { N: '1' } }, { pk: { N: '1.0' } }] } } },
    DUPLICATES,
  ),
  row('T-10', 'a batch gives 16 MB and leaves the rest for the next', async ({ send }) => {
    const keys = times(43, (index) => `${index}`)
    for (const pk of keys) {
      await send('PutItem', {
        TableName: 'hash',
        Item: { pk: { S: pk }, s: { S: 'x'.repeat(400_000) } },
      })
    }
    const { Responses, UnprocessedKeys } = await send('BatchGetItem', read(...keys))
    const rest = UnprocessedKeys.hash.Keys.length
    expect(rest).toBeGreaterThan(0)
    expect(Responses.hash.length + rest).toBe(43)
    expect(Responses.hash.length * 400_000).toBeLessThanOrEqual(16 * 1024 * 1024)
  }),
  refused(
    'T-11',
    'a transaction writes 100 items and no more',
    'TransactWriteItems',
    transact(...times(101, (index) => put(`${index}`))),
    invalid(
      /^1 validation error detected: Value '\[.*' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    ),
  ),
  refused(
    'T-12',
    'a transaction does something',
    'TransactWriteItems',
    transact(),
    invalid(
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ),
  ),
  refused(
    'T-13',
    'a transaction does one thing with an item',
    'TransactWriteItems',
    transact(put('a'), add('a')),
    SAME_ITEM,
  ),
  refused(
    'T-14',
    'an action does one thing',
    'TransactWriteItems',
    transact({ ...put('a'), ...add('b') }),
    invalid('TransactItems can only contain one of Check, Put, Update or Delete'),
  ),
  refused(
    'T-15',
    'a condition check has a condition',
    'TransactWriteItems',
    transact({ ConditionCheck: { TableName: 'hash', Key: { pk: { S: 'a' } } } }),
    invalid(
      "1 validation error detected: Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    ),
  ),
  refused(
    'T-16',
    'a transaction carries 4 MB and no more',
    'TransactWriteItems',
    transact(
      ...times(11, (index) =>
        put('', { Item: { pk: { S: `${index}` }, s: { S: 'x'.repeat(400_000) } } }),
      ),
    ),
    invalid(/size cannot exceed/),
  ),
  row('T-17', 'one false condition cancels the transaction', async (setup) => {
    const error = await setup.refuses(
      'TransactWriteItems',
      transact(put('a'), put('b', mustExist)),
      canceled('None, ConditionalCheckFailed'),
    )
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ])
    expect(await count(setup)).toBe(0)
  }),
  row('T-18', 'all false conditions are reported', async (setup) => {
    await setup.refuses(
      'TransactWriteItems',
      transact(put('a', mustExist), put('b'), put('c', mustExist), put('d', mustExist)),
      canceled('ConditionalCheckFailed, None, ConditionalCheckFailed, ConditionalCheckFailed'),
    )
    expect(await count(setup)).toBe(0)
  }),
  row('T-19', 'a transaction sent twice with its token runs once', async (setup) => {
    const request = { ...transact(add('a')), ClientRequestToken: 'token' }
    await setup.send('TransactWriteItems', request)
    await setup.send('TransactWriteItems', request)
    expect(await counter(setup)).toBe('1')
  }),
  row('T-20', 'a token stands for one transaction', async (setup) => {
    await setup.send('TransactWriteItems', { ...transact(add('a')), ClientRequestToken: 'token' })
    await setup.refuses(
      'TransactWriteItems',
      { ...transact(add('b')), ClientRequestToken: 'token' },
      [
        'IdempotentParameterMismatchException',
        /^The request uses the same client token as a previous, but non-identical request\./,
      ],
    )
    expect(await count(setup)).toBe(1)
  }),
  refused(
    'T-21',
    'a token of 37 characters is too long',
    'TransactWriteItems',
    { ...transact(add('a')), ClientRequestToken: 't'.repeat(37) },
    invalid(
      `1 validation error detected: Value '${'t'.repeat(37)}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36`,
    ),
  ),
  refused(
    'T-21',
    'a token is not empty',
    'TransactWriteItems',
    { ...transact(add('a')), ClientRequestToken: '' },
    invalid(
      "1 validation error detected: Value '' at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ),
  ),
  row('T-22', 'a transaction sent twice at once runs once', async (setup) => {
    const request = { ...transact(add('a')), ClientRequestToken: 'token' }
    const results = await Promise.allSettled(
      times(2, () => setup.send('TransactWriteItems', request)),
    )
    expect(await counter(setup)).toBe('1')
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason.name).toBe('TransactionInProgressException')
      }
    }
  }),
  row('T-23', 'a token is forgotten after ten minutes', async (setup) => {
    const request = { ...transact(add('a')), ClientRequestToken: 'token' }
    await setup.send('TransactWriteItems', request)
    await setup.environment.advance(10 * 60 * 1000 + 1)
    await setup.send('TransactWriteItems', request)
    expect(await counter(setup)).toBe('2')
  }),
  refused(
    'T-25',
    'an index is not written to',
    'TransactWriteItems',
    transact({ Put: { TableName: 'keys-only', Item: KEY } }),
    NOT_FOUND,
  ),
]
