import { createHash, createHmac } from 'node:crypto'
import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams'
import { type Credentials, listen } from '@singletable/kit/server'
import { SignatureV4 } from '@smithy/signature-v4'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { signatureVerifier } from '../../packages/kit/src/server/verify-signature.ts'
import { exchange } from './raw-http.ts'

const PAIR: Credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a/secret+with=signs' }
const WITH_TOKEN: Credentials = {
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'another',
  sessionToken: 'session/token+==',
}
const NOW = Date.UTC(2026, 10, 16, 12, 0, 0)
const MINUTE = 60_000

interface Signed {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

class Sha256 {
  readonly #hash
  constructor(secret?: unknown) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest())
  }
}

const verify = signatureVerifier({
  credentials: [PAIR, WITH_TOKEN],
  region: 'eu-central-1',
  now: () => NOW,
})
function judge(signed: Signed): string {
  const refusal = verify({
    method: signed.method,
    url: signed.url,
    headers: Object.entries(signed.headers).flat(),
    body: Buffer.from(signed.body),
  })
  return refusal === undefined ? 'right' : `${refusal.name}: ${refusal.message}`
}

interface SigningOptions {
  readonly credentials?: Credentials
  readonly region?: string
  readonly service?: string
  readonly at?: number
  readonly query?: Record<string, string | string[]>
}

function signer(options: SigningOptions): SignatureV4 {
  return new SignatureV4({
    credentials: options.credentials ?? PAIR,
    region: options.region ?? 'eu-central-1',
    service: options.service ?? 'dynamodb',
    sha256: Sha256 as never,
  })
}
const REQUEST = {
  method: 'POST',
  protocol: 'http:',
  hostname: 'localhost',
  path: '/',
  headers: {
    host: 'localhost:8000',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
  },
  body: '{"Limit":1}',
}

/** A request that the SDK's own signer has signed in its headers. */
async function inHeader(options: SigningOptions = {}): Promise<Signed> {
  const query = options.query ?? {}
  const signingDate = new Date(options.at ?? NOW)
  const request = await signer(options).sign({ ...REQUEST, query }, { signingDate })
  return { method: 'POST', url: urlOf(query), headers: { ...request.headers }, body: REQUEST.body }
}

/** The same, in its query. */
async function inQuery(
  options: SigningOptions & { readonly expiresIn?: number } = {},
): Promise<Signed> {
  const request = await signer(options).presign(
    { ...REQUEST, query: options.query ?? {} },
    {
      signingDate: new Date(options.at ?? NOW),
      expiresIn: options.expiresIn ?? 900,
      unhoistableHeaders: new Set(['x-amz-target', 'x-amz-content-sha256']),
      signableHeaders: new Set(['host', 'content-type', 'x-amz-target']),
    },
  )
  return {
    method: 'POST',
    url: urlOf(request.query ?? {}),
    headers: { ...request.headers },
    body: REQUEST.body,
  }
}

