import { expect } from 'vitest'
import { answers, bytes, requestBytes, type WireCase } from '../wire-case.ts'

const NONE = { status: 200, text: '{"TableNames":[]}' }
const FORBIDDEN = { status: 403, text: '', headers: { 'access-control-allow-origin': undefined } }
const BAD = { status: 400, text: '' }

const good = [
  'localhost',
  'localhost:8000',
  'LOCALHOST',
  'LocalHost:1',
  '127.0.0.1',
  '127.0.0.1:65535',
  '[::1]',
  '[::1]:8000',
  'localhost:0',
]
const foreign = [
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  'localhost.evil.example:8000',
  '127.0.0.1.evil.example',
  'evil-localhost',
  'localhost.',
  '127.0.0.2',
  '127.1',
  '0.0.0.0',
  '0',
  '2130706433',
  '0x7f.0.0.1',
  '192.168.0.1',
  '10.0.0.1:8000',
  '169.254.169.254',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[fe80::1]',
  'dynamodb.us-east-1.amazonaws.com',
]
const broken = [
  '',
  ' ',
  '127.0.0.1:99999',
  'localhost:65536',
  'localhost:x',
  'localhost:',
  'localhost:80:80',
  'localhost:-1',
  'localhost evil.example',
  'localhost, evil.example',
  'localhost/evil.example',
  'evil.example@localhost',
  'user:word@localhost',
  'http://localhost',
  '::1',
  '[::1',
  'localhost?x',
  'localhost#x',
  'localhost\\evil',
]

const hosts: readonly WireCase[] = [
  ...good.map((Host) => answers(`Host ${Host} is served`, { headers: { Host } }, NONE, 'S2')),
  ...foreign.map((Host) =>
    answers(
      `Host ${Host} is forbidden`,
      { headers: { Host } },
      FORBIDDEN,
      Host.startsWith('localhost.e') ? 'H2' : 'H1',
    ),
  ),
  ...broken.map((Host) =>
    answers(`Host ${JSON.stringify(Host)} is not a host`, { headers: { Host } }, BAD, 'H4'),
  ),
  answers(
    'a foreign host does not get the health',
    { method: 'GET', body: '', headers: { Host: 'evil.example' } },
    FORBIDDEN,
    'H1',
  ),
  answers('two hosts are refused', { headers: { Host: ['localhost', 'localhost'] } }, BAD, 'S2'),
  answers(
    'two hosts are refused, a foreign one first',
    { headers: { Host: ['evil.example', 'localhost'] } },
    BAD,
    'S2',
  ),
  answers(
    'two hosts are refused, a foreign one last',
    { headers: { Host: ['localhost', 'evil.example'] } },
    BAD,
    'S2',
  ),
  answers('no host is refused', { headers: { Host: undefined } }, BAD, 'H3'),
  answers(
    'no host is refused in HTTP/1.0',
    { version: 'HTTP/1.0', headers: { Host: undefined } },
    BAD,
    'H3',
  ),
  answers(
    'a host in the request line must be that of the header',
    { path: 'http://evil.example/' },
    BAD,
  ),
  answers(
    'a host in the request line does not make up for the header',
    { path: 'http://localhost/', headers: { Host: 'evil.example' } },
    BAD,
  ),
  bytes(
    'a foreign host is refused before its body comes',
    [requestBytes({ headers: { Host: 'evil.example', 'Content-Length': '1000' }, body: '' })],
    'answered',
    ({ responses }) => expect(responses.map((each) => each.statusCode)).toEqual([403]),
    'S2',
  ),
]

const origins = [
  'http://evil.example',
  'https://evil.example',
  'null',
  'http://localhost',
  'http://localhost:8000',
  'http://127.0.0.1:8000',
  'http://localhost:3000',
  'https://localhost',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  '*',
  '',
]
const originCases: readonly WireCase[] = [
  ...origins.map((Origin) =>
    answers(
      `Origin ${JSON.stringify(Origin)} is forbidden`,
      { headers: { Origin } },
      FORBIDDEN,
      Origin === 'null' ? 'H6' : 'H5',
    ),
  ),
  answers(
    'two origins are forbidden',
    { headers: { Origin: ['http://a.example', 'http://b.example'] } },
    FORBIDDEN,
    'H5',
  ),
  answers(
    'an origin does not get the health',
    { method: 'GET', body: '', headers: { Origin: 'http://evil.example' } },
    FORBIDDEN,
    'H5',
  ),
  ...['cross-site', 'same-site', 'nonsense', ''].map((site) =>
    answers(
      `Sec-Fetch-Site ${JSON.stringify(site)} is forbidden`,
      { headers: { 'Sec-Fetch-Site': site } },
      FORBIDDEN,
      'S3',
    ),
  ),
  ...['same-origin', 'none'].map((site) =>
    answers(
      `Sec-Fetch-Site ${site} is served`,
      { headers: { 'Sec-Fetch-Site': site } },
      NONE,
      'S3',
    ),
  ),
  answers(
    'a page that a browser shows may not load the health from elsewhere',
    { method: 'GET', body: '', headers: { 'Sec-Fetch-Site': 'cross-site' } },
    FORBIDDEN,
    'S3',
  ),
  answers(
    'a preflight is forbidden, and allows nothing',
    {
      method: 'OPTIONS',
      body: '',
      headers: {
        Origin: 'http://evil.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-amz-target',
      },
    },
    {
      ...FORBIDDEN,
      headers: {
        'access-control-allow-origin': undefined,
        'access-control-allow-methods': undefined,
        'access-control-allow-headers': undefined,
        vary: undefined,
      },
    },
    'H7',
  ),
  answers(
    'a preflight for a private network is forbidden',
    {
      method: 'OPTIONS',
      body: '',
      headers: {
        Origin: 'https://evil.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Private-Network': 'true',
      },
    },
    { ...FORBIDDEN, headers: { 'access-control-allow-private-network': undefined } },
    'S4',
  ),
  answers(
    'a websocket from another origin is forbidden',
    {
      method: 'GET',
      body: '',
      headers: { Origin: 'http://evil.example', Connection: 'Upgrade', Upgrade: 'websocket' },
    },
    FORBIDDEN,
    'H20',
  ),
  {
    id: 'S5',
    name: 'what a form can send changes nothing',
    async run(server) {
      const body = JSON.stringify({ TableName: 'table', Item: { pk: { S: 'forged' } } })
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]) {
        const parts = { target: 'PutItem', body, headers: { 'Content-Type': type } }
        await answers('', parts, { status: 404 }).run(server)
      }
      const Key = { pk: { S: 'forged' } }
      expect(await server.engine.send('GetItem', { TableName: 'table', Key })).toEqual({})
    },
  },
  {
    id: 'S3',
    name: 'a write from another origin is not carried out',
    async run(server) {
      const body = JSON.stringify({ TableName: 'table', Item: { pk: { S: 'from-a-page' } } })
      const parts = { target: 'PutItem', body, headers: { Origin: 'http://evil.example' } }
      await answers('', parts, { status: 403 }).run(server)
      const Key = { pk: { S: 'from-a-page' } }
      expect(await server.engine.send('GetItem', { TableName: 'table', Key })).toEqual({})
    },
  },
]

