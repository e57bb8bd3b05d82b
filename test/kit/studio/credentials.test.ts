import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { type Listener, listen } from '@singletable/kit/server'
import { connect } from 'singletable/direct'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../../packages/kit/src/studio/api/app.ts'
import { Guard } from '../../../packages/kit/src/studio/api/guard.ts'
import { hideSecrets } from '../../../packages/kit/src/studio/api/hide-secrets.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'

/** Strings that are nowhere else. AWS's own examples of keys look like these. */
const CANARIES = {
  accessKeyId: 'AKIACANARYKEYIDENTIF',
  secretAccessKey: 'canarySecretAccessKey/0123456789+abcdefgh',
  sessionToken: 'canarySessionToken//////////wEaCXVzLWVhc3QtMQ==',
}

type Mode = 'serves' | keyof typeof REFUSALS

/** What AWS says about a request that it refuses: it repeats the headers. */
const REFUSALS = {
  'refuses the signature': (headers: string) => [
    400,
    'InvalidSignatureException',
    `The request signature we calculated does not match the signature you provided.\n\nThe Canonical String for this request should have been\n'POST\n/\n\n${headers}'`,
  ],
  'finds the signature incomplete': (headers: string) => [
    400,
    'IncompleteSignatureException',
    `Authorization header requires 'SignedHeaders' parameter. ${headers.replaceAll('\n', ' ')}`,
  ],
  'fails and repeats the request': (headers: string) => [
    400,
    'ValidationException',
    JSON.stringify(Object.fromEntries(headers.split('\n').map((each) => each.split(/:(.*)/)))),
  ],
} as const satisfies Record<string, (headers: string) => readonly [number, string, string]>

let engine: Engine
let listener: Listener
let endpoint: Server
let open: OpenStudio
let web: string
let mode: Mode = 'serves'
/** That the endpoint was asked with the credentials. */
let signed = 0
beforeAll(async () => {
  web = await buildPage()
  engine = createEngine()
  listener = await listen(engine, { port: 0 })
  // Between the studio and the engine: it sees what is signed, and can refuse it as AWS does.
  endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const pairs = Object.entries(request.headers).map(([name, value]) => `${name}:${value}`)
    const isSigned = [CANARIES.accessKeyId, CANARIES.sessionToken].every((canary) =>
      pairs.some((each) => each.includes(canary)),
    )
    if (isSigned) signed++
    if (mode !== 'serves') {
      const [status, name, message] = REFUSALS[mode](pairs.join('\n'))
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }))
      return
    }
    const { host, connection, 'content-length': length, ...headers } = request.headers
    const answer = await fetch(listener.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  open = await openStudio('examples/blog/schema.ts', {
    transport: connect({ endpoint: url, region: 'eu-west-1', credentials: CANARIES }),
    place: url,
    count: 10,
    showsTables: true,
  })
})
afterAll(async () => {
  await open.close()
  endpoint.closeAllConnections()
  endpoint.close()
  await listener.close()
  await engine.close()
})

/** All routes of the API: one that is added is asked without being named here. */
const ROUTES = createApp({
  // No request is made, so nothing of this is used.
  sources: undefined as never,
  runner: undefined as never,
  guard: new Guard(() => new Set()),
  files: { find: () => undefined },
  events: () => () => {},
  onFault: () => {},
}).routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))

const KEY = { pk: { S: 'USER#x' }, sk: { S: 'USER#x' } }
const POST = { postId: 'x', username: 'x', title: 'x', tag: 'x' }
/** What makes a route ask the endpoint. */
const BODIES: Readonly<Record<string, object>> = {
  '/api/overview': { counts: true },
  '/api/heat': { index: 'primary' },
  '/api/scan': { index: 'primary', limit: 10 },
  '/api/query': { index: 'primary', limit: 10, hash: ['USER#x'] },
  '/api/statement': { statement: 'SELECT * FROM "Studio"', limit: 10 },
  '/api/item': { key: KEY },
  '/api/pattern': { pattern: 'postsByUser', input: { username: 'x' } },
  '/api/plan': { pattern: 'postsByUser', input: { username: 'x' } },
  '/api/pattern-test': { pattern: 'postsByUser', input: { username: 'x' } },
  '/api/change': { change: { kind: 'create', entity: 'PostTag', strings: POST } },
  '/api/import': {
    ...{ format: 'csv', text: 'postId,tag,username,title\na,b,c,d\n' },
    mapping: {
      entity: 'PostTag',
      columns: Object.fromEntries(Object.keys(POST).map((name) => [name, name])),
    },
  },
  '/api/try-migration': { id: '20260101_x' },
}

