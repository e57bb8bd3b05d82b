import { ServiceError } from 'singletable/engine'
import { expect } from 'vitest'
import {
  type CorpusCase,
  createSetup,
  invalid,
  keySchema,
  type Refusal,
  refused,
  row,
  type Setup,
  tableDefinition,
  wrongValues,
} from './corpus-case.ts'

const constraint = (value: string, path: string, rule: string): Refusal =>
  invalid(
    `1 validation error detected: Value ${value} at '${path}' failed to satisfy constraint: ${rule}`,
  )
const simple = (name: unknown, members: object = {}) =>
  tableDefinition(name, { pk: 'S' }, keySchema(['pk']), members)
const create = (id: string, name: string, definition: object, refusal: Refusal): CorpusCase =>
  refused(id, name, 'CreateTable', definition, refusal)
const createsTables = (id: string, name: string, ...tables: string[]): CorpusCase =>
  row(id, name, async ({ send }) => {
    for (const table of tables) await send('CreateTable', simple(table))
    for (const table of tables) {
      await send('PutItem', { TableName: table, Item: { pk: { S: table } } })
    }
    for (const table of tables) {
      expect((await send('Scan', { TableName: table })).Items).toEqual([{ pk: { S: table } }])
    }
  })

const timeToLive = (Enabled: boolean, AttributeName = 'ttl') => ({
  TableName: 'hash',
  TimeToLiveSpecification: { Enabled, AttributeName },
})
const putExpiring = ({ send }: Setup, pk: string, ttl: object) =>
  send('PutItem', { TableName: 'hash', Item: { pk: { S: pk }, ttl } })
const secondsFromNow = ({ environment }: Setup, seconds: number) => ({
  N: String(Math.floor(environment.now() / 1000) + seconds),
})
const keysLeft = async ({ send }: Setup): Promise<string[]> => {
  const { Items } = await send('Scan', { TableName: 'hash' })
  return Items.map((item: { pk: { S: string } }) => item.pk.S).toSorted()
}
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** A stream of the table `hash` with records in it, and the ways to read it. */
async function openStream({ send }: Setup, table = 'hash') {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }
  await send('UpdateTable', { TableName: table, StreamSpecification })
  for (const pk of ['a', 'b']) await send('PutItem', { TableName: table, Item: { pk: { S: pk } } })
  const { Table } = await send('DescribeTable', { TableName: table })
  const StreamArn = Table.LatestStreamArn
  const { StreamDescription } = await send('DescribeStream', { StreamArn })
  const ShardId = StreamDescription.Shards[0].ShardId
  return {
    StreamArn,
    ShardId,
    async iterator(members: object = {}) {
      const type = { ShardIteratorType: 'TRIM_HORIZON' }
      const answer = await send('GetShardIterator', { StreamArn, ShardId, ...type, ...members })
      return answer.ShardIterator
    },
  }
}