/** Who may call: hosts, origins and what browsers say of themselves. */
export const guardCases: readonly WireCase[] = [...hosts, ...originCases]

const APP = 'http://localhost:5173'
const allowed = {
  vary: 'Origin',
  'access-control-allow-origin': APP,
  'access-control-allow-credentials': undefined,
}
const preflight = (Origin: string, more: Readonly<Record<string, string>> = {}) => ({
  method: 'OPTIONS',
  body: '',
  headers: {
    Origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'x-evil',
    ...more,
  },
})

/** A server that lets pages of `APP` in, and is also called `dynamodb`. */
export const CORS_OPTIONS = { corsOrigins: [APP], allowedHosts: ['dynamodb'] }
export const corsCases: readonly WireCase[] = [
  answers(
    'a page of a listed origin is served',
    { headers: { Origin: APP } },
    { ...NONE, headers: allowed },
    'S4',
  ),
  answers(
    'and may read the id of its request',
    { headers: { Origin: APP } },
    { ...NONE, headers: { 'access-control-expose-headers': /x-amzn-RequestId/ } },
    'S4',
  ),
  answers(
    'errors can be read by the page too',
    { target: 'GetItem', body: '{}', headers: { Origin: APP } },
    { status: 400, headers: allowed },
    'S4',
  ),
  answers(
    'a listed origin may be cross-site',
    { headers: { Origin: APP, 'Sec-Fetch-Site': 'cross-site' } },
    { ...NONE, headers: allowed },
    'S4',
  ),
  answers(
    'a request without origin is served, and varies',
    {},
    { ...NONE, headers: { vary: 'Origin', 'access-control-allow-origin': undefined } },
    'S4',
  ),
  answers(
    'its preflight is allowed, by a fixed list of headers',
    preflight(APP),
    {
      status: 200,
      text: '',
      headers: {
        ...allowed,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': /^authorization, .*x-amz-target/,
        'access-control-max-age': '172800',
      },
    },
    'S4',
  ),
  answers(
    'the headers a page asks for are never echoed',
    preflight(APP),
    { status: 200, headers: { 'access-control-allow-headers': /^(?!.*evil)/ } },
    'S4',
  ),
  answers(
    'a private network is granted to a listed origin',
    preflight(APP, { 'Access-Control-Request-Private-Network': 'true' }),
    { status: 200, headers: { 'access-control-allow-private-network': 'true' } },
    'S4',
  ),
  answers(
    'a private network is not granted unasked',
    preflight(APP),
    { status: 200, headers: { 'access-control-allow-private-network': undefined } },
    'S4',
  ),
  ...[
    'http://localhost:5174',
    'https://localhost:5173',
    'http://localhost',
    'http://localhost:51730',
    'http://LOCALHOST:5173',
    'null',
    `${APP}/`,
    `${APP}, http://evil.example`,
  ].flatMap((Origin) => [
    answers(
      `Origin ${Origin} is not the listed one`,
      { headers: { Origin } },
      { status: 403, headers: { vary: 'Origin', 'access-control-allow-origin': undefined } },
      'S4',
    ),
    answers(
      `a preflight of ${Origin} is forbidden`,
      preflight(Origin),
      {
        status: 403,
        headers: {
          'access-control-allow-origin': undefined,
          'access-control-allow-headers': undefined,
        },
      },
      'S4',
    ),
  ]),
  answers(
    'OPTIONS without origin is not a preflight',
    { method: 'OPTIONS', body: '' },
    { status: 404 },
    'S4',
  ),
  answers('a host on the list is served', { headers: { Host: 'dynamodb:8000' } }, NONE, 'S2'),
  answers('a host on the list is found in any case', { headers: { Host: 'DynamoDB' } }, NONE, 'S2'),
  answers(
    'a name under one on the list is another',
    { headers: { Host: 'x.dynamodb' } },
    { status: 403 },
    'S2',
  ),
  answers(
    'a listed origin does not make up for a foreign host',
    { headers: { Origin: APP, Host: 'evil.example' } },
    { status: 403 },
    'S2',
  ),
]