/** Everything that a request gives: status, headers and as much of the body as comes soon. */
async function answerOf(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${open.studio.port}${path}`, init)
  const head = `${response.status} ${JSON.stringify([...response.headers])}`
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
  for (;;) {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 300))
    const read = await (isEvents ? Promise.race([reader?.read(), late]) : reader?.read())
    if (read === undefined || read.done) break
    text += decoder.decode(read.value, { stream: true })
  }
  await reader?.cancel().catch(() => {})
  return `${path} ${head}\n${text}`
}

const HEADERS = { 'content-type': 'application/json', 'x-singletable-studio': '1' }

async function enter(): Promise<string> {
  const token = open.studio.url.split('#t=')[1]
  const response = await fetch(`http://127.0.0.1:${open.studio.port}/api/session`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ token }),
  })
  return String(response.headers.get('set-cookie')).split(';')[0] ?? ''
}

async function askEverything(): Promise<readonly string[]> {
  const cookie = await enter()
  const answers: string[] = []
  for (const { method, path } of ROUTES) {
    const headers = { ...HEADERS, cookie }
    const bodies = method === 'GET' ? [undefined] : [{}, BODIES[path] ?? {}]
    for (const body of bodies) {
      const query = path === '/api/export' ? '?format=dynamodb' : ''
      const init = body ? { method, headers, body: JSON.stringify(body) } : { headers }
      answers.push(await answerOf(`${path}${query}`, init).catch(String))
    }
  }
  for (const file of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
    answers.push(await answerOf(`/${file}`))
  }
  return answers
}

function expectNoCanary(shown: readonly string[]): void {
  for (const [name, canary] of Object.entries(CANARIES)) {
    const found = shown.filter(
      (each) => each.includes(canary) || each.includes(encodeURIComponent(canary)),
    )
    expect([name, found]).toEqual([name, []])
  }
}

describe('credentials stay in the process', () => {
  test('every route is asked, and most of them ask the endpoint', async () => {
    const paths = ROUTES.map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(20)
    expect(Object.keys(BODIES).filter((each) => !paths.includes(each))).toEqual([])
    mode = 'serves'
    signed = 0
    const answers = await askEverything()
    expect(signed).toBeGreaterThan(Object.keys(BODIES).length)
    const good = answers.filter((each) => / 200 /.test(each))
    expect(good.length).toBeGreaterThan(ROUTES.length / 2)
    expectNoCanary([...answers, ...open.faults.map(String)])
  })

  test.each(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[])(
    'where the endpoint %s',
    async (refusal) => {
      mode = refusal
      signed = 0
      // The server prints what breaks off an answer by itself.
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      const answers = await askEverything()
      const lines = printed.mock.calls.flat().map((each) => inspect(each, { depth: 9 }))
      printed.mockRestore()
      expect(signed).toBeGreaterThan(5)
      expect(lines.length).toBeGreaterThan(0)
      const shown = [...answers, ...lines, ...open.faults.map(String)]
      expectNoCanary(shown)
      // The refusal itself is shown, without what it repeats.
      expect(shown.filter((each) => each.includes('(hidden)')).length).toBeGreaterThan(5)
      open.faults.length = 0
    },
  )

  test('a message without credentials is left as it is', () => {
    const message = 'The provided key element does not match the schema: credential, AKIA, a=b'
    expect(hideSecrets(message)).toBe(message)
  })
})
