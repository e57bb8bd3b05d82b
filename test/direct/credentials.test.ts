import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type DirectTransport } from 'singletable/direct'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { containerUrl } from '../../packages/singletable/src/direct/credentials/container-credentials.ts'
import { rejection } from '../aws/canned-client.ts'
import { httpAnswer, type RawServer, rawServer } from './raw-server.ts'

const EMPTY = httpAnswer('{}')
const VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CREDENTIAL_EXPIRATION',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
]

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined)
  return () => {
    vi.unstubAllEnvs()
  }
})

function open(endpoint: string, options: Parameters<typeof connect>[0] = {}): DirectTransport {
  const direct = connect({
    region: 'eu-west-1',
    endpoint,
    requestTimeoutMs: 60_000,
    connectionTimeoutMs: 60_000,
    ...options,
  })
  onTestFinished(() => direct.close())
  return direct
}
const headerOf = ({ requests }: RawServer, name: string, index = -1): string | undefined =>
  new RegExp(`^${name}: (.*?)\r$`, 'im').exec(requests.at(index)?.text ?? '')?.[1]

test('credentials come from variables of the environment, as Lambda sets them', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'FROMENV')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  vi.stubEnv('AWS_SESSION_TOKEN', 'token/+==')
  const service = await rawServer(({ socket }) => socket.write(EMPTY))
  await open(service.url).send('ListTables', {})
  expect(headerOf(service, 'authorization')).toMatch(/Credential=FROMENV\/.*x-amz-security-token;/)
  expect(headerOf(service, 'x-amz-security-token')).toBe('token/+==')
})

test('without credentials the error says what was tried, and nothing is sent', async () => {
  const service = await rawServer(({ socket }) => socket.write(EMPTY))
  const error = await rejection(open(service.url).send('ListTables', {}))
  expect(error).toMatchObject({
    name: 'CredentialsProviderError',
    message: expect.stringMatching(
      /AWS_ACCESS_KEY_ID.*RELATIVE_URI.*FULL_URI.*fromNodeProviderChain/,
    ),
  })
  expect(service.connections).toHaveLength(0)
})

