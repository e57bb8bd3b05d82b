/** What is asked of each server: items of about 200 bytes in partitions of 25. */
export const TABLE = 'bench'
export const PARTITIONS = 400
export const ITEMS_PER_PARTITION = 25

export const OPERATIONS = ['GetItem', 'PutItem', 'Query'] as const
export type Operation = (typeof OPERATIONS)[number]
export const OPERATION_NAMES: Readonly<Record<Operation, string>> = {
  GetItem: 'GetItem',
  PutItem: 'PutItem',
  Query: 'Query 25',
}

export interface Answer {
  readonly status: number
  readonly body: string
}

export function itemOf(partition: number | string, position: number | string): object {
  return {
    pk: { S: `USER#${partition}` },
    sk: { S: `POST#${position}` },
    title: { S: 'How to measure a server without fooling oneself' },
    body: { S: 'Some text that is neither long nor short. '.repeat(2) },
    likes: { N: '42' },
    tags: { SS: ['bench', 'wire'] },
    published: { BOOL: true },
  }
}

export const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Date': '20260101T000000Z',
  Authorization:
    'AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0000000000000000000000000000000000000000000000000000000000000000',
}

/** Sends one request, not measured. */
export async function post(port: number, operation: string, request: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { ...HEADERS, 'X-Amz-Target': `DynamoDB_20120810.${operation}` },
    body: JSON.stringify(request),
  })
  return { status: response.status, body: await response.text() }
}

/** Makes the table and fills it. */
export async function load(port: number): Promise<void> {
  await expectOk(
    post(port, 'CreateTable', {
      TableName: TABLE,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await post(port, 'DescribeTable', { TableName: TABLE })
    if (body.includes('"ACTIVE"')) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const requests = Array.from({ length: ITEMS_PER_PARTITION }, (_, position) => ({
      PutRequest: { Item: itemOf(partition, position) },
    }))
    await expectOk(post(port, 'BatchWriteItem', { RequestItems: { [TABLE]: requests } }))
  }
}

async function expectOk(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`${status}: ${body.slice(0, 300)}`)
}

/** A request with `@` and `&` in the places of partition and position, which wrk fills in at
 * random. */
export function requestOf(operation: Operation): object {
  const item = itemOf('@', '&')
  if (operation === 'PutItem') return { TableName: TABLE, Item: item }
  if (operation === 'GetItem') {
    return { TableName: TABLE, Key: { pk: { S: 'USER#@' }, sk: { S: 'POST#&' } } }
  }
  return {
    TableName: TABLE,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': { S: 'USER#@' }, ':sk': { S: 'POST#' } },
  }
}

/** The program that makes wrk's requests: the same bytes but for the key. Answers other than 200
 * are counted and reported. */
export function wrkScript(operation: Operation): string {
  const headers = { ...HEADERS, 'X-Amz-Target': `DynamoDB_20120810.${operation}` }
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers["${name}"] = [[${value}]]`,
  )
  const [head = '', ...rest] = JSON.stringify(requestOf(operation)).split('@')
  const [middle = '', tail] = rest.join('@').split('&')
  const body =
    tail === undefined
      ? `[[${head}]] .. math.random(0, ${PARTITIONS - 1}) .. [[${middle}]]`
      : `[[${head}]] .. math.random(0, ${PARTITIONS - 1}) .. [[${middle}]] .. math.random(0, ${ITEMS_PER_PARTITION - 1}) .. [[${tail}]]`
  return `
wrk.method = "POST"
${lines.join('\n')}
request = function()
  return wrk.format(nil, "/", nil, ${body})
end
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(99),
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`
}
