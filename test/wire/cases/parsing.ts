import { connect } from 'node:net'
import { expect } from 'vitest'
import type { Exchange } from '../raw-http.ts'
import { exchange } from '../raw-http.ts'
import {
  AUTHORIZATION,
  bytes,
  check,
  LIST_TABLES,
  requestBytes,
  type WireCase,
} from '../wire-case.ts'

const HEAD = [
  'Host: localhost',
  'X-Amz-Target: DynamoDB_20120810.ListTables',
  'Content-Type: application/x-amz-json-1.0',
  'X-Amz-Date: 20261116T120000Z',
  `Authorization: ${AUTHORIZATION}`,
  '',
].join('\r\n')
const post = (rest: string): string => `POST / HTTP/1.1\r\n${HEAD}${rest}`

/** The request is refused, alone, and nothing after it on the connection is taken for another. */
const refusedOnce = ({ responses, closed }: Exchange): void => {
  expect(responses.map((each) => each.statusCode)).toEqual([400])
  expect(closed).toBe(true)
}
const servedOnce = ({ responses }: Exchange): void => {
  expect(responses.map((each) => each.statusCode)).toEqual([200])
}
const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

const refusals: readonly (readonly [string, string, string?])[] = [
  ['length and chunks', post(`Content-Length: 2\r\n${CHUNKED}\r\n0\r\n\r\n${SMUGGLED}`), 'W27'],
  ['chunks and length', post(`${CHUNKED}Content-Length: 2\r\n\r\n0\r\n\r\n${SMUGGLED}`), 'W27'],
  ['two lengths', post(`Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}${SMUGGLED}`), 'H19'],
  [
    'the same length twice',
    post(`Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`),
    'H19',
  ],
  ['a list of lengths', post(`Content-Length: 2, 2\r\n\r\n{}${SMUGGLED}`), 'H19'],
  ['a length with a plus', post(`Content-Length: +2\r\n\r\n{}`), 'H19'],
  ['a length below nothing', post(`Content-Length: -2\r\n\r\n{}`), 'H19'],
  ['a hexadecimal length', post(`Content-Length: 0x2\r\n\r\n{}`), 'H19'],
  ['a length with a fraction', post(`Content-Length: 2.0\r\n\r\n{}`), 'H19'],
  ['a length beyond all numbers', post(`Content-Length: 99999999999999999999999\r\n\r\n{}`), 'H19'],
  ['a blank before the colon of a length', post(`Content-Length : 2\r\n\r\n{}`), 'H19'],
  [
    'a blank before the colon of chunks',
    post(`Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`),
    'H19',
  ],
  [
    'an encoding that is almost chunked',
    post(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`),
    'H19',
  ],
  [
    'chunks that are not last',
    post(`Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`),
    'H19',
  ],
  ['an encoding of identity', post(`Transfer-Encoding: identity\r\n\r\n{}`), 'H19'],
  ['a folded header', post(`X-Fold: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`), 'H19'],
  ['a header folded by a tab', post(`X-Fold: a\r\n\tb\r\nContent-Length: 2\r\n\r\n{}`), 'H19'],
  [
    'a folded encoding',
    post(`Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n\r\n{}`),
    'H19',
  ],
  [
    'lines that end in LF alone',
    post(`Content-Length: 2\r\n\r\n{}`).replaceAll('\r\n', '\n'),
    'H19',
  ],
  ['one line that ends in LF alone', post(`X-A: b\nContent-Length: 2\r\n\r\n{}`), 'H19'],
  ['one line that ends in CR alone', post(`X-A: b\rContent-Length: 2\r\n\r\n{}`), 'H19'],
  ['a NUL in a header', post(`X-A: b\0c\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a blank in the name of a header', post(`X A: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a header without a name', post(`: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a header without a colon', post(`nonsense\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  [
    'a blank before the first header',
    `POST / HTTP/1.1\r\n X: y\r\n${HEAD}Content-Length: 2\r\n\r\n{}`,
    'S10',
  ],
  ['a size of a chunk that is not a number', post(`${CHUNKED}\r\nzz\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a size of a chunk with 0x', post(`${CHUNKED}\r\n0x2\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a size of a chunk below nothing', post(`${CHUNKED}\r\n-2\r\n{}\r\n0\r\n\r\n`), 'S10'],
  [
    'a size of a chunk beyond all numbers',
    post(`${CHUNKED}\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`),
    'S10',
  ],
  ['chunks that end in LF alone', post(`${CHUNKED}\r\n2\n{}\n0\n\n`), 'S10'],
  ['a chunk longer than its size', post(`${CHUNKED}\r\n2\r\n{}x\r\n0\r\n\r\n`), 'S10'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'S10'],
  ['HTTP/0.9', 'GET /\r\n\r\n', 'S10'],
  ['HTTP/3.7', `POST / HTTP/3.7\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['HTTP/1.2', `POST / HTTP/1.2\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['a method in small letters', `post / HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['a method that is none', `FROB / HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['a tab in the request line', `POST\t/ HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['a blank in the path', `POST / x HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`, 'S10'],
  ['a control character in the path', 'GET /\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'S10'],
  ['a length of nothing at all', post(`Content-Length:\r\n\r\n{}`), 'H19'],
  ['a length in words', post(`Content-Length: two\r\n\r\n{}`), 'H19'],
  ['a length with a blank inside', post(`Content-Length: 1 1\r\n\r\n{}`), 'H19'],
  ['a length with an exponent', post(`Content-Length: 2e0\r\n\r\n{}`), 'H19'],
  ['a length of 16 digits', post(`Content-Length: 1000000000000000\r\n\r\n{}`), 'H19'],
  [
    'two lengths spelt differently',
    post(`Content-Length: 2\r\ncontent-LENGTH: 2\r\n\r\n{}`),
    'H19',
  ],
  ...[
    'chunked, chunked',
    'gzip, chunked',
    'chunked;q=1',
    '"chunked"',
    'chunked,',
    ',chunked',
    'chun ked',
    '\x0bchunked',
    'chunked\x0c',
    'chunked\0',
    '',
  ].map(
    (coding) =>
      [
        `the encoding ${JSON.stringify(coding)}`,
        post(`Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
        'H19',
      ] as const,
  ),
  [
    'an encoding named twice',
    post(`${CHUNKED}${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    'H19',
  ],
  [
    'chunks in HTTP/1.0',
    `POST / HTTP/1.0\r\n${HEAD}${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    'H19',
  ],
  ['a NUL in the name of a header', post(`X\0A: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a tab in the name of a header', post(`X\tA: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a tab before the colon', post(`X-A\t: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a bracket in the name of a header', post(`X(A: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a name beyond ASCII', post(`X-\xe4: b\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a DEL in a header', post(`X-A: b\x7f\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['an escape in a header', post(`X-A: \x1b[2J\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['two CR before a LF', post(`X-A: b\r\r\nContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a LF before a CR', post(`X-A: b\n\rContent-Length: 2\r\n\r\n{}`), 'S10'],
  ['a head that ends in LF alone', post(`Content-Length: 2\r\n\n{}`), 'S10'],
  ['two blanks in the request line', `POST  / HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a blank before the method', ` POST / HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a blank after the version', `POST / HTTP/1.1 \r\n${HEAD}\r\n`, 'S10'],
  ['http in small letters', `POST / http/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a version of two digits', `POST / HTTP/1.10\r\n${HEAD}\r\n`, 'S10'],
  ['a version with a zero before it', `POST / HTTP/01.1\r\n${HEAD}\r\n`, 'S10'],
  ['no target', `POST HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['an empty target', `POST  HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a target without a slash', `POST x HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a star with more', `OPTIONS *x HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a target beyond ASCII', `GET /\xe4 HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a NUL in the target', `GET /\0 HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a target of another scheme', `GET ftp://localhost/ HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a target with a user', `GET http://a@localhost/ HTTP/1.1\r\n${HEAD}\r\n`, 'S10'],
  ['a chunk without an end of line', post(`${CHUNKED}\r\n2\r\n{}0\r\n\r\n`), 'S10'],
  ['a chunk that ends in LF alone', post(`${CHUNKED}\r\n2\r\n{}\n0\r\n\r\n`), 'S10'],
  ['a blank before the size of a chunk', post(`${CHUNKED}\r\n 2\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a blank after the size of a chunk', post(`${CHUNKED}\r\n2 \r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a plus before the size of a chunk', post(`${CHUNKED}\r\n+2\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a chunk without a size', post(`${CHUNKED}\r\n\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['an extension without a size', post(`${CHUNKED}\r\n;a\r\n{}\r\n0\r\n\r\n`), 'S10'],
  ['a NUL in an extension', post(`${CHUNKED}\r\n2;\0\r\n{}\r\n0\r\n\r\n`), 'S10'],
  [
    'an extension of 17 KB',
    post(`${CHUNKED}\r\n2;${'a'.repeat(17 * 1024)}\r\n{}\r\n0\r\n\r\n`),
    'S10',
  ],
  [
    'trailers of 17 KB',
    post(`${CHUNKED}\r\n2\r\n{}\r\n0\r\n${'X-A: 0123456789\r\n'.repeat(1300)}\r\n`),
    'S10',
  ],
  ['a trailer without a colon', post(`${CHUNKED}\r\n2\r\n{}\r\n0\r\nx\r\n\r\n`), 'S10'],
  ['a folded trailer', post(`${CHUNKED}\r\n2\r\n{}\r\n0\r\nX: y\r\n z\r\n\r\n`), 'S10'],
  ['a NUL in a trailer', post(`${CHUNKED}\r\n2\r\n{}\r\n0\r\nX: \0\r\n\r\n`), 'S10'],
  ['9 empty lines before a request', `${'\r\n'.repeat(9)}${post('Content-Length: 2\r\n\r\n{}')}`],
  ['the greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'S10'],
  ['garbage', '\xff\xfe\xfd\r\n\r\n', 'S10'],
]

const tooLarge = ({ responses, closed }: Exchange): void => {
  expect(responses.map((each) => each.statusCode)).toEqual([431])
  expect(closed).toBe(true)
}

const single: readonly WireCase[] = [
  ...refusals.map(([name, text, id]) =>
    bytes(`${name} is refused`, [text], 'closed', refusedOnce, id),
  ),
  bytes(
    'a header of 17 KB is refused',
    [post(`X-A: ${'a'.repeat(17 * 1024)}\r\nContent-Length: 2\r\n\r\n{}`)],
    'closed',
    tooLarge,
    'W28',
  ),
  bytes(
    'headers of 17 KB together are refused',
    [post(`${'X-A: 0123456789\r\n'.repeat(1300)}Content-Length: 2\r\n\r\n{}`)],
    'closed',
    tooLarge,
    'W28',
  ),
  bytes(
    'a request line of 17 KB is refused',
    [`POST /${'a'.repeat(17 * 1024)} HTTP/1.1\r\n${HEAD}\r\n`],
    'closed',
    tooLarge,
    'W28',
  ),
  bytes(
    'headers of 15 KB are read',
    [post(`X-A: ${'a'.repeat(15 * 1024)}\r\nContent-Length: 2\r\n\r\n{}`)],
    'answered',
    servedOnce,
    'W28',
  ),
  bytes(
    '300 headers are read',
    [
      post(
        `${Array.from({ length: 300 }, (_, n) => `X${n}: a\r\n`).join('')}Content-Length: 2\r\n\r\n{}`,
      ),
    ],
    'answered',
    servedOnce,
    'W28',
  ),
  bytes(
    'a second host is seen behind 300 headers',
    [
      post(
        `${Array.from({ length: 300 }, (_, n) => `X${n}: a\r\n`).join('')}Host: evil.example\r\nContent-Length: 2\r\n\r\n{}`,
      ),
    ],
    'answered',
    ({ responses }) => expect(responses.map((each) => each.statusCode)).toEqual([400]),
    'S2',
  ),
  ...[-1, 0, 1].map((more) => {
    const rest = post('Content-Length: 2\r\nX-A: \r\n\r\n')
    const padding = 'a'.repeat(16 * 1024 - rest.length + more)
    return bytes(
      `a head of 16 KB ${more < 0 ? 'less a byte' : more > 0 ? 'and a byte' : 'sharp'} is ${more > 0 ? 'refused' : 'read'}`,
      [post(`Content-Length: 2\r\nX-A: ${padding}\r\n\r\n{}`)],
      more > 0 ? 'closed' : 'answered',
      more > 0 ? tooLarge : servedOnce,
      'W28',
    )
  }),
  ...[999, 1000, 1001].map((count) => {
    const others = HEAD.split('\r\n').length - 1 + 1
    const lines = 'X:\r\n'.repeat(count - others)
    return bytes(
      `${count} headers are ${count > 1000 ? 'refused' : 'read'}`,
      [post(`${lines}Content-Length: 2\r\n\r\n{}`)],
      count > 1000 ? 'closed' : 'answered',
      count > 1000 ? tooLarge : servedOnce,
      'W28',
    )
  }),
  bytes(
    '8 empty lines before a request are passed over',
    [`${'\r\n'.repeat(8)}${post('Content-Length: 2\r\n\r\n{}')}`],
    'answered',
    servedOnce,
  ),
  bytes(
    'a size of a chunk may have zeros before it',
    [post(`${CHUNKED}\r\n000000000002\r\n{}\r\n0\r\n\r\n`)],
    'answered',
    servedOnce,
  ),
  bytes(
    'values beyond ASCII are read',
    [post(`X-A: \xe4\xff\r\nContent-Length: 2\r\n\r\n{}`)],
    'answered',
    servedOnce,
  ),
  bytes(
    'a refused host is not asked to continue, and nothing after it is read',
    [
      `POST / HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n${SMUGGLED}`,
    ],
    'closed',
    ({ responses, closed }) => {
      expect(responses.map((each) => each.statusCode)).toEqual([403])
      expect(responses[0]?.headers.get('connection')).toEqual(['close'])
      expect(closed).toBe(true)
    },
    'S2',
  ),
  bytes(
    'what follows a request that ends the connection is not read',
    [`${post('Connection: close\r\nContent-Length: 2\r\n\r\n{}')}${SMUGGLED}`],
    'closed',
    servedOnce,
    'S10',
  ),
  bytes(
    'HTTP/1.0 may ask for the connection to be kept',
    [
      `POST / HTTP/1.0\r\n${HEAD}Connection: Keep-Alive\r\nContent-Length: 2\r\n\r\n{}GET / HTTP/1.0\r\nHost: localhost\r\n\r\n`,
    ],
    'closed',
    ({ responses }) => {
      expect(responses.map((each) => each.statusCode)).toEqual([200, 200])
      expect(responses.map((each) => each.headers.get('connection')?.[0])).toEqual([
        'keep-alive',
        'close',
      ])
    },
  ),
  bytes(
    'chunked is read in any case',
    [post(`Transfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)],
    'answered',
    servedOnce,
  ),
  bytes(
    'extensions of chunks are passed over',
    [post(`${CHUNKED}\r\n2;a=b\r\n{}\r\n0\r\n\r\n`)],
    'answered',
    servedOnce,
  ),
  bytes(
    'a trailer is not a header',
    [post(`${CHUNKED}\r\n2\r\n{}\r\n0\r\nX-Amz-Target: x\r\nOrigin: http://evil.example\r\n\r\n`)],
    'answered',
    servedOnce,
  ),
  bytes(
    'empty lines before a request are passed over',
    [`\r\n\r\n${post('Content-Length: 2\r\n\r\n{}')}`],
    'answered',
    servedOnce,
  ),
  bytes(
    'CONNECT is not answered',
    ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    'closed',
    ({ responses, closed }) =>
      expect({ count: responses.length, closed }).toEqual({ count: 0, closed: true }),
  ),
  bytes(
    'an upgrade is not made',
    [post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}')],
    'answered',
    servedOnce,
  ),
  bytes(
    'a client that waits for 100 Continue gets it, and its answer',
    [post('Expect: 100-continue\r\nContent-Length: 2\r\n\r\n'), '{}'],
    'answered',
    servedOnce,
  ),
  bytes(
    'another expectation is not met',
    [post('Expect: nonsense\r\nContent-Length: 0\r\n\r\n')],
    'answered',
    ({ responses }) => expect(responses[0]?.statusCode).toBe(417),
  ),
]

const NONE = { status: 200, text: '{"TableNames":[]}' }
const request = requestBytes()

const connections: readonly WireCase[] = [
  {
    name: 'a request in pieces is answered when the last has come',
    async run({ port }) {
      const pieces = Array.from({ length: Math.ceil(request.length / 50) }, (_, at) =>
        request.subarray(at * 50, at * 50 + 50),
      )
      const { responses } = await exchange(pieces, { port })
      expect(responses.map((each) => each.statusCode)).toEqual([200])
    },
  },
  {
    name: 'a connection is kept for the next request',
    async run({ port }) {
      const { responses, closed } = await exchange([request, request], { port, responses: 2 })
      expect(responses.map((each) => each.statusCode)).toEqual([200, 200])
      expect(responses[0]?.headers.get('connection')).toEqual(['keep-alive'])
      expect(closed).toBe(false)
    },
  },
  {
    name: 'each request has an id of its own',
    async run({ port }) {
      const { responses } = await exchange([Buffer.concat(Array(20).fill(request))], {
        port,
        responses: 20,
      })
      const ids = responses.map((each) => each.headers.get('x-amzn-requestid')?.[0])
      expect(new Set(ids).size).toBe(20)
    },
  },
  {
    id: 'S10',
    name: '100 requests sent at once are answered in their order',
    async run({ engine, port }) {
      const requests: Buffer[] = []
      for (let n = 0; n < 100; n++) {
        const pk = { S: `pipelined-${n}` }
        await engine.send('PutItem', { TableName: 'table', Item: { pk } })
        const body = JSON.stringify({ TableName: 'table', Key: { pk } })
        requests.push(requestBytes({ target: 'GetItem', body }))
      }
      const { responses } = await exchange([Buffer.concat(requests)], { port, responses: 100 })
      const found = responses.map((each) => JSON.parse(each.body.toString()).Item.pk.S)
      expect(found).toEqual(Array.from({ length: 100 }, (_, n) => `pipelined-${n}`))
    },
  },
  {
    id: 'S10',
    name: 'a mistake among requests sent at once does not shift the answers',
    async run({ port }) {
      const all = [
        request,
        requestBytes({ body: '{' }),
        request,
        requestBytes({ method: 'PUT' }),
        request,
      ]
      const { responses } = await exchange([Buffer.concat(all)], { port, responses: 5 })
      expect(responses.map((each) => each.statusCode)).toEqual([200, 400, 200, 404, 200])
    },
  },
  {
    name: 'a connection ends after the answer when the client asks for it',
    async run({ port }) {
      const closing = requestBytes({ headers: { Connection: 'close' } })
      const { responses, closed } = await exchange([closing], { port, untilClosed: true })
      expect(responses).toHaveLength(1)
      expect(closed).toBe(true)
    },
  },
  {
    name: 'HTTP/1.0 is answered, and the connection ends',
    async run({ port }) {
      const old = requestBytes({ version: 'HTTP/1.0' })
      const { responses, closed } = await exchange([old], { port, untilClosed: true })
      expect(responses).toHaveLength(1)
      if (responses[0]) check(responses[0], NONE)
      expect(closed).toBe(true)
    },
  },
  {
    name: 'what follows a refused body is a request again',
    async run({ port }) {
      const foreign = requestBytes({
        headers: { Host: 'evil.example' },
        body: LIST_TABLES.padEnd(5000),
      })
      const { responses } = await exchange([Buffer.concat([foreign, request])], {
        port,
        responses: 2,
      })
      expect(responses.map((each) => each.statusCode)).toEqual([403, 200])
    },
  },
  {
    name: 'a client that goes away in the middle of its request does no harm',
    async run({ port }) {
      await exchange([requestBytes({ body: '', headers: { 'Content-Length': '100' } })], {
        port,
        timeoutMs: 20,
      })
      const { responses } = await exchange([request], { port })
      expect(responses.map((each) => each.statusCode)).toEqual([200])
    },
  },
  {
    name: 'a client that ends its side after its requests gets all answers, and the end',
    async run({ port }) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(Buffer.concat([request, request]))
      let text = ''
      for await (const chunk of socket) text += chunk
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    },
  },
  {
    name: 'a client that ends its side in the middle of a request is refused',
    async run({ port }) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(request.subarray(0, -1))
      let text = ''
      for await (const chunk of socket) text += chunk
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    },
  },
  {
    name: 'both addresses of loopback answer, where the machine has both',
    async run({ port }) {
      const { responses } = await exchange([request], { port, host: '::1', timeoutMs: 1000 })
      // A machine without IPv6 has no answer to give.
      expect([[200], []]).toContainEqual(responses.map((each) => each.statusCode))
    },
  },
]

/** Bytes that no client sends, and what connections carry. */
export const parsingCases: readonly WireCase[] = [...single, ...connections]
