import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { expect } from 'vitest'
import { exchange } from '../raw-http.ts'
import {
  answers,
  check,
  LIST_TABLES,
  requestBytes,
  UNREADABLE,
  type WireCase,
} from '../wire-case.ts'

const NONE = { status: 200, text: '{"TableNames":[]}' }
const MEGABYTE = 1024 * 1024
const LIMIT = 16 * MEGABYTE
const padded = (size: number): string => LIST_TABLES + ' '.repeat(size - LIST_TABLES.length)

const sent = (
  name: string,
  encoding: string,
  body: Buffer,
  answer: object,
  id?: string,
): WireCase =>
  answers(name, { body, headers: { 'Content-Encoding': encoding } }, answer as typeof NONE, id)

const incoming: readonly WireCase[] = [
  sent('a body may be gzip', 'gzip', gzipSync(LIST_TABLES), NONE),
  sent('a body may be deflate', 'deflate', deflateSync(LIST_TABLES), NONE),
  sent('an encoding is found in any case', 'GZIP', gzipSync(LIST_TABLES), NONE),
  sent('blanks around an encoding are dropped', ' gzip ', gzipSync(LIST_TABLES), NONE),
  sent('identity is not an encoding', 'identity', Buffer.from(LIST_TABLES), NONE),
  sent('an empty encoding is none', '', Buffer.from(LIST_TABLES), NONE),
  sent(
    'two members of gzip are one body',
    'gzip',
    Buffer.concat([gzipSync(LIST_TABLES.slice(0, 10)), gzipSync(LIST_TABLES.slice(10))]),
    NONE,
    'W25',
  ),
  sent(
    '100 members of gzip are one body',
    'gzip',
    Buffer.concat([...LIST_TABLES.padEnd(100)].map((character) => gzipSync(character))),
    NONE,
    'W25',
  ),
  sent(
    'a plain body that is said to be gzip is unreadable',
    'gzip',
    Buffer.from(LIST_TABLES),
    UNREADABLE,
    'W23',
  ),
  sent(
    'a plain body that is said to be deflate is unreadable',
    'deflate',
    Buffer.from(LIST_TABLES),
    UNREADABLE,
    'W23',
  ),
  sent(
    'gzip that is said to be deflate is unreadable',
    'deflate',
    gzipSync(LIST_TABLES),
    UNREADABLE,
    'W23',
  ),
  sent(
    'deflate without its wrapping is unreadable',
    'deflate',
    deflateRawSync(LIST_TABLES),
    UNREADABLE,
    'W23',
  ),
  sent(
    'half of a gzip is unreadable',
    'gzip',
    gzipSync(LIST_TABLES).subarray(0, 20),
    UNREADABLE,
    'W23',
  ),
  sent(
    'gzip with a wrong checksum is unreadable',
    'gzip',
    wrongChecksum(gzipSync(LIST_TABLES)),
    UNREADABLE,
    'W23',
  ),
  sent('gzip of nothing is an unreadable body', 'gzip', gzipSync(''), UNREADABLE),
  sent('gzip of no JSON is unreadable', 'gzip', gzipSync('{'), UNREADABLE),
  ...[
    'br',
    'zstd',
    'compress',
    'x-gzip',
    'gzip, gzip',
    'gzip, deflate',
    'aws-chunked',
    'none',
    '*',
  ].map((encoding) =>
    sent(
      `the encoding ${encoding} is unreadable`,
      encoding,
      gzipSync(LIST_TABLES),
      UNREADABLE,
      'W24',
    ),
  ),
  sent('gzip of 16 MB is read', 'gzip', gzipSync(padded(LIMIT)), NONE, 'W22'),
  sent(
    'gzip of 16 MB and a byte is too large',
    'gzip',
    gzipSync(padded(LIMIT + 1)),
    { status: 413, text: '' },
    'W22',
  ),
  sent(
    'deflate of 16 MB and a byte is too large',
    'deflate',
    deflateSync(padded(LIMIT + 1)),
    { status: 413, text: '' },
    'W22',
  ),
  sent(
    'gzip of 256 MB of zeros is too large, and not unpacked',
    'gzip',
    gzipSync(Buffer.alloc(256 * MEGABYTE)),
    { status: 413, text: '' },
    'W22',
  ),
]

function wrongChecksum(gzip: Buffer): Buffer {
  const bytes = Buffer.from(gzip)
  bytes.writeUInt32LE(1, bytes.length - 8)
  return bytes
}

