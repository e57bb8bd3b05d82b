import type { Fault } from 'singletable/engine'
import type { Credentials } from '../server/verify-signature.ts'
import { type CommandSpecification, parseParameters, wholeNumber } from './help.ts'
import { parseFault } from './parse-fault.ts'
import { UsageError } from './usage-error.ts'

/** What was typed after `singletable serve`. */
export interface ServeOptions {
  readonly port: number
  readonly host: string | undefined
  /** Where the data is kept; in memory when there is none. */
  readonly data: string | undefined
  readonly durability: 'flushed' | 'os' | undefined
  readonly region: string
  readonly transitionMs: number
  readonly faults: readonly Fault[]
  readonly credentials: readonly Credentials[]
  readonly allowedHosts: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly allowInsecureNetwork: boolean
  readonly json: boolean
}

export const SERVE_COMMAND: CommandSpecification = {
  name: 'serve',
  summary: 'DynamoDB on this machine, over HTTP, for clients in any language',
  groups: [
    {
      title: 'Where it listens',
      options: [
        { name: 'port', value: 'number', text: 'default 8000; 0 chooses a free port' },
        {
          name: 'host',
          value: 'address',
          text: 'default: only loopback, 127.0.0.1 and ::1',
        },
        {
          name: 'allow-host',
          value: 'name',
          repeatable: true,
          text: "also accept this host name, such as a container's (repeatable)",
        },
        {
          name: 'cors-origin',
          value: 'origin',
          repeatable: true,
          text: 'let pages of this web origin use the server (repeatable; default none)',
        },
        {
          name: 'allow-insecure-network',
          text: 'let other machines connect although signatures are not verified',
        },
      ],
    },
    {
      title: 'What it serves',
      options: [
        {
          name: 'data',
          value: 'directory',
          completes: 'directory',
          text: 'store tables and items there; default: only in memory',
        },
        {
          name: 'durability',
          value: 'when',
          choices: ['flushed', 'os'],
          text: 'flushed (default): a write is answered when it is on the disk; os: when the system has it',
        },
        { name: 'region', value: 'name', text: 'default us-east-1' },
        {
          name: 'transition-ms',
          value: 'number',
          text: 'how long tables and indexes stay CREATING, UPDATING or DELETING; default 0',
        },
      ],
    },
    {
      title: 'Who may use it',
      options: [
        {
          name: 'verify-signatures',
          value: 'ID:SECRET[:TOKEN]',
          repeatable: true,
          text: 'accept only requests signed with this key pair (repeatable);\ndefault: requests must be signed, but any signature is accepted',
        },
      ],
    },
    {
      title: 'Simulated faults',
      options: [
        {
          name: 'fault',
          value: 'kind:member=value,…',
          repeatable: true,
          text: `(repeatable) kinds: throttle, error, latency, unprocessed, conflict, indexLag,
timeToLiveDelay, transition; members: operation (several with +), table, key (JSON),
probability, seed, count, ms, when (before or after), error, reason, index; such as
--fault 'throttle:operation=PutItem,probability=0.1,seed=7' or
--fault 'error:when=after,operation=TransactWriteItems,count=1'`,
        },
      ],
    },
  ],
  notes: [
    'With --json there is one line for each request: operation, table, status, error, duration, sizes and id, never values,\nkeys or credentials.',
    'Ctrl-C stops the server once running requests are answered; a second one stops it at once.',
  ],
  exitCodes:
    'Exit codes: 0 stopped by a signal, 1 it could not start, 2 the options could not be understood.',
}

const PORT_MAX = 65_535

/** Reads the options, or says `help`. */
export function readServeOptions(parameters: readonly string[]): ServeOptions | 'help' {
  const given = parseParameters(SERVE_COMMAND, parameters)
  if (given.flag('help')) return 'help'
  const [data, durability] = [given.text('data'), given.text('durability')]
  if (durability !== undefined && data === undefined) {
    throw new UsageError(
      '--durability is for --data, and --data is not given.',
      'add --data <directory>, or leave it out',
    )
  }
  return {
    port: wholeNumber(given, 'port', { max: PORT_MAX }) ?? 8000,
    host: given.text('host'),
    data,
    durability: durability === 'flushed' || durability === 'os' ? durability : undefined,
    region: given.text('region') ?? 'us-east-1',
    transitionMs: wholeNumber(given, 'transition-ms', { max: 2 ** 31 - 1 }) ?? 0,
    faults: given.values('fault').map(parseFault),
    credentials: given.values('verify-signatures').map(readCredentials),
    allowedHosts: given.values('allow-host'),
    corsOrigins: given.values('cors-origin'),
    allowInsecureNetwork: given.flag('allow-insecure-network'),
    json: given.flag('json'),
  }
}

/** The text is not repeated in the complaint: it may hold a secret. */
function readCredentials(text: string): Credentials {
  const [accessKeyId, secretAccessKey, ...token] = text.split(':')
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError(
      '--verify-signatures needs an access key id and a secret.',
      'write --verify-signatures ID:SECRET, or ID:SECRET:TOKEN',
    )
  }
  const sessionToken = token.join(':')
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) }
}
