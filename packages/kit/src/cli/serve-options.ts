import { parseArgs } from 'node:util'
import type { Fault } from 'singletable/engine'
import type { Credentials } from '../server/verify-signature.ts'
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

export const SERVE_HELP = `singletable serve: DynamoDB on this machine, over HTTP, for clients in any language

Usage: singletable serve [options]

Where it listens:
  --port <number>               default 8000; 0 takes any that is free
  --host <address>              default loopback alone: 127.0.0.1 and ::1
  --allow-host <name>           let clients call the server by this name too, such as a container's (repeatable)
  --cors-origin <origin>        let pages of this web origin use the server (repeatable; default none)
  --allow-insecure-network      listen on an address that other machines reach although signatures are not verified

What it serves:
  --data <directory>            keep tables and items there; default: in memory, gone when the server stops
  --durability <flushed|os>     flushed (default): a write is answered when it is on the disk; os: when the system has it
  --region <name>               default us-east-1
  --transition-ms <number>      how long tables and indexes stay CREATING, UPDATING or DELETING; default 0

Who may use it:
  --verify-signatures <ID:SECRET[:TOKEN]>
                                answer only what is signed with this key pair (repeatable); default: a signature has to be
                                there, but any will do

What goes wrong on purpose (repeatable):
  --fault <kind:member=value,…> kinds: throttle, error, latency, unprocessed, conflict, indexLag, timeToLiveDelay, transition
                                members: operation (several with +), table, key (JSON), probability, seed, count,
                                ms, when (before or after), error, reason, index
                                such as --fault 'throttle:operation=PutItem,probability=0.1,seed=7'
                                     or --fault 'error:when=after,operation=TransactWriteItems,count=1'

What it prints:
  --json                        one line of JSON for each request: operation, table, status, error, duration, sizes and id,
                                never values, keys or credentials
  -h, --help                    show this help

Ctrl-C stops the server when what is running has been answered; a second one stops it at once.
Exit codes: 0 stopped by a signal, 1 it could not start, 2 the options could not be understood.`

const PORT_MAX = 65_535

/** Reads the options, or says `help`. */
export function readServeOptions(parameters: readonly string[]): ServeOptions | 'help' {
  const values = parse(parameters)
  if (values.help) return 'help'
  const { durability } = values
  if (durability !== undefined && durability !== 'flushed' && durability !== 'os') {
    throw new UsageError(`--durability is "${durability}".`, 'say flushed or os')
  }
  if (durability !== undefined && values.data === undefined) {
    throw new UsageError(
      '--durability says how --data is kept, and there is no --data.',
      'add --data <directory>, or leave it out',
    )
  }
  return {
    port: wholeNumber('--port', values.port ?? '8000', PORT_MAX),
    host: values.host,
    data: values.data,
    durability,
    region: values.region ?? 'us-east-1',
    transitionMs: wholeNumber('--transition-ms', values['transition-ms'] ?? '0', 2 ** 31 - 1),
    faults: (values.fault ?? []).map(parseFault),
    credentials: (values['verify-signatures'] ?? []).map(readCredentials),
    allowedHosts: values['allow-host'] ?? [],
    corsOrigins: values['cors-origin'] ?? [],
    allowInsecureNetwork: values['allow-insecure-network'] ?? false,
    json: values.json ?? false,
  }
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'cors-origin': { type: 'string', multiple: true },
        'allow-insecure-network': { type: 'boolean' },
        data: { type: 'string' },
        durability: { type: 'string' },
        region: { type: 'string' },
        'transition-ms': { type: 'string' },
        'verify-signatures': { type: 'string', multiple: true },
        fault: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    // Node's texts say what is wrong in their first sentence; the rest is advice on other programs.
    const text = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${text.split('. ')[0]?.replace(/\.$/, '')}.`,
      'see singletable serve --help',
    )
  }
}

function wholeNumber(option: string, text: string, max: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text)
  throw new UsageError(`${option} is "${text}".`, `give a whole number from 0 to ${max}`)
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