const chunk = (text: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${text.length.toString(16)}\r\n`),
    Buffer.from(text),
    Buffer.from('\r\n'),
  ])
const chunked = (...chunks: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([...chunks.map(chunk), Buffer.from('0\r\n\r\n')])
const asChunks = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }

const sizes: readonly WireCase[] = [
  answers('a body of 16 MB is read', { body: padded(LIMIT) }, NONE, 'W20'),
  answers('a body of 16 MB less a byte is read', { body: padded(LIMIT - 1) }, NONE, 'W20'),
  answers(
    'a body of 16 MB and a byte is too large',
    { body: padded(LIMIT + 1) },
    { status: 413, text: '' },
    'W20',
  ),
  answers(
    'a length of 16 MB and a byte is refused before the body comes',
    { body: '', headers: { 'Content-Length': String(LIMIT + 1) } },
    { status: 413, text: '' },
    'W20',
  ),
  answers(
    'a length of many gigabytes is refused before the body comes',
    { body: '', headers: { 'Content-Length': '99999999999' } },
    { status: 413, text: '' },
    'W20',
  ),
  answers(
    'too large goes before a wrong method',
    { method: 'PUT', body: '', headers: { 'Content-Length': String(LIMIT + 1) } },
    { status: 413, text: '' },
  ),
  answers(
    '16 MB in chunks are read',
    { headers: asChunks, body: chunked(padded(LIMIT / 2), ' '.repeat(LIMIT / 2)) },
    NONE,
    'W21',
  ),
  answers(
    '16 MB and a byte in chunks are too large',
    { headers: asChunks, body: chunked(padded(LIMIT / 2), ' '.repeat(LIMIT / 2 + 1)) },
    { status: 413, text: '' },
    'W21',
  ),
  answers(
    '17 MB in chunks are too large',
    { headers: asChunks, body: chunked(...Array.from({ length: 17 }, () => ' '.repeat(MEGABYTE))) },
    { status: 413, text: '' },
    'W21',
  ),
  answers(
    'a body in chunks of a byte is read',
    { headers: asChunks, body: chunked(...LIST_TABLES) },
    NONE,
  ),
  answers(
    'gzip in chunks is read',
    { headers: { ...asChunks, 'Content-Encoding': 'gzip' }, body: chunked(gzipSync(LIST_TABLES)) },
    NONE,
  ),
]

/** An item whose answer of GetItem has this many bytes. */
const ITEM_OVERHEAD = Buffer.byteLength('{"Item":{"pk":{"S":"size-0000"},"a":{"S":""}}}')
const answerOf = (size: number): object => ({
  Item: {
    pk: { S: `size-${String(size).slice(0, 4)}` },
    a: { S: 'x'.repeat(size - ITEM_OVERHEAD) },
  },
})
const outgoing = (
  name: string,
  size: number,
  accept: string | readonly string[] | undefined,
  encoding: 'gzip' | 'deflate' | undefined,
): WireCase => ({
  name,
  async run({ engine, port }) {
    const answer = answerOf(size) as { Item: { pk: { S: string } } }
    await engine.send('PutItem', { TableName: 'table', Item: answer.Item })
    const request = requestBytes({
      target: 'GetItem',
      body: JSON.stringify({ TableName: 'table', Key: { pk: answer.Item.pk } }),
      headers: { 'Accept-Encoding': accept },
    })
    const { responses } = await exchange([request], { port })
    const [response] = responses
    if (response === undefined) throw new Error('There was no answer.')
    check(response, { status: 200, headers: { 'content-encoding': encoding } })
    const unpack =
      encoding === 'gzip' ? gunzipSync : encoding === 'deflate' ? inflateSync : Buffer.from
    const text = unpack(response.body).toString()
    expect(text.length).toBe(size)
    expect(JSON.parse(text)).toEqual(answer)
  },
})

const outgoingCases: readonly WireCase[] = [
  outgoing('4095 bytes are sent as they are', 4095, 'gzip', undefined),
  outgoing('4096 bytes are sent as they are', 4096, 'gzip', undefined),
  outgoing('4097 bytes are compressed when asked for', 4097, 'gzip', 'gzip'),
  outgoing('deflate is sent when asked for', 9000, 'deflate', 'deflate'),
  outgoing('nothing is compressed when nothing is asked for', 9000, undefined, undefined),
  outgoing('identity asks for nothing', 9000, 'identity', undefined),
  outgoing('an empty header asks for nothing', 9000, '', undefined),
  outgoing('of two the first goes', 9000, 'gzip, deflate', 'gzip'),
  outgoing('of two the first goes, the other way round', 9000, 'deflate, gzip', 'deflate'),
  outgoing('the better quality goes', 9001, 'gzip;q=0.5, deflate;q=0.9', 'deflate'),
  outgoing('a quality of 0 is a refusal', 9001, 'gzip;q=0', undefined),
  outgoing('a quality of 0 leaves the other', 9001, 'gzip;q=0, deflate', 'deflate'),
  outgoing('what is not known is passed over', 9001, 'br, zstd, gzip', 'gzip'),
  outgoing('a star asks for nothing', 9001, '*', undefined),
  outgoing('the header is read in any case', 9001, 'GZIP', 'gzip'),
  outgoing('of two headers the first alone counts', 9001, ['identity', 'gzip'], undefined),
  outgoing(
    'of two headers the first alone counts, the other way round',
    9001,
    ['gzip', 'identity'],
    'gzip',
  ),
  outgoing('300 KB are compressed', 300_000, 'gzip', 'gzip'),
]

/** Bodies that are compressed, chunked, large or all of it. */
export const encodingCases: readonly WireCase[] = [...incoming, ...sizes, ...outgoingCases]
