import {
  type Answer,
  AUTHORIZATION,
  answers,
  CORAL,
  LIST_TABLES,
  type WireCase,
} from '../wire-case.ts'

const NONE = { status: 200, text: '{"TableNames":[]}' }
const MISSING: Answer = {
  status: 400,
  text: `{"__type":"${CORAL}MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`,
}
const incomplete = (message: string): Answer => ({
  status: 400,
  type: `${CORAL}IncompleteSignatureException`,
  message,
})

/** Every subset of a list but the whole of it. */
function properSubsets<TElement>(list: readonly TElement[]): readonly (readonly TElement[])[] {
  const count = 2 ** list.length - 1
  return Array.from({ length: count }, (_, bits) => list.filter((_element, at) => bits & (1 << at)))
}

const HEADER_PARAMETERS = ['Credential', 'Signature', 'SignedHeaders']
const headerCases: readonly WireCase[] = [
  ...properSubsets([...HEADER_PARAMETERS, 'date']).map((given) => {
    const Authorization = `AWS4-HMAC-SHA256 ${
      HEADER_PARAMETERS.filter((name) => given.includes(name))
        .map((name) => `${name}=x`)
        .join(', ') || 'y'
    }`
    const missing = HEADER_PARAMETERS.filter((name) => !given.includes(name)).map(
      (name) => `Authorization header requires '${name}' parameter. `,
    )
    if (!given.includes('date')) {
      missing.push(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ",
      )
    }
    return answers(
      `a header with ${given.join(', ') || 'nothing'} alone is incomplete`,
      { headers: { Authorization, ...(!given.includes('date') && { 'X-Amz-Date': undefined }) } },
      incomplete(`${missing.join('')}Authorization=${Authorization}`),
      'W30',
    )
  }),
  answers(
    'a Date will do instead of X-Amz-Date',
    { headers: { 'X-Amz-Date': undefined, Date: 'Mon, 16 Nov 2026 12:00:00 GMT' } },
    NONE,
  ),
  answers(
    'parameters may follow each other without blanks',
    { headers: { Authorization: AUTHORIZATION.replaceAll(', ', ',') } },
    NONE,
  ),
  answers(
    'parameters may be parted by blanks alone',
    { headers: { Authorization: AUTHORIZATION.replaceAll(', ', ' ') } },
    NONE,
  ),
  answers(
    'a parameter without a value is missing',
    { headers: { Authorization: 'AWS4-HMAC-SHA256 Credential=, SignedHeaders=x, Signature=x' } },
    incomplete(
      "Authorization header requires 'Credential' parameter. Authorization=AWS4-HMAC-SHA256 Credential=, SignedHeaders=x, Signature=x",
    ),
    'W30',
  ),
  answers(
    'a parameter whose name only ends alike is another one',
    { headers: { Authorization: 'AWS4-HMAC-SHA256 XCredential=x, SignedHeaders=x, Signature=x' } },
    incomplete(
      "Authorization header requires 'Credential' parameter. Authorization=AWS4-HMAC-SHA256 XCredential=x, SignedHeaders=x, Signature=x",
    ),
    'W30',
  ),
  answers(
    'no Authorization is a missing token',
    { headers: { Authorization: undefined } },
    MISSING,
    'W29',
  ),
  ...[
    '',
    'Basic YTpi',
    'Bearer token',
    'aws4-hmac-sha256 Credential=x',
    'AWS a:b',
    'AWS3-HTTPS x',
  ].map((Authorization) =>
    answers(
      `Authorization ${JSON.stringify(Authorization)} is a missing token`,
      { headers: { Authorization } },
      MISSING,
      'W29',
    ),
  ),
]

const QUERY_PARAMETERS = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
  'X-Amz-Date',
]
const inQuery = (names: readonly string[]): string =>
  `/?${names.map((name) => `${name}=x`).join('&')}`