function urlOf(query: Record<string, string | string[] | null>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each ?? '')}`),
  )
  return pairs.length === 0 ? '/' : `/?${pairs.join('&')}`
}

const DIFFERENT =
  'InvalidSignatureException: The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'
const UNRECOGNIZED =
  'UnrecognizedClientException: The security token included in the request is invalid.'

describe.each([
  ['in the headers', inHeader],
  ['in the query', inQuery],
])('a signature %s', (_, sign) => {
  test('that the SDK has made is right', async () => {
    expect(judge(await sign())).toBe('right')
  })
  test('with a session token is right', async () => {
    expect(judge(await sign({ credentials: WITH_TOKEN }))).toBe('right')
  })
  test('with a token that nobody asked for is right', async () => {
    expect(judge(await sign({ credentials: { ...PAIR, sessionToken: 'any' } }))).toBe('right')
  })
  test('with another token than the one asked for is not recognized', async () => {
    const credentials = { ...WITH_TOKEN, sessionToken: 'other' }
    expect(judge(await sign({ credentials }))).toBe(UNRECOGNIZED)
  })
  test('without the token asked for is not recognized', async () => {
    const { sessionToken: _token, ...credentials } = WITH_TOKEN
    expect(judge(await sign({ credentials }))).toBe(UNRECOGNIZED)
  })
  test('with other parameters in the query is right', async () => {
    const query = { b: '2', a: ['z', 'y'], 'ü &=+/': "!'()*~ %", empty: '' }
    expect(judge(await sign({ query }))).toBe('right')
  })
  test('by a wrong secret does not match', async () => {
    const credentials = { ...PAIR, secretAccessKey: 'wrong' }
    expect(judge(await sign({ credentials }))).toBe(DIFFERENT)
  })
  test('by an unknown key is not recognized', async () => {
    const credentials = { ...PAIR, accessKeyId: 'AKIDOTHER' }
    expect(judge(await sign({ credentials }))).toBe(UNRECOGNIZED)
  })
  test('by a key named as what objects inherit is not recognized', async () => {
    const credentials = { ...PAIR, accessKeyId: '__proto__' }
    expect(judge(await sign({ credentials }))).toBe(UNRECOGNIZED)
  })
  test('for another region is refused', async () => {
    expect(judge(await sign({ region: 'us-east-1' }))).toBe(
      "InvalidSignatureException: Credential should be scoped to a valid region, not 'us-east-1'. ",
    )
  })
  test('for another service is refused', async () => {
    expect(judge(await sign({ service: 's3' }))).toBe(
      "InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'. ",
    )
  })
  test('of another body does not match', async () => {
    expect(judge({ ...(await sign()), body: '{"Limit":2}' })).toBe(DIFFERENT)
  })
  test('of no body does not match', async () => {
    expect(judge({ ...(await sign()), body: '' })).toBe(DIFFERENT)
  })
  test('of another method does not match', async () => {
    expect(judge({ ...(await sign()), method: 'PUT' })).toBe(DIFFERENT)
  })
  test.each([
    ['x-amz-target', 'DynamoDB_20120810.DeleteTable'],
    ['host', 'localhost:8001'],
    ['content-type', 'application/json'],
  ])('with another header %s does not match', async (name, value) => {
    const signed = await sign()
    signed.headers[name] = value
    expect(judge(signed)).toBe(DIFFERENT)
  })
  test('without a header that is signed does not match', async () => {
    const signed = await sign()
    delete signed.headers['content-type']
    expect(judge(signed)).toBe(DIFFERENT)
  })
  test('with another parameter in the query does not match', async () => {
    const signed = await sign({ query: { a: '1' } })
    expect(judge({ ...signed, url: signed.url.replace('a=1', 'a=2') })).toBe(DIFFERENT)
  })
  test('15 minutes ahead is right, a second more is not yet current', async () => {
    expect(judge(await sign({ at: NOW + 15 * MINUTE }))).toBe('right')
    expect(judge(await sign({ at: NOW + 15 * MINUTE - 1000 }))).toBe('right')
    expect(judge(await sign({ at: NOW + 15 * MINUTE + 1000 }))).toBe(
      'InvalidSignatureException: Signature not yet current: 20261116T121501Z is still later than 20261116T121500Z (20261116T120000Z + 15 min.)',
    )
  })
  test('with one character changed does not match', async () => {
    const signed = await sign()
    const change = (text: string): string =>
      text.replace(/(Signature=)(.)/, (_all, name, first) => name + (first === '0' ? '1' : '0'))
    signed.url = change(signed.url)
    if (signed.headers.authorization)
      signed.headers.authorization = change(signed.headers.authorization)
    expect(judge(signed)).toBe(DIFFERENT)
  })
})

test('15 minutes ago is right, a second more has expired', async () => {
  expect(judge(await inHeader({ at: NOW - 15 * MINUTE }))).toBe('right')
  expect(judge(await inHeader({ at: NOW - 15 * MINUTE + 1000 }))).toBe('right')
  expect(judge(await inHeader({ at: NOW - 15 * MINUTE - 1000 }))).toBe(
    'InvalidSignatureException: Signature expired: 20261116T114459Z is now earlier than 20261116T114500Z (20261116T120000Z - 15 min.)',
  )
})

test('in the query a signature lasts as long as it says', async () => {
  expect(judge(await inQuery({ at: NOW - 60 * MINUTE, expiresIn: 3600 }))).toBe('right')
  expect(judge(await inQuery({ at: NOW - 60 * MINUTE, expiresIn: 3599 }))).toMatch(
    /^InvalidSignatureException: Signature expired: 20261116T110000Z is now earlier than/,
  )
  expect(judge(await inQuery({ expiresIn: 604_799 }))).toBe('right')
  expect(judge(await inQuery({ expiresIn: 604_800 }))).toBe('right')
  const signed = await inQuery()
  const longer = signed.url.replace('X-Amz-Expires=900', 'X-Amz-Expires=604801')
  expect(judge({ ...signed, url: longer })).toMatch(/X-Amz-Expires must be a number of seconds/)
})

test.each([
  [
    'four parts',
    'AKIDEXAMPLE/20261116/eu-central-1/dynamodb',
    /^IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements/,
  ],
  ['six parts', 'a/b/c/d/e/f', /^IncompleteSignatureException: Credential must have exactly 5/],
  [
    'another day',
    'AKIDEXAMPLE/20261115/eu-central-1/dynamodb/aws4_request',
    /^InvalidSignatureException: Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20261115' != '20261116', from '20261116T120000Z'/,
  ],
  [
    'another end',
    'AKIDEXAMPLE/20261116/eu-central-1/dynamodb/aws5',
    /^InvalidSignatureException: Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5'/,
  ],
])('a credential with %s is refused', async (_, credential, expected) => {
  const signed = await inHeader()
  signed.headers.authorization = (signed.headers.authorization ?? '').replace(
    /Credential=[^,]+/,
    `Credential=${credential}`,
  )
  expect(judge(signed)).toMatch(expected)
})

test('another algorithm is refused', async () => {
  const signed = await inHeader()
  signed.headers.authorization = (signed.headers.authorization ?? '').replace(
    'AWS4-HMAC-SHA256',
    'AWS4-HMAC-SHA1',
  )
  expect(judge(signed)).toBe(
    "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'. ",
  )
})

test.each(['2026-11-16T12:00:00Z', 'yesterday', '20261316T120000Z', ''])(
  'the date %j is refused',
  async (date) => {
    const signed = await inHeader()
    signed.headers['x-amz-date'] = date
    expect(judge(signed)).toBe(
      `IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got '${date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
    )
  },
)