/** Tables, tags, time to live and streams. */
export const controlCases: readonly CorpusCase[] = [
  create(
    'C1',
    'a table name of 2 characters is too short',
    simple('ab'),
    constraint("'ab'", 'tableName', 'Member must have length greater than or equal to 3'),
  ),
  create(
    'C2',
    'a table name of 256 characters is too long',
    simple('x'.repeat(256)),
    constraint(
      `'${'x'.repeat(256)}'`,
      'tableName',
      'Member must have length less than or equal to 255',
    ),
  ),
  create(
    'C3',
    'a table name has no blanks',
    simple('a b'),
    constraint(
      "'a b'",
      'tableName',
      'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    ),
  ),
  createsTables('C4', 'dots are a table name', '...'),
  createsTables('C5', 'names of devices are table names', 'CON', 'nul.txt'),
  createsTables('C6', 'table names are taken to the letter', 'Users', 'users'),
  create('C7', 'a table is created once', simple('hash'), [
    'ResourceInUseException',
    'Table already exists: hash',
  ]),
  create(
    'C8',
    'attributes are defined for keys alone',
    tableDefinition('new', { pk: 'S', v: 'S' }, keySchema(['pk'])),
    wrongValues(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    ),
  ),
  create(
    'C9',
    'a key attribute is defined',
    tableDefinition('new', { v: 'S' }, keySchema(['pk'])),
    wrongValues(
      'Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [v]',
    ),
  ),
  create(
    'C10',
    'the two keys are two attributes',
    tableDefinition('new', { pk: 'S', v: 'S' }, keySchema(['pk'], ['pk'])),
    invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name'),
  ),
  ...['BOOL', 'SS'].map((type) =>
    create(
      'C11',
      `a key is not of type ${type}`,
      tableDefinition('new', { pk: type }, keySchema(['pk'])),
      constraint(
        `'${type}'`,
        'attributeDefinitions.1.member.attributeType',
        'Member must satisfy enum value set: [B, N, S]',
      ),
    ),
  ),
  create(
    'C12',
    'a table on demand has no throughput',
    simple('new', { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }),
    wrongValues(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    ),
  ),
  create(
    'C13',
    'a billing mode is one of two',
    simple('new', { BillingMode: 'FREE' }),
    constraint(
      "'FREE'",
      'billingMode',
      'Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]',
    ),
  ),
  row('C14', 'a table is not deleted while it is created', async ({ environment }) => {
    const setup = await createSetup(environment, { transitionMs: 1000 })
    await setup.send('CreateTable', simple('new'))
    await setup.refuses('DeleteTable', { TableName: 'new' }, [
      'ResourceInUseException',
      'Attempt to change a resource which is still in use: Table is being created: new',
    ])
    await setup.engine.close()
  }),
  row('C15', 'a protected table is not deleted', async ({ send, refuses }) => {
    await send('CreateTable', simple('new', { DeletionProtectionEnabled: true }))
    await refuses(
      'DeleteTable',
      { TableName: 'new' },
      invalid(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      ),
    )
  }),
  row('C16', 'the time to live is enabled once', async ({ send, refuses }) => {
    await send('UpdateTimeToLive', timeToLive(true))
    await refuses('UpdateTimeToLive', timeToLive(true), invalid('TimeToLive is already enabled'))
  }),
  refused(
    'C17',
    'the name of the expiring attribute is not longer than 255 characters',
    'UpdateTimeToLive',
    timeToLive(true, 'x'.repeat(256)),
    constraint(
      `'${'x'.repeat(256)}'`,
      'timeToLiveSpecification.attributeName',
      'Member must have length less than or equal to 255',
    ),
  ),
  row('C18', 'what is not a time in seconds never expires', async (setup) => {
    await setup.send('UpdateTimeToLive', timeToLive(true))
    const due = secondsFromNow(setup, -10)
    await putExpiring(setup, 'due', due)
    await putExpiring(setup, 'string', { S: due.N })
    await putExpiring(setup, 'milliseconds', { N: `${due.N}000` })
    await putExpiring(setup, 'negative', { N: '-1' })
    await putExpiring(setup, 'old', secondsFromNow(setup, -6 * YEAR_SECONDS))
    await setup.environment.advance(60_000)
    await setup.engine.sweepExpired()
    expect(await keysLeft(setup)).toEqual(['milliseconds', 'negative', 'old', 'string'])
  }),
  row('C19', 'an item renewed just before the sweep is kept', async (setup) => {
    await setup.send('UpdateTimeToLive', timeToLive(true))
    await putExpiring(setup, 'renewed', secondsFromNow(setup, 10))
    await putExpiring(setup, 'due', secondsFromNow(setup, 10))
    setup.environment.jump(setup.environment.now() + 20_000)
    const renewal = putExpiring(setup, 'renewed', secondsFromNow(setup, 1000))
    await Promise.all([renewal, setup.engine.sweepExpired()])
    expect(await keysLeft(setup)).toEqual(['renewed'])
  }),
  row('C20', 'a table has 50 tags and no more', async ({ send, refuses }) => {
    const { Table } = await send('DescribeTable', { TableName: 'hash' })
    const tags = (count: number) => ({
      ResourceArn: Table.TableArn,
      Tags: Array.from({ length: count }, (_, index) => ({ Key: `key${index}`, Value: 'x' })),
    })
    await refuses('TagResource', tags(51), [
      'ValidationException',
      'Number of Tags exceed the current limit for the provided ResourceArn',
    ])
    await send('TagResource', tags(50))
  }),
  refused(
    'C21',
    'a resource is named by an ARN',
    'TagResource',
    { ResourceArn: 'nonsense', Tags: [{ Key: 'a', Value: 'b' }] },
    invalid(/ARNs must start with 'arn:'/),
  ),
  refused(
    'C21',
    'an ARN names a table',
    'ListTagsOfResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:nonsense' },
    invalid(
      'Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:us-east-1:000000000000:nonsense',
    ),
  ),
  refused(
    'C21',
    'a stream has an ARN',
    'DescribeStream',
    { StreamArn: 'x'.repeat(40) },
    invalid('Invalid StreamArn'),
  ),
  row('C22', 'a stream does not change what it shows', async (setup) => {
    await openStream(setup)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' }
    await setup.refuses('UpdateTable', { TableName: 'hash', StreamSpecification }, [
      'ValidationException',
      'Table already has an enabled stream: TableName: hash',
    ])
  }),
  refused(
    'C23',
    'nonsense is not an iterator',
    'GetRecords',
    { ShardIterator: 'nonsense' },
    invalid('Invalid ShardIterator'),
  ),
  row('C23', 'a shard is looked for in its own stream', async (setup) => {
    const { ShardId } = await openStream(setup, 'hash')
    await setup.send('CreateTable', simple('other'))
    const { StreamArn } = await openStream(setup, 'other')
    await setup.refuses(
      'GetShardIterator',
      { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' },
      ['ResourceNotFoundException', 'Requested resource not found: Shard does not exist'],
    )
  }),
  row(
    'C23',
    'an iterator with one character changed is refused or read, and breaks nothing',
    async (setup) => {
      const stream = await openStream(setup)
      const iterator = await stream.iterator()
      for (let index = 0; index < iterator.length; index++) {
        const letter = iterator[index] === 'A' ? 'B' : 'A'
        const ShardIterator = iterator.slice(0, index) + letter + iterator.slice(index + 1)
        try {
          await setup.send('GetRecords', { ShardIterator })
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
        }
      }
    },
  ),
  row('C24', 'an iterator is good for 15 minutes', async (setup) => {
    const stream = await openStream(setup)
    const ShardIterator = await stream.iterator()
    await setup.environment.advance(15 * 60 * 1000 + 1)
    await setup.refuses('GetRecords', { ShardIterator }, [
      'ExpiredIteratorException',
      'Shard iterator has expired',
    ])
  }),
  row('C25', 'records are kept for a day', async (setup) => {
    const stream = await openStream(setup)
    const { Records } = await setup.send('GetRecords', { ShardIterator: await stream.iterator() })
    await setup.environment.advance(25 * 60 * 60 * 1000)
    await setup.send('PutItem', { TableName: 'hash', Item: { pk: { S: 'c' } } })
    await expect(
      stream.iterator({
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
        SequenceNumber: Records[0].dynamodb.SequenceNumber,
      }),
    ).rejects.toMatchObject({ name: 'TrimmedDataAccessException' })
  }),
  row('C26', 'records are read by the thousand and no more', async (setup) => {
    const stream = await openStream(setup)
    await setup.refuses(
      'GetRecords',
      { ShardIterator: await stream.iterator(), Limit: 1001 },
      constraint("'1001'", 'limit', 'Member must have value less than or equal to 1000'),
    )
  }),
  refused('C27', 'an operation that is not offered is refused by name', 'ImportTable', {}, [
    'UnknownOperationException',
    'The operation ImportTable is not supported by this engine.',
  ]),
  row('C28', 'a clock that jumps back expires nothing early', async (setup) => {
    await setup.send('UpdateTimeToLive', timeToLive(true))
    await putExpiring(setup, 'later', secondsFromNow(setup, 3600))
    setup.environment.jump(setup.environment.now() - 7200_000)
    await setup.engine.sweepExpired()
    await setup.environment.advance(7200_000)
    await setup.engine.sweepExpired()
    expect(await keysLeft(setup)).toEqual(['later'])
    await setup.environment.advance(3601_000)
    await setup.engine.sweepExpired()
    expect(await keysLeft(setup)).toEqual([])
  }),
]
