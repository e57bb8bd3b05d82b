import type { Agent } from 'node:http'
import { checkOptions, readNumbers, refuseOption } from '../errors/check-options.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { RETRY_DEFAULTS, type RetryOptions } from '../wire/retry-policy.ts'
import type { Credentials, CredentialsProvider } from './credentials/credentials.ts'

/** What `connect` takes. */
export interface ConnectOptions {
  /** The region of the tables; `AWS_REGION` or `AWS_DEFAULT_REGION` unless given. */
  readonly region?: string | undefined
  /** Who signs: credentials, or any provider of the AWS SDK. Found in the environment or the
   * container's endpoint unless given. */
  readonly credentials?: Credentials | CredentialsProvider | undefined
  /** Where to send to, such as `http://localhost:8000`; AWS's own address for the region unless
   * given here or in `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly endpoint?: string | undefined
  /** Uses the addresses with validated cryptography. */
  readonly fips?: boolean | undefined
  /** Uses the addresses that have IPv6 as well. */
  readonly dualStack?: boolean | undefined
  /** Makes the sockets, for proxies; then `socketsMax` and `socketIdleMsMax` are its own matter,
   * and closing it is yours. */
  readonly agent?: Agent | undefined
  /** Sockets to one host at a time; further requests wait. 50 unless given. */
  readonly socketsMax?: number | undefined
  /** A socket that was idle for longer is not used again. A minute unless given. */
  readonly socketIdleMsMax?: number | undefined
  /** How long connecting may take; default one second. */
  readonly connectionTimeoutMs?: number | undefined
  /** How long one attempt may take, from the wait for a socket to the end of the answer; three
   * seconds unless given. */
  readonly requestTimeoutMs?: number | undefined
  /** How often and how patiently `send` repeats a request. A table has options of its own for
   * that. */
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
const KNOWN = {
  where: 'connect()',
  names: [
    'region',
    'credentials',
    'endpoint',
    'agent',
    'retry',
    'environment',
    ...FLAGS,
    ...Object.keys(NUMBERS),
  ],
}
/** Numbers that are at least 1. */
const POSITIVE = ['socketsMax', 'connectionTimeoutMs', 'requestTimeoutMs', 'attemptsMax']

/** Checks the options, before anything is sent. */
export function readOptions(options: ConnectOptions): Settings {
  checkOptions(KNOWN, options)
  for (const name of FLAGS) {
    if (!['undefined', 'boolean'].includes(typeof options[name])) {
      refuseOption(KNOWN, `${name} is not a boolean`)
    }
  }
  const { agent, credentials } = options
  if (agent !== undefined && typeof Object(agent).addRequest !== 'function') {
    refuseOption(KNOWN, 'agent is not an agent of node:http or node:https')
  }
  if (credentials !== undefined && !/^(object|function)$/.test(typeof credentials)) {
    refuseOption(KNOWN, 'credentials are neither credentials nor a function')
  }
  return {
    ...options,
    ...readNumbers(KNOWN, NUMBERS, options, POSITIVE),
    retry: readNumbers(KNOWN, RETRY_DEFAULTS, options.retry ?? {}, POSITIVE, 'retry.'),
    gzip: options.gzip ?? false,
    environment: options.environment ?? systemEnvironment,
  }
}