test.each([
  ['host', "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."],
  ['x-amz-target', "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization."],
])('%s has to be signed', async (name, message) => {
  const signed = await inHeader()
  const names = (list: string): string =>
    list
      .split(';')
      .filter((each) => each !== name)
      .join(';')
  signed.headers.authorization = (signed.headers.authorization ?? '').replace(
    /(?<=SignedHeaders=)[^,]+/,
    names,
  )
  expect(judge(signed)).toBe(`InvalidSignatureException: ${message}`)
})

describe('over a socket', () => {
  test('real clients with the right keys are served, others get the reason', async () => {
    const engine = createEngine({ region: 'eu-central-1' })
    const credentials = [PAIR, WITH_TOKEN]
    const server = await listen(engine, { port: 0, region: 'eu-central-1', credentials })
    const client = (pair: Credentials, more: object = {}) =>
      new DynamoDBClient({
        endpoint: server.url,
        region: 'eu-central-1',
        credentials: pair,
        maxAttempts: 1,
        ...more,
      })
    const outcome = async (pair: Credentials, more?: object): Promise<string> => {
      try {
        const { TableNames } = await client(pair, more).send(new ListTablesCommand({}))
        return String(TableNames?.length)
      } catch (error) {
        return (error as Error).name
      }
    }
    try {
      expect(await outcome(PAIR)).toBe('0')
      expect(await outcome(WITH_TOKEN)).toBe('0')
      expect(await outcome({ ...PAIR, secretAccessKey: 'wrong' })).toBe('InvalidSignatureException')
      expect(await outcome({ ...PAIR, accessKeyId: 'nobody' })).toBe('UnrecognizedClientException')
      expect(await outcome(PAIR, { region: 'us-east-1' })).toBe('InvalidSignatureException')
      expect(await outcome(PAIR, { systemClockOffset: 20 * MINUTE })).toBe(
        'InvalidSignatureException',
      )
      const streams = new DynamoDBStreamsClient({
        endpoint: server.url,
        region: 'eu-central-1',
        credentials: PAIR,
      })
      expect((await streams.send(new ListStreamsCommand({}))).Streams).toEqual([])
      const refused = await client({ ...PAIR, secretAccessKey: 'x' })
        .send(new PutItemCommand({ TableName: 'any', Item: { pk: { S: 'a' } } }))
        .catch((error: Error) => error.name)
      expect(refused).toBe('InvalidSignatureException')
      const health = await exchange(['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'], {
        port: server.port,
      })
      expect(health.responses[0]?.statusCode).toBe(200)
    } finally {
      await server.close()
      await engine.close()
    }
  })
})
