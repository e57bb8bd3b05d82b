import { expect } from 'vitest'
import {
  type CorpusCase,
  invalid,
  KEY,
  type Refusal,
  refused,
  row,
  type Setup,
  wrongValues,
} from './corpus-case.ts'

const partition = {
  TableName: 'table',
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
}
const query = (id: string, name: string, members: object, refusal: Refusal): CorpusCase =>
  refused(id, name, 'Query', { ...partition, ...members }, refusal)
const scan = (id: string, name: string, members: object, refusal: Refusal): CorpusCase =>
  refused(id, name, 'Scan', { TableName: 'table', ...members }, refusal)
const keyCondition = (
  id: string,
  name: string,
  KeyConditionExpression: string,
  ExpressionAttributeValues: object,
  refusal: Refusal,
): CorpusCase => query(id, name, { KeyConditionExpression, ExpressionAttributeValues }, refusal)

const START_KEY_INVALID = invalid('The provided starting key is invalid')
const SCAN_START_KEY_INVALID = invalid(
  'The provided starting key is invalid: The provided key element does not match the schema',
)

async function fill({ send }: Setup, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const Item = { pk: { S: `p${index}` }, sk: { S: '1' } }
    await send('PutItem', { TableName: 'table', Item })
  }
}

/** Query and Scan: conditions, combinations of parameters, places to continue from. */
export const queryCases: readonly CorpusCase[] = [
  refused(
    'Q1',
    'a query has a key condition',
    'Query',
    { TableName: 'table' },
    invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    ),
  ),
  keyCondition(
    'Q2',
    'a partition key is asked for by equality',
    'pk < :p',
    { ':p': { S: 'a' } },
    invalid('Query key condition not supported'),
  ),
  keyCondition(
    'Q3',
    'a key condition has no alternatives',
    'pk = :p OR pk = :q',
    { ':p': { S: 'a' }, ':q': { S: 'b' } },
    invalid('Invalid operator used in KeyConditionExpression: OR'),
  ),
  keyCondition(
    'Q4',
    'a sort key has one condition',
    'pk = :p AND sk > :p AND sk < :q',
    { ':p': { S: 'a' }, ':q': { S: 'b' } },
    invalid('KeyConditionExpressions must only contain one condition per key'),
  ),
  query(
    'Q5',
    'a filter does not mention the key',
    { FilterExpression: 'sk = :p' },
    invalid(
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk',
    ),
  ),
  keyCondition(
    'Q6',
    'a key is compared with its own type',
    'pk = :p',
    { ':p': { N: '1' } },
    wrongValues('Condition parameter type does not match schema type'),
  ),
  query(
    'Q7',
    'a query of nothing is not a query',
    { Limit: 0 },
    invalid(
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ),
  ),
  scan(
    'Q7',
    'a scan of nothing is not a scan',
    { Limit: 0 },
    invalid(
      "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ),
  ),
  query(
    'Q8',
    'a limit is not negative',
    { Limit: -1 },
    invalid(
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ),
  ),
  scan(
    'Q8',
    'a limit of a scan is not negative',
    { Limit: -1 },
    invalid(
      "1 validation error detected: Value '-1' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ),
  ),
  query(
    'Q9',
    'a global index is not read consistently',
    { IndexName: 'keys-only', KeyConditionExpression: 'g = :p', ConsistentRead: true },
    invalid('Consistent reads are not supported on global secondary indexes'),
  ),
  query(
    'Q10',
    'an index nobody made is not read',
    { IndexName: 'nowhere' },
    invalid('The table does not have the specified index: nowhere'),
  ),
  query(
    'Q11',
    'a count has no projection',
    { Select: 'COUNT', ProjectionExpression: 'v' },
    invalid('Cannot specify the ProjectionExpression when choosing to get only the Count'),
  ),
  query(
    'Q12',
    'a global index of keys does not give all attributes',
    { IndexName: 'keys-only', KeyConditionExpression: 'g = :p', Select: 'ALL_ATTRIBUTES' },
    wrongValues(
      'Select type ALL_ATTRIBUTES is not supported for global secondary index keys-only because its projection type is not ALL',
    ),
  ),
  scan(
    'Q13',
    'segments are counted from zero',
    { Segment: 5, TotalSegments: 5 },
    invalid(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5',
    ),
  ),
  scan(
    'Q14',
    'a segment is one of TotalSegments',
    { Segment: 0 },
    invalid(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    ),
  ),
  scan(
    'Q14',
    'with TotalSegments one segment is read',
    { TotalSegments: 2 },
    invalid(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    ),
  ),
  scan(
    'Q15',
    'a scan has a million segments and no more',
    { Segment: 0, TotalSegments: 1_000_001 },
    invalid(
      "1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000",
    ),
  ),
  query(
    'Q16',
    'a starting key is whole',
    { ExclusiveStartKey: { pk: { S: 'a' } } },
    START_KEY_INVALID,
  ),
  scan(
    'Q16',
    'a starting key of a scan is whole',
    { ExclusiveStartKey: { pk: { S: 'a' } } },
    SCAN_START_KEY_INVALID,
  ),
  query(
    'Q16',
    'a starting key of an index has the keys of the index',
    { IndexName: 'keys-only', KeyConditionExpression: 'g = :p', ExclusiveStartKey: KEY },
    START_KEY_INVALID,
  ),
  query(
    'Q17',
    'a starting key has nothing else',
    { ExclusiveStartKey: { ...KEY, v: { S: 'x' } } },
    START_KEY_INVALID,
  ),
  scan(
    'Q17',
    'a starting key of a scan has nothing else',
    { ExclusiveStartKey: { ...KEY, v: { S: 'x' } } },
    SCAN_START_KEY_INVALID,
  ),
  query(
    'Q18',
    'a starting key has the types of the key',
    { ExclusiveStartKey: { ...KEY, sk: { N: '1' } } },
    START_KEY_INVALID,
  ),
  scan(
    'Q18',
    'a starting key of a scan has the types of the key',
    { ExclusiveStartKey: { ...KEY, sk: { N: '1' } } },
    SCAN_START_KEY_INVALID,
  ),
  query(
    'Q19',
    'a starting key is in the partition',
    { ExclusiveStartKey: { ...KEY, pk: { S: 'b' } } },
    invalid('The provided starting key is outside query boundaries based on provided conditions'),
  ),
  query(
    'Q20',
    'a starting key is in the range',
    {
      KeyConditionExpression: 'pk = :p AND sk > :s',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: '5' } },
      ExclusiveStartKey: KEY,
    },
    invalid('The provided starting key does not match the range key predicate'),
  ),
  row('Q21', 'a page continues after an item that was deleted', async ({ send }) => {
    for (const sk of ['1', '2', '3']) {
      await send('PutItem', { TableName: 'table', Item: { ...KEY, sk: { S: sk } } })
    }
    const { LastEvaluatedKey } = await send('Query', { ...partition, Limit: 2 })
    await send('DeleteItem', { TableName: 'table', Key: LastEvaluatedKey })
    const rest = await send('Query', { ...partition, ExclusiveStartKey: LastEvaluatedKey })
    expect(rest.Items).toEqual([{ ...KEY, sk: { S: '3' } }])
  }),
  row('Q22', 'a segment cannot continue from another', async (setup) => {
    await fill(setup, 40)
    const first = { TableName: 'table', Segment: 0, TotalSegments: 4, Limit: 1 }
    const { LastEvaluatedKey } = await setup.send('Scan', first)
    const other = { ...first, Segment: 1, ExclusiveStartKey: LastEvaluatedKey }
    await setup.refuses(
      'Scan',
      other,
      invalid(
        'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 4 Segment: 1',
      ),
    )
  }),
]