describe('a container', () => {
  const answer = (members: object = {}): Buffer =>
    httpAnswer(
      JSON.stringify({
        AccessKeyId: 'CONTAINER',
        SecretAccessKey: 'secret',
        Token: 'token',
        Expiration: '2999-01-01T00:00:00Z',
        ...members,
      }),
    )

  test('gives its credentials once for many requests', async () => {
    const service = await rawServer(({ socket }) => socket.write(EMPTY))
    const container = await rawServer(({ socket }) => socket.write(answer()))
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${container.url}/role?a=b`)
    vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN', 'Basic abc')
    const direct = open(service.url)
    await Promise.all([direct.send('ListTables', {}), direct.send('ListTables', {})])
    await direct.send('ListTables', {})
    expect(container.requests).toHaveLength(1)
    expect(container.requests[0]?.text).toMatch(/^GET \/role\?a=b HTTP\/1\.1\r\n/)
    expect(headerOf(container, 'authorization')).toBe('Basic abc')
    expect(headerOf(service, 'authorization')).toMatch(/Credential=CONTAINER\//)
    expect(headerOf(service, 'x-amz-security-token')).toBe('token')
  })

  test('is asked with the token in a file, as it is at that time', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'singletable-direct-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'token')
    const service = await rawServer(({ socket }) => socket.write(EMPTY))
    // These have ended when they come, so each request asks again.
    const ended = answer({ Expiration: '2001-01-01T00:00:00Z' })
    const container = await rawServer(({ socket }) => socket.write(ended))
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', container.url)
    vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', file)
    const direct = open(service.url)
    writeFileSync(file, 'first\n')
    await direct.send('ListTables', {})
    writeFileSync(file, 'second')
    await direct.send('ListTables', {})
    expect(headerOf(container, 'authorization', 0)).toBe('first')
    expect(headerOf(container, 'authorization', 1)).toBe('second')
    writeFileSync(file, 'a\r\nb: c')
    expect(await rejection(direct.send('ListTables', {}))).toMatchObject({
      name: 'CredentialsProviderError',
    })
  })

  test('that fails for a moment is asked again', async () => {
    const service = await rawServer(({ socket }) => socket.write(EMPTY))
    const container = await rawServer(({ socket, index }) => {
      if (index === 0) socket.end(httpAnswer('', { status: 503 }))
      else if (index === 1) socket.destroy()
      else socket.write(answer())
    })
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', container.url)
    await open(service.url).send('ListTables', {})
    expect(container.requests).toHaveLength(3)
  })

  test.each([
    ['a refusal', httpAnswer('{"code":"x"}', { status: 403 }), /answered 403/],
    ['no JSON', httpAnswer('secret text'), /is not JSON/],
    ['nothing of use', httpAnswer('{}'), /gave no accessKeyId/],
    ['null', httpAnswer('null'), /gave no accessKeyId/],
  ])('that gives %s is an error without a secret in it', async (_, bytes, message) => {
    const container = await rawServer(({ socket }) => socket.end(bytes))
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', container.url)
    const error = await rejection(open('http://localhost:1').send('ListTables', {}))
    expect(error).toMatchObject({
      name: 'CredentialsProviderError',
      message: expect.stringMatching(message),
    })
    expect(String(error)).not.toContain('secret text')
  })

  test.each([
    ['RELATIVE', '/v2/role', 'http://169.254.170.2/v2/role'],
    ['FULL', 'http://169.254.170.2/a', 'http://169.254.170.2/a'],
    ['FULL', 'http://169.254.170.23/v1/credentials', 'http://169.254.170.23/v1/credentials'],
    ['FULL', 'http://[fd00:ec2::23]/v1/credentials', 'http://[fd00:ec2::23]/v1/credentials'],
    ['FULL', 'http://localhost:9001/2026', 'http://localhost:9001/2026'],
    ['FULL', 'http://127.8.9.1/', 'http://127.8.9.1/'],
    ['FULL', 'http://[::1]:80/', 'http://[::1]/'],
    ['FULL', 'https://example.com/', 'https://example.com/'],
  ])('may be asked at %s %s', (kind, text, url) => {
    const name = `AWS_CONTAINER_CREDENTIALS_${kind}_URI`
    expect(containerUrl({ [name]: text })?.href).toBe(url)
  })

  test.each([
    ['FULL', 'http://example.com/'],
    ['FULL', 'http://127.0.0.1.example.com/'],
    ['FULL', 'http://169.254.169.254/'],
    ['FULL', 'http://10.0.0.1/'],
    ['FULL', 'ftp://127.0.0.1/'],
    ['FULL', 'nonsense'],
    // These would lead to another host when put behind the one of ECS.
    ['RELATIVE', '@example.com/'],
    ['RELATIVE', '.example.com/'],
    ['RELATIVE', ':80@example.com/'],
  ])('may not be asked at %s %s', (kind, text) => {
    const name = `AWS_CONTAINER_CREDENTIALS_${kind}_URI`
    expect(() => containerUrl({ [name]: text })).toThrow(/^AWS_CONTAINER_CREDENTIALS_/)
  })
})

describe('credentials the service refuses', () => {
  const refusal = (name: string): Buffer =>
    httpAnswer(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message: 'x' }), {
      status: 400,
    })

  test.each(['ExpiredTokenException', 'UnrecognizedClientException'])(
    'with %s are replaced once, and the request is sent again',
    async (name) => {
      const service = await rawServer(({ socket, text }) =>
        socket.write(/Credential=KEY1/.test(text) ? refusal(name) : EMPTY),
      )
      let asked = 0
      const direct = open(service.url, {
        credentials: async () => ({
          accessKeyId: `KEY${++asked}`,
          secretAccessKey: 'b',
          sessionToken: 't',
        }),
      })
      expect(await direct.singleAttempt.send('ListTables', {})).toEqual({})
      expect(asked).toBe(2)
      expect(service.requests).toHaveLength(2)
    },
  )

  test('are an error if the new ones are refused as well', async () => {
    const service = await rawServer(({ socket }) => socket.write(refusal('ExpiredTokenException')))
    let asked = 0
    const direct = open(service.url, {
      credentials: async () => ({ accessKeyId: `KEY${++asked}`, secretAccessKey: 'b' }),
    })
    const error = await rejection(direct.send('ListTables', {}))
    expect(error).toMatchObject({ name: 'ExpiredTokenException' })
    expect(service.requests).toHaveLength(2)
  })

  test('are an error at once if they are fixed', async () => {
    const service = await rawServer(({ socket }) => socket.write(refusal('ExpiredTokenException')))
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 't' }
    const error = await rejection(open(service.url, { credentials }).send('ListTables', {}))
    expect(error).toMatchObject({ name: 'ExpiredTokenException' })
    expect(service.requests).toHaveLength(1)
  })
})

test('an abort while credentials are awaited rejects, and nothing is sent', async () => {
  const service = await rawServer(({ socket }) => socket.write(EMPTY))
  const controller = new AbortController()
  const credentials = () => new Promise<never>(() => queueMicrotask(() => controller.abort('now')))
  const { signal } = controller
  const direct = open(service.url, { credentials })
  expect(await rejection(direct.send('ListTables', {}, { signal }))).toBe('now')
  expect(service.connections).toHaveLength(0)
})

describe('a wrong clock', () => {
  const HOUR_MS = 3_600_000
  const refusing = (name: string, serviceNow: number): Buffer =>
    httpAnswer(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message: 'x' }), {
      status: 400,
      headers: { Date: new Date(serviceNow).toUTCString() },
    })
  const serviceNow = Date.UTC(2026, 5, 1, 12)
  const environment = {
    now: () => serviceNow + HOUR_MS,
    randomBytes: (count: number) => new Uint8Array(count),
    schedule: () => () => {},
  }
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }

  test.each(['InvalidSignatureException', 'RequestTimeTooSkewed', 'RequestExpired'])(
    'that shows by %s is set by the answer, and the request is sent again',
    async (name) => {
      const service = await rawServer(({ socket, text }) =>
        socket.write(/x-amz-date: 20260601T12/.test(text) ? EMPTY : refusing(name, serviceNow)),
      )
      const direct = open(service.url, { environment, credentials })
      await direct.singleAttempt.send('ListTables', {})
      await direct.singleAttempt.send('ListTables', {})
      // The second call had the right time from the start.
      expect(service.requests).toHaveLength(3)
    },
  )

  test('is tried once', async () => {
    const service = await rawServer(({ socket, index }) =>
      socket.write(refusing('RequestExpired', serviceNow - (index + 1) * HOUR_MS)),
    )
    const direct = open(service.url, { environment, credentials })
    expect(await rejection(direct.send('ListTables', {}))).toMatchObject({ name: 'RequestExpired' })
    expect(service.requests).toHaveLength(2)
  })

  test('is not blamed for a wrong key', async () => {
    const service = await rawServer(({ socket }) =>
      socket.write(refusing('InvalidSignatureException', serviceNow + HOUR_MS)),
    )
    const direct = open(service.url, { environment, credentials })
    expect(await rejection(direct.send('ListTables', {}))).toMatchObject({
      name: 'InvalidSignatureException',
    })
    expect(service.requests).toHaveLength(1)
  })
})
