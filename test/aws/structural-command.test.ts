import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, test, vi } from 'vitest'
import { awsTransport } from '../../packages/singletable/src/aws/aws-transport.ts'
import { cannedClient, EMPTY, refusal, rejection, SDKS, type SentRequest } from './canned-client.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }
const ACCOUNT = '123456789012'
const AWS: object = { endpoint: undefined }

/** Credentials that carry the account they belong to. */
const withAccount = {
  credentials: { accessKeyId: 'a', secretAccessKey: 'b', accountId: ACCOUNT },
}

describe.each(SDKS)('on the %s SDK', (_, sdk) => {
  const { DynamoDBClient: Client, GetItemCommand, TransactWriteItemsCommand } = sdk

  function addressOf({ protocol, hostname, port, path }: SentRequest): string {
    return `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
  }

  const configs: readonly (readonly [string, object])[] = [
    ['a region', { region: 'ap-south-1' }],
    ['a region of China', { region: 'cn-north-1' }],
    ['FIPS', { useFipsEndpoint: true }],
    ['dual stack', { useDualstackEndpoint: true }],
    ['an account', withAccount],
    ['an account that is not used', { ...withAccount, accountIdEndpointMode: 'disabled' }],
    ['an endpoint', { endpoint: 'http://localhost:8000' }],
    ['an endpoint with a path', { endpoint: 'https://proxy.example/dynamo' }],
    [
      'an endpoint as an object',
      { endpoint: { protocol: 'http:', hostname: 'h', port: 1, path: '/' } },
    ],
    ['an endpoint as a function', { endpoint: async () => 'http://[::1]:8000' }],
    ['an endpoint and an account', { ...withAccount, endpoint: 'http://localhost:8000' }],
    ['no TLS', { tls: false }],
  ]

  test.each(configs)(
    "with %s a request goes where the SDK's own command goes",
    async (_name, config) => {
      const { client, requests } = cannedClient(() => EMPTY, { ...AWS, ...config }, Client)
      await client.send(new GetItemCommand(request))
      await awsTransport(client).send('GetItem', request)
      const [own, ours] = requests as [SentRequest, SentRequest]
      expect(addressOf(ours)).toBe(addressOf(own))
      const scope = (sent: SentRequest): string | undefined =>
        /Credential=\S*/.exec(sent.headers.authorization ?? '')?.[0]
      expect(scope(ours)).toBe(scope(own))
      expect(ours.headers.host).toBe(own.headers.host)
      expect(ours.headers['x-amz-target']).toBe(own.headers['x-amz-target'])
      expect(ours.headers['content-length']).toBe(String(Buffer.byteLength(String(ours.body))))
    },
  )

  test('an endpoint in the environment is used', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://from.environment:1234')
    const { client, requests } = cannedClient(() => EMPTY, AWS, Client)
    await awsTransport(client).send('GetItem', request)
    vi.unstubAllEnvs()
    expect(requests.map(addressOf)).toEqual(['http://from.environment:1234/'])
  })

  test('middlewares of every step run, and see and change request and response', async () => {
    const { client, requests } = cannedClient(() => EMPTY, {}, Client)
    const seen: string[] = []
    const Item = { b: { B: new Uint8Array([1]) } }
    for (const step of [
      'initialize',
      'serialize',
      'build',
      'finalizeRequest',
      'deserialize',
    ] as const) {
      client.middlewareStack.add(
        ((next: (args: never) => Promise<object>, context: object) => async (args: never) => {
          const { input, request: sent } = args as {
            input: { TableName: string }
            request?: SentRequest
          }
          seen.push(`${step} ${input.TableName} ${sent?.headers['x-amz-target'] ?? '-'}`)
          if (step === 'initialize') {
            expect(context).toMatchObject({
              clientName: 'DynamoDBClient',
              commandName: 'GetItemCommand',
            })
            return next({ ...(args as object), input: { ...input, TableName: 'Other' } } as never)
          }
          const result = (await next(args)) as { output: object }
          if (step === 'serialize') return { ...result, output: { ...result.output, Item } }
          return result
        }) as never,
        { step } as never,
      )
    }
    const answer = await awsTransport(client).send('GetItem', request)
    const ours = seen.splice(0)
    await client.send(new GetItemCommand(request))
    expect(ours).toEqual(seen)
    expect(ours[0]).toBe('initialize Blog -')
    expect(ours[4]).toBe('deserialize Other DynamoDB_20120810.GetItem')
    expect(JSON.parse(String(requests[0]?.body))).toEqual({ ...request, TableName: 'Other' })
    expect(answer).toEqual({ Item: { b: { B: 'AQ==' } } })
  })

  test('an error has name, text, members and metadata of the answer', async () => {
    const reasons = [{ Code: 'ConditionalCheckFailed', Message: 'no', Item: { b: { B: 'AQ==' } } }]
    const answer = refusal(400, 'TransactionCanceledException', { CancellationReasons: reasons })
    const headers = { 'x-amzn-requestid': 'REQUEST' }
    const { client } = cannedClient(() => ({ ...answer, headers }), {}, Client)
    const error = await rejection(
      awsTransport(client).send('TransactWriteItems', { TransactItems: [] }),
    )
    const original = (await rejection(
      client.send(new TransactWriteItemsCommand({ TransactItems: [] })),
    )) as Record<string, unknown>
    expect(error).toMatchObject({
      name: original.name,
      message: 'no',
      CancellationReasons: reasons,
      cause: {
        name: original.name,
        message: original.message,
        $fault: original.$fault,
        $metadata: { httpStatusCode: 400, requestId: 'REQUEST', attempts: 1, totalRetryDelay: 0 },
        $response: { statusCode: 400 },
      },
    })
    expect(original.$metadata).toMatchObject({ requestId: 'REQUEST', attempts: 1 })
    expect(original.$retryable).toBe(
      (error as { cause: { $retryable?: unknown } }).cause.$retryable,
    )
  })

  test('a body may be bytes, a stream of Node or a stream of the web', async () => {
    const bytes = Buffer.from('{"Item":{"pk":{"S":"\u00e4"}}}')
    const bodies = [bytes, new Blob([bytes]).stream()]
    for (const body of bodies) {
      const { client } = cannedClient(() => EMPTY, {}, Client)
      client.config.requestHandler.handle = async () =>
        ({ response: { statusCode: 200, headers: {}, body } }) as never
      expect(await awsTransport(client).send('GetItem', request)).toEqual({
        Item: { pk: { S: '\u00e4' } },
      })
    }
  })
})

/** An answer to all reads by key. */
const BATCH = { statusCode: 200, body: '{"Responses":{},"ConsumedCapacity":[]}' }

test('a table that is named by its ARN is asked for on the host of its account', async () => {
  const { client, requests } = cannedClient(() => BATCH, { ...AWS, ...withAccount })
  const TableName = 'arn:aws:dynamodb:eu-west-1:999999999999:table/Blog'
  const transport = awsTransport(client)
  await transport.send('GetItem', { ...request, TableName })
  await transport.send('BatchGetItem', { RequestItems: { [TableName]: { Keys: [request.Key] } } })
  await transport.send('TransactGetItems', {
    TransactItems: [{ Get: { TableName, Key: request.Key } }],
  })
  const hosts = requests.map(({ hostname }) => hostname)
  expect(new Set(hosts)).toEqual(new Set(['999999999999.ddb.eu-west-1.amazonaws.com']))
})

test('vectors are searched on the host that the rules name for it', async () => {
  const { client, requests } = cannedClient(() => EMPTY, AWS)
  await awsTransport(client).send('SearchVectors' as never, { TableName: 'Blog' } as never)
  expect(requests[0]).toMatchObject({
    hostname: 'search-dynamodb.eu-west-1.amazonaws.com',
    headers: { 'x-amz-target': 'DynamoDB_20120810.SearchVectors' },
  })
})

test('commands have the names of the SDK, which tracing packages show', async () => {
  const names: string[] = []
  const { client } = cannedClient(() => EMPTY)
  const send = client.send.bind(client) as (command: object, options: object) => Promise<object>
  client.send = ((command: object, options: object) => {
    names.push(`${command.constructor.name} ${JSON.stringify(Object.entries(command)[0])}`)
    return send(command, options)
  }) as never
  await awsTransport(client).send('GetItem', request)
  expect(names).toEqual([`GetItemCommand ${JSON.stringify(['input', request])}`])
})

test('an SDK without rules for endpoints is refused', async () => {
  const { client } = cannedClient(() => EMPTY)
  Object.assign(client.config, { endpointProvider: undefined })
  expect(await rejection(awsTransport(client).send('GetItem', request))).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('3.650'),
  })
})

test('a client of another service is refused', async () => {
  const { client } = cannedClient(() => EMPTY)
  expect(client).toBeInstanceOf(DynamoDBClient)
  Object.assign(client.config, { serviceId: 'DynamoDB Streams' })
  expect(await rejection(awsTransport(client).send('GetItem', request))).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('DynamoDBClient'),
  })
})
