import type { Agent } from 'node:http'
import { DefinitionError } from '../errors/definition-error.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { RETRY_DEFAULTS, type RetryOptions } from '../wire/retry-policy.ts'
import type { Credentials, CredentialsProvider } from './credentials/credentials.ts'

/** What `connect` takes. */
export interface ConnectOptions {
  /** The region of the tables; `AWS_REGION` or `AWS_DEFAULT_REGION` unless given. */
  readonly region?: string | undefined
  /** Who signs: credentials, or any provider of the AWS SDK. Found in the environment or the container's endpoint unless given. */
  readonly credentials?: Credentials | CredentialsProvider | undefined
  /** Where to send to, such as `http://localhost:8000`; AWS's own address for the region unless given here or in `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly endpoint?: string | undefined
  /** Uses the addresses with validated cryptography. */
  readonly fips?: boolean | undefined
  /** Uses the addresses that have IPv6 as well. */
  readonly dualStack?: boolean | undefined
  /** Makes the sockets, for proxies; then `socketsMax` and `socketIdleMsMax` are its own matter, and closing it is yours. */
  readonly agent?: Agent | undefined
  /** Sockets to one host at a time; further requests wait. 50 unless given. */
  readonly socketsMax?: number | undefined
  /** A socket that was idle for longer is not used again. A minute unless given. */
  readonly socketIdleMsMax?: number | undefined
  /** How long the connection may take to stand; a second unless given. */
  readonly connectionTimeoutMs?: number | undefined
  /** How long one attempt may take, from the wait for a socket to the end of the answer; three seconds unless given. */
  readonly requestTimeoutMs?: number | undefined
  /** How often and how patiently `send` repeats a request. A table has options of its own for that. */
  readonly retry?: Partial<RetryOptions> | undefined
  /** Asks the service to compress long answers: less to transfer, more to compute. */
  readonly gzip?: boolean | undefined
  /** Clock, random bytes and timers, for tests that control them. */
  readonly environment?: Environment | undefined
}

/** The options with everything filled in that has one value for all. */
export interface Settings extends ConnectOptions {
  readonly socketsMax: number
  readonly socketIdleMsMax: number
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly retry: RetryOptions
  readonly gzip: boolean
  readonly environment: Environment
}

const NUMBERS = {
  socketsMax: 50,
  socketIdleMsMax: 60_000,
  connectionTimeoutMs: 1_000,
  requestTimeoutMs: 3_000,
}
const FLAGS = ['fips', 'dualStack', 'gzip'] as const
const OPTIONS = [
  'region',
  'credentials',
  'endpoint',
  'agent',
  'retry',
  'environment',
  ...FLAGS,
  ...Object.keys(NUMBERS),
]

/** Checks the options, before anything is sent. */
export function readOptions(options: ConnectOptions): Settings {
  if (typeof options !== 'object' || options === null) refuse('are no object')
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) refuse(`"${name}" is unknown`)
  }
  for (const name of FLAGS) {
    if (!['undefined', 'boolean'].includes(typeof options[name])) refuse(`${name} is no boolean`)
  }
  const { agent, credentials } = options
  if (agent !== undefined && typeof Object(agent).addRequest !== 'function') {
    refuse('agent is no agent of node:http or node:https')
  }
  if (credentials !== undefined && !/^(object|function)$/.test(typeof credentials)) {
    refuse('credentials are neither credentials nor a function')
  }
  return {
    ...options,
    ...numbers('', NUMBERS, options),
    retry: numbers('retry.', RETRY_DEFAULTS, options.retry ?? {}),
    gzip: options.gzip ?? false,
    environment: options.environment ?? systemEnvironment,
  }
}

/** The numbers given, with defaults for the others. Infinity stands for no limit. */
function numbers<T extends object>(prefix: string, defaults: T, given: object): T {
  const result: Record<string, unknown> = Object.fromEntries(Object.entries(defaults))
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      if (prefix !== '') refuse(`${prefix}${name} is unknown`)
      continue
    }
    if (value === undefined) continue
    const least = /^(socketsMax|attemptsMax|.*TimeoutMs)$/.test(name) ? 1 : 0
    if (typeof value !== 'number' || !(value >= least)) {
      refuse(`${prefix}${name} must be a number, at least ${least}`)
    }
    result[name] = value
  }
  // It has the members of the defaults and no others, all of them numbers.
  return result as T
}

function refuse(what: string): never {
  throw new DefinitionError('OPTION_INVALID', {
    what: `Options of the transport: ${what}.`,
    where: 'connect()',
    fix: `correct it; the options are ${OPTIONS.join(', ')}`,
  })
}