const unsigned = { Authorization: undefined, 'X-Amz-Date': undefined }
const queryCases: readonly WireCase[] = [
  answers(
    'a complete signature may be in the query',
    { path: inQuery(QUERY_PARAMETERS), headers: unsigned },
    NONE,
  ),
  answers(
    'its parameters may be in any order',
    { path: inQuery(QUERY_PARAMETERS.toReversed()), headers: unsigned },
    NONE,
  ),
  ...properSubsets(QUERY_PARAMETERS.slice(1)).map((given) => {
    const missing = QUERY_PARAMETERS.slice(1).filter((name) => !given.includes(name))
    const strings = missing.map((name) => `AWS query-string parameters must include '${name}'. `)
    return answers(
      `a query with ${given.join(', ') || 'the algorithm'} alone is incomplete`,
      { path: inQuery(['X-Amz-Algorithm', ...given]), headers: unsigned },
      incomplete(`${strings.join('')}Re-examine the query-string parameters.`),
      'W30',
    )
  }),
  answers(
    'a query without the algorithm is not a signature',
    { path: inQuery(QUERY_PARAMETERS.slice(1)), headers: unsigned },
    MISSING,
    'W29',
  ),
  answers(
    'an algorithm without a value is missing',
    {
      path: '/?X-Amz-Algorithm=&X-Amz-Credential=x&X-Amz-Signature=x&X-Amz-SignedHeaders=x&X-Amz-Date=x',
      headers: unsigned,
    },
    incomplete(
      "AWS query-string parameters must include 'X-Amz-Algorithm'. Re-examine the query-string parameters.",
    ),
  ),
  answers(
    'header and query together are refused',
    { path: inQuery(QUERY_PARAMETERS) },
    {
      status: 400,
      type: `${CORAL}InvalidSignatureException`,
      message:
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    },
    'W31',
  ),
  answers(
    'the name of the algorithm as a value is not a signature in the query',
    { path: '/?x=X-Amz-Algorithm' },
    NONE,
  ),
]

/** Of two mistakes the one is reported that AWS looks for first. */
const orderCases: readonly WireCase[] = [
  answers(
    'a body that is not JSON is reported before an unknown target',
    { body: '{', headers: { 'X-Amz-Target': 'x' } },
    { status: 400, text: `{"__type":"${CORAL}SerializationException"}` },
  ),
  answers(
    'a wrong type is reported before a body that is not JSON',
    { body: '{', headers: { 'Content-Type': 'text/plain' } },
    { status: 404 },
  ),
  answers(
    'a method goes before a wrong type',
    { method: 'PUT', headers: { 'Content-Type': 'text/plain' } },
    { status: 404 },
  ),
  answers(
    'an unknown target goes before a missing signature',
    { headers: { 'X-Amz-Target': 'x', Authorization: undefined } },
    { status: 400, text: `{"__type":"${CORAL}UnknownOperationException"}` },
  ),
  answers(
    'a missing signature goes before an empty body',
    { body: '', headers: { Authorization: undefined } },
    MISSING,
  ),
  answers(
    'an unknown target goes before an empty body',
    { body: '', headers: { 'X-Amz-Target': 'x' } },
    { status: 400, text: `{"__type":"${CORAL}UnknownOperationException"}` },
  ),
  answers(
    'a missing signature goes before a list for a request',
    { body: '[]', headers: { Authorization: undefined } },
    MISSING,
  ),
  answers(
    'a missing signature goes before a wrong JSON type',
    { body: '{"Limit":"1"}', headers: { Authorization: undefined } },
    MISSING,
  ),
  answers(
    'a missing signature goes before an unsupported operation',
    { target: 'ImportTable', headers: { Authorization: undefined } },
    MISSING,
  ),
  answers(
    'a wrong JSON type goes before a bound',
    { body: '{"Limit":0,"ExclusiveStartTableName":5}' },
    {
      status: 400,
      type: `${CORAL}SerializationException`,
      message: 'NUMBER_VALUE cannot be converted to String',
    },
  ),
  answers(
    'a bound goes before a missing table',
    {
      target: 'Query',
      body: '{"TableName":"nowhere","Limit":0,"KeyConditionExpression":"a = :a"}',
    },
    { status: 400, type: 'com.amazon.coral.validate#ValidationException' },
  ),
  answers(
    'a wrong encoding goes before an unknown target',
    { body: LIST_TABLES, headers: { 'Content-Encoding': 'gzip', 'X-Amz-Target': 'x' } },
    { status: 400, text: `{"__type":"${CORAL}SerializationException"}` },
  ),
  answers(
    'a wrong type goes before a wrong encoding',
    { headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' } },
    { status: 404 },
  ),
]

/** Signatures that are missing, incomplete or in the wrong place, and what is looked at first. */
export const authenticationCases: readonly WireCase[] = [
  ...headerCases,
  ...queryCases,
  ...orderCases,
]
