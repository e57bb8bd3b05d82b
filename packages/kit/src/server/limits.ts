/** What the server takes from a client, before the engine's own limits apply. */

/** A request's body, as sent and decompressed alike (as on AWS). */
export const BODY_MAX_BYTES: number = 16 * 1024 * 1024
/** Bodies of all requests that are being read or answered. */
export const BODIES_IN_FLIGHT_MAX_BYTES: number = 256 * 1024 * 1024
/** Bodies of all answers that their clients have not taken yet. */
export const ANSWERS_IN_FLIGHT_MAX_BYTES: number = 256 * 1024 * 1024
/** Lists and objects within each other. The deepest legal request has about 80 levels. */
export const JSON_DEPTH_MAX: number = 200
/** Elements of a list, each of which takes a byte at least of the 400 KB of an item. */
export const JSON_ELEMENTS_MAX: number = 410_000
/** Members of an object: this many different names are larger than an item, also with empty strings
 * for values. */
export const JSON_MEMBERS_MAX: number = 150_000
/** Members of ExpressionAttributeNames and ExpressionAttributeValues: one more than the engine
 * takes. */
export const JSON_PLACEHOLDERS_MAX: number = 10_001
/** Characters of a string: the 400 KB of an item, each byte of them written as six characters. */
export const JSON_STRING_MAX_CHARACTERS: number = 2_457_600
/** A body above this is parsed in slices, so that others have their turns meanwhile. */
export const SLICED_BODY_MIN_BYTES: number = 128 * 1024
/** An answer with more characters is made into bytes in slices. */
export const SLICED_ANSWER_MIN_CHARACTERS: number = 256 * 1024
/** Request line and headers together (as on AWS). */
export const HEADERS_MAX_BYTES: number = 16 * 1024
export const HEADERS_MAX_COUNT: number = 1000
/** Before a request line, where old clients send one after a body. */
export const EMPTY_LINES_MAX: number = 8
/** A body above this is compressed when the client accepts that (as on AWS). */
export const UNCOMPRESSED_BODY_MAX_BYTES: number = 4096

export const CONNECTIONS_MAX: number = 512
export const REQUESTS_PER_CONNECTION_MAX: number = 10_000
/** Until the headers of a request have come. */
export const HEADERS_TIMEOUT_MS: number = 10_000
/** Until a whole request has come. */
export const REQUEST_TIMEOUT_MS: number = 30_000
/** Between two requests. */
export const KEEP_ALIVE_TIMEOUT_MS: number = 5000
/** Until an answer has been taken, from when it could have been. */
export const ANSWER_TIMEOUT_MS: number = 30_000
/** How often these are looked at. */
export const TIMEOUT_CHECK_MS: number = 1000
/** How long `close` waits for what is running. */
export const CLOSE_TIMEOUT_MS: number = 10_000
/** How far the time of a signature may be from ours, either way. */
export const SIGNATURE_AGE_MAX_MS: number = 15 * 60 * 1000
/** How long a signature in the query can be made to last: a week (as on AWS). */
export const SIGNATURE_EXPIRES_MAX_SECONDS: number = 604_800

/** Limits that an operator, or a test, may set. */
export interface ServerLimits {
  readonly bodyMaxBytes: number
  readonly bodiesInFlightMaxBytes: number
  readonly answersInFlightMaxBytes: number
  readonly headersMaxBytes: number
  readonly headersMaxCount: number
  readonly connectionsMax: number
  readonly requestsPerConnectionMax: number
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly answerTimeoutMs: number
  readonly timeoutCheckMs: number
  readonly closeTimeoutMs: number
}

export const DEFAULT_LIMITS: ServerLimits = {
  bodyMaxBytes: BODY_MAX_BYTES,
  bodiesInFlightMaxBytes: BODIES_IN_FLIGHT_MAX_BYTES,
  answersInFlightMaxBytes: ANSWERS_IN_FLIGHT_MAX_BYTES,
  headersMaxBytes: HEADERS_MAX_BYTES,
  headersMaxCount: HEADERS_MAX_COUNT,
  connectionsMax: CONNECTIONS_MAX,
  requestsPerConnectionMax: REQUESTS_PER_CONNECTION_MAX,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
  answerTimeoutMs: ANSWER_TIMEOUT_MS,
  timeoutCheckMs: TIMEOUT_CHECK_MS,
  closeTimeoutMs: CLOSE_TIMEOUT_MS,
}
