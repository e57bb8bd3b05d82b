import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

let open: OpenStudio
let host: string
beforeAll(async () => {
  await buildPage()
  open = await openStudio('examples/blog/schema.ts', { count: 20 })
  host = `127.0.0.1:${open.studio.port}`
})
afterAll(() => open.close())

/** A request by hand, as an attacker writes it. */
function send(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: open.studio.port,
        path,
        method,
        headers: { host, ...headers },
        agent: false,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const JSON_HEADERS = { 'content-type': 'application/json', 'x-singletable-studio': '1' }

/** What changes something, or starts what does. */
const WRITES = [
  '/api/change',
  '/api/import',
  '/api/start-stream',
  '/api/try-migration',
  '/api/run-migrations',
  '/api/pause-migrations',
]
/** What a browser asks for without the header of the page. */
const GETS = ['/api/events', '/api/stream', '/api/export?format=csv']

async function enter(): Promise<string> {
  const token = open.studio.url.split('#t=')[1]
  const { headers } = await send('/api/session', JSON_HEADERS, JSON.stringify({ token }))
  const [cookie = ''] = headers['set-cookie'] ?? []
  return String(cookie)
}

describe('the studio keeps others out', () => {
  test('it listens on the loopback address alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      const outcome = await new Promise<string>((resolve) => {
        const socket = connect({ host: address, port: open.studio.port })
        socket.on('connect', () => resolve('connected'))
        socket.on('error', () => resolve('refused'))
      })
      expect(outcome).toBe('refused')
    }
    expect(open.studio.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    '127.0.0.1:99999',
    '127.0.0.1',
  ])('the host name %s is refused for pages, files and the API', async (name) => {
    for (const path of ['/', '/icon.svg', ...GETS, '/api/design', '/nothing']) {
      const { status } = await send(path, { host: name })
      // An address that can't be one is refused before anybody looks at it.
      expect(status).toBe(name.endsWith(':99999') ? 400 : 421)
    }
  })

  test('localhost is the same machine', async () => {
    const { status } = await send('/', { host: `localhost:${open.studio.port}` })
    expect(status).toBe(200)
  })

  test('without a session nothing is answered', async () => {
    for (const path of ['/api/design', '/api/scan', ...WRITES]) {
      expect((await send(path, JSON_HEADERS, '{}')).status).toBe(401)
    }
    for (const path of GETS) expect((await send(path)).status).toBe(401)
    const forged = { ...JSON_HEADERS, cookie: `singletable-studio-${open.studio.port}=guess` }
    expect((await send('/api/design', forged, '{}')).status).toBe(401)
  })

  test('the cookie is strict and out of reach of scripts', async () => {
    expect(await enter()).toMatch(
      /^singletable-studio-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin of its own', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('a page of %s is refused, with a session too', async (_, headers) => {
    const cookie = (await enter()).split(';')[0] ?? ''
    for (const path of ['/api/design', ...WRITES]) {
      const answer = await send(path, { ...JSON_HEADERS, cookie, ...headers }, '{}')
      expect(answer.status).toBe(403)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    for (const path of GETS) expect((await send(path, { cookie, ...headers })).status).toBe(403)
  })

  test('an export is a file for the page alone, and a form can not ask for it', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const own = { cookie, 'sec-fetch-site': 'same-origin' }
    const { status, headers } = await send('/api/export?format=csv', own)
    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="Studio.csv"')
    // A link of another page, or an address that somebody was sent.
    for (const site of ['cross-site', 'none']) {
      const foreign = { cookie, 'sec-fetch-site': site }
      expect((await send('/api/export?format=csv', foreign)).status).toBe(403)
    }
    const type = 'application/x-www-form-urlencoded'
    const form = { cookie, 'content-type': type }
    expect((await send('/api/export', form, 'format=csv')).status).toBe(415)
  })

  test('a preflight gets no permission', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await send('/api/change', headers, undefined, 'OPTIONS')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['access-control-allow-methods']).toBeUndefined()
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('a body of the type "%s" is refused, as forms can send it', async (type) => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const headers = { 'x-singletable-studio': '1', cookie, ...(type && { 'content-type': type }) }
    expect((await send('/api/scan', headers, '{"index":"primary","limit":1}')).status).toBe(415)
  })

  test('a request without the header of the page is refused', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const headers = { 'content-type': 'application/json', cookie }
    expect((await send('/api/design', headers, '{}')).status).toBe(403)
  })

  test('a body of more than 1 MB is refused', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const body = JSON.stringify({ statement: 'x'.repeat(1_100_000) })
    expect((await send('/api/statement', { ...JSON_HEADERS, cookie }, body)).status).toBe(413)
  })

  test('a page of more than 1,000 items is refused', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const ask = async (limit: number): Promise<number> => {
      const body = JSON.stringify({ index: 'primary', limit })
      return (await send('/api/scan', { ...JSON_HEADERS, cookie }, body)).status
    }
    expect(await Promise.all([999, 1000, 1001, 0].map(ask))).toEqual([200, 200, 400, 400])
  })

  test('more than 16 pages that listen are refused, until one is closed', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const listen = async (): Promise<[number, () => void]> => {
      const stop = new AbortController()
      const url = `http://127.0.0.1:${open.studio.port}/api/events`
      const { status } = await fetch(url, { headers: { cookie }, signal: stop.signal })
      return [status, () => stop.abort()]
    }
    const pages: [number, () => void][] = []
    for (let n = 0; n < 16; n++) pages.push(await listen())
    expect(pages.map(([status]) => status)).toEqual(pages.map(() => 200))
    expect((await listen())[0]).toBe(429)
    pages.pop()?.[1]()
    await expect
      .poll(async () => {
        const [status, stop] = await listen()
        stop()
        return status
      })
      .toBe(200)
    for (const [, stop] of pages) stop()
  })

  test('a table that is not of the schema is refused, with and without a session', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    const other = { ...JSON_HEADERS, 'x-singletable-table': 'Other' }
    expect((await send('/api/scan', { ...other, cookie }, '{}')).status).toBe(403)
    expect((await send('/api/tables', { ...other, cookie }, '{}')).status).toBe(403)
    expect((await send('/api/tables', other, '{}')).status).toBe(401)
  })

  test.each([
    '/../../etc/passwd',
    '/%2e%2e%2f%2e%2e%2fetc/passwd',
    '/..\\..\\etc\\passwd',
    '/assets/../../package.json',
    '/%00',
    '/index.html%00.js',
    '//etc/passwd',
    '/api/../index.html/../../package.json',
  ])('the path %s leads nowhere', async (path) => {
    const { status, text } = await send(path)
    expect([400, 404, 401, 403]).toContain(status)
    expect(text).not.toContain('root:')
    expect(text).not.toContain('"name"')
  })

  test('there is no way to send any operation, or to drop the table', async () => {
    const cookie = (await enter()).split(';')[0] ?? ''
    for (const path of ['/api/send', '/api/DeleteTable', '/api/drop', '/api/DescribeTable']) {
      expect((await send(path, { ...JSON_HEADERS, cookie }, '{}')).status).toBe(404)
    }
  })

  test('every answer forbids frames, foreign scripts and sniffing', async () => {
    for (const answer of [
      await send('/'),
      await send('/nothing'),
      await send('/api/design', JSON_HEADERS, '{}'),
      await send('/', { host: 'evil.example' }),
    ]) {
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(answer.headers['content-security-policy']).not.toContain('unsafe')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })

  test('the page names no other host, and has no inline script', async () => {
    const { text } = await send('/')
    expect(text).not.toMatch(/https?:\/\//)
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/)
    const script = /src="\.(\/assets\/[^"]+)"/.exec(text)?.[1] ?? ''
    const code = await send(script)
    expect(code.status).toBe(200)
    expect([...code.text.matchAll(/https?:\/\/[\w.-]+/g)].map(([url]) => url)).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/cdn|google|unpkg|jsdelivr/)]),
    )
    expect(code.text).not.toContain('dangerouslySetInnerHTML={')
  })
})

test('a studio can end when no page was open for some time, and not before', async () => {
  let isIdle = false
  const onIdle = (): void => {
    isIdle = true
  }
  const other = await openStudio('examples/blog/schema.ts', { count: 3, idle: { ms: 200, onIdle } })
  const token = other.studio.url.split('#t=')[1]
  const base = `http://127.0.0.1:${other.studio.port}`
  const body = JSON.stringify({ token })
  const entered = await fetch(`${base}/api/session`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body,
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = new AbortController()
  await fetch(`${base}/api/events`, { headers: { cookie }, signal: page.signal })
  isIdle = false
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(isIdle).toBe(false)
  page.abort()
  await expect.poll(() => isIdle).toBe(true)
  await other.close()
})

test('wrong tokens are counted, and the right one is refused after ten of them', async () => {
  const other = await openStudio('examples/blog/schema.ts', { count: 5 })
  const port = other.studio.port
  const attempt = async (token: string | undefined): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/session`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify({ token }),
    })
    return response.status
  }
  for (let n = 0; n < 10; n++) expect(await attempt(`wrong ${n}`)).toBe(403)
  expect(await attempt(other.studio.url.split('#t=')[1])).toBe(403)
  await other.close()
})
