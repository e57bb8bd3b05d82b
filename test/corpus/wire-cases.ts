import { expect } from 'vitest'
import { type CorpusCase, KEY, refused, row, type Setup, unreadable } from './corpus-case.ts'

const UNKNOWN_OPERATION = { __type: 'com.amazon.coral.service#UnknownOperationException' }
const UNREADABLE = { __type: 'com.amazon.coral.service#SerializationException' }
const LIST_TABLES = 'DynamoDB_20120810.ListTables'

const unknownTarget = (id: string, name: string, target: string | undefined): CorpusCase =>
  row(id, name, async ({ post }) => {
    expect(await post(target, '{}')).toEqual({ statusCode: 400, body: UNKNOWN_OPERATION })
  })

const unreadableBody = (id: string, name: string, body: string): CorpusCase =>
  row(id, name, async ({ post }) => {
    const answer = await post(LIST_TABLES, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toMatchObject(UNREADABLE)
  })

/** Lists within lists, that many levels deep, at the place of a table's name. */
const deepLists = (depth: number): string =>
  `{"TableName":${'['.repeat(depth)}${']'.repeat(depth)}}`
/** The same inside an attribute value. */
const deepValue = (depth: number): string =>
  `{"TableName":"table","Item":{"a":${'{"L":['.repeat(depth)}${']}'.repeat(depth)}}}`

const reportsDepth =
  (target: string, body: string, types: readonly string[]) =>
  async ({ post }: Setup): Promise<void> => {
    const answer = await post(target, body)
    expect(answer.statusCode).toBe(400)
    expect(types).toContain(answer.body.__type)
  }

/** Names of operations, and bodies that are not what an operation expects. */
export const wireCases: readonly CorpusCase[] = [
  unknownTarget('W4', 'a request without target names no operation', undefined),
  unknownTarget('W5', 'an older version of the service is not served', 'DynamoDB_20111205.GetItem'),
  unknownTarget('W5', 'a service that never was is not served', 'Nonsense_20120810.GetItem'),
  unknownTarget('W5', 'a target without service is not served', 'ListTables'),
  unknownTarget(
    'W5',
    'an operation of tables is not served as one of streams',
    'DynamoDBStreams_20120810.ListTables',
  ),
  unknownTarget('W6', 'operations are named to the letter', 'DynamoDB_20120810.getitem'),
  unknownTarget('W7', 'a blank after the name makes it another one', 'DynamoDB_20120810.GetItem '),
  refused('W6', 'operations are named to the letter in process too', 'getitem', {}, [
    'UnknownOperationException',
    '',
  ]),
  refused('W6', 'members every object inherits are not operations', 'constructor', {}, [
    'UnknownOperationException',
    '',
  ]),

  unreadableBody('W12', 'an empty body is unreadable', ''),
  unreadableBody('W13', 'null is not a request', 'null'),
  unreadableBody('W14', 'a list is not a request', '[]'),
  unreadableBody('W15', 'a string is not a request', '"x"'),
  unreadableBody('W16', 'half a request is unreadable', '{"Limit": 1'),
  unreadableBody('W17', 'JSON has no trailing commas', '{"Limit": 1,}'),
  refused('W13', 'null is not a request in process', 'ListTables', null, unreadable('')),
  refused(
    'W14',
    'a list is not a request in process',
    'ListTables',
    [],
    unreadable('Start of structure or map found where not expected'),
  ),
  refused('W15', 'a string is not a request in process', 'ListTables', 'x', unreadable('')),
  refused('W12', 'undefined is not a request in process', 'ListTables', undefined, unreadable('')),

  row(
    'W32',
    '100000 lists within lists are refused without a crash',
    reportsDepth('DynamoDB_20120810.GetItem', deepLists(100_000), [UNREADABLE.__type]),
  ),
  row(
    'W32',
    '100000 attribute values within each other are refused without a crash',
    reportsDepth('DynamoDB_20120810.PutItem', deepValue(100_000), [
      UNREADABLE.__type,
      'com.amazon.coral.validate#ValidationException',
    ]),
  ),
  row('W32', '100000 levels in a member nobody reads do no harm', async ({ post }) => {
    const body = `{"Nonsense":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await post(LIST_TABLES, body)).statusCode).toBe(200)
  }),
  row('W33', 'of two members with one name the last is heard', async ({ post }) => {
    const answer = await post(
      'DynamoDB_20120810.DescribeTable',
      '{"TableName":"nowhere","TableName":"hash"}',
    )
    expect(answer.body.Table.TableName).toBe('hash')
  }),
  row('W34', 'an attribute name of 10 MB is refused', async ({ refuses }) => {
    const Item = { ...KEY, ['n'.repeat(10 * 1024 * 1024)]: { S: 'x' } }
    await refuses('PutItem', { TableName: 'table', Item }, [
      'ValidationException',
      'Item size has exceeded the maximum allowed size',
    ])
  }),
  row('W34', 'a member nobody knows may have a name of 10 MB', async ({ send }) => {
    await send('ListTables', { ['n'.repeat(10 * 1024 * 1024)]: 1 })
  }),
  row('W35', 'members nobody knows are ignored', async ({ send }) => {
    const { TableNames } = await send('ListTables', { Nonsense: { deeper: [1] }, Limit: 1 })
    expect(TableNames).toEqual(['binaries'])
  }),
]
