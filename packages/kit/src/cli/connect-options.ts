import { existsSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'singletable/direct'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { credentialsOf, regionOf } from './aws-profile.ts'
import type { CommandOutput } from './command.ts'
import { confirmWrites } from './confirm-writes.ts'
import { type Connection, openData } from './data-connection.ts'
import type { OptionGroup, Parameters } from './help.ts'
import { loadGivenSchema } from './schema-options.ts'
import { EnvironmentError, UsageError } from './usage-error.ts'

export interface ConnectionOptions {
  /**
   * Creates the directory of `--data` if it is missing. Otherwise a missing directory is an error,
   * because it is usually a typo.
   */
  readonly makesData?: boolean | undefined
  /**
   * Keep the data file open, however much of it is mapped: for commands that read and write at
   * once.
   */
  readonly keepsOpen?: boolean
  /** Sends of one request to a local endpoint: fewer where somebody waits for the answer. */
  readonly attemptsMax?: number
}

export const CONNECT_OPTIONS: OptionGroup = {
  title: 'Where the table is (one of --endpoint, --data, --aws)',
  options: [
    {
      name: 'table',
      value: 'name',
      text: "the table's name; default: the name of an exported Table",
    },
    {
      name: 'endpoint',
      value: 'url',
      text: 'a DynamoDB at this address, such as http://localhost:8000',
    },
    {
      name: 'data',
      value: 'directory',
      completes: 'directory',
      text: 'the data directory of singletable serve --data',
    },
    {
      name: 'aws',
      text: 'DynamoDB on AWS, with the credentials of the environment, or of ~/.aws and SSO',
    },
    {
      name: 'profile',
      value: 'name',
      text: 'a profile of ~/.aws; implies --aws unless --endpoint is given',
    },
    {
      name: 'region',
      value: 'name',
      text: 'default: AWS_REGION, the region of the profile, or us-east-1 with --endpoint',
    },
    { name: 'env', value: 'name', text: 'an environment of singletable.config.ts, such as prod' },
  ],
}

/**
 * Serves that nobody checks; used where a local endpoint is named and the environment has no
 * credentials.
 */
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }
/** A service under load may take longer than the three seconds that suit a web request. */
const REQUEST_TIMEOUT_MS = 20_000

/**
 * Opens the way that the options name. Without one of them nothing is opened: AWS is never called
 * by accident.
 */
export async function openConnection(
  given: Parameters,
  output: CommandOutput,
  options: ConnectionOptions = {},
): Promise<Connection> {
  const connection = await openPlace(given, output, options)
  const { transport, place } = connection
  return { ...connection, transport: confirmWrites(transport, place, given, output) }
}

const AWS_ENDPOINT = /\.amazonaws\.com(\.cn)?(:|\/|$)/

/** Whether the options name AWS itself: a profile with an endpoint only lends its credentials. */
export function isOnAws(given: Parameters): boolean {
  const endpoint = given.text('endpoint')
  if (endpoint !== undefined) return AWS_ENDPOINT.test(endpoint)
  return given.flag('aws') || given.text('profile') !== undefined
}

async function openPlace(
  given: Parameters,
  output: CommandOutput,
  { makesData = false, keepsOpen = false, attemptsMax }: ConnectionOptions,
): Promise<Connection> {
  if (output.transport !== undefined) {
    return { transport: output.transport, place: 'this process', close: async () => {} }
  }
  const endpoint = given.text('endpoint')
  const data = given.text('data')
  const environment = output.environment ?? process.env
  const profile = given.text('profile')
  const isAws = given.flag('aws') || (profile !== undefined && endpoint === undefined)
  const ways = [endpoint !== undefined, data !== undefined, isAws]
  if (ways.filter(Boolean).length !== 1) {
    throw new UsageError(
      ways.includes(true)
        ? "--endpoint, --data and --aws can't be combined."
        : 'Nothing says where the table is.',
      'pass --endpoint http://localhost:8000, --data <directory>, --aws or --profile <name>, or write singletable.config.ts',
    )
  }
  if (data !== undefined) {
    const directory = path.resolve(output.directory ?? '.', data)
    if (!makesData && !existsSync(directory)) {
      throw new EnvironmentError(
        `There is no directory "${data}".`,
        directory,
        'name the one of singletable serve --data, or make a table there with singletable table create',
      )
    }
    const growthBytesMax = keepsOpen ? Number.POSITIVE_INFINITY : undefined
    return openData(directory, given.text('region'), growthBytesMax)
  }
  const isLocal = endpoint !== undefined && !isOnAws(given)
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID } = environment
  const isNamed = profile !== undefined
  const region =
    given.text('region') ??
    (isNamed ? regionOf(profile, environment) : undefined) ??
    AWS_REGION ??
    AWS_DEFAULT_REGION ??
    (isLocal ? 'us-east-1' : regionOf(profile, environment))
  const credentials =
    isLocal && !isNamed && !AWS_ACCESS_KEY_ID
      ? LOCAL_CREDENTIALS
      : await credentialsOf(profile, environment)
  const transport = connect({
    endpoint,
    region,
    credentials,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    ...(isLocal && attemptsMax !== undefined && { retry: { attemptsMax } }),
  })
  return {
    transport,
    place:
      endpoint ??
      `AWS${region === undefined ? '' : ` in ${region}`}${isNamed ? `, ${profile}` : ''}`,
    ...(!isLocal && region !== undefined && { aws: { region, credentials } }),
    close: async () => transport.close(),
  }
}

/** Opens the connection for the time of the work. */
export async function withConnection<T>(
  given: Parameters,
  output: CommandOutput,
  work: (connection: Connection) => Promise<T>,
  options: ConnectionOptions = {},
): Promise<T> {
  const connection = await openConnection(given, output, options)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** The table's name: what is typed, else what an exported table says. */
export function tableNameOf(given: Parameters, loaded?: Pick<LoadedSchema, 'tableName'>): string {
  const name = given.text('table') ?? loaded?.tableName
  if (name !== undefined) return name
  throw new UsageError('The name of the table is missing.', 'pass --table <name>')
}

/**
 * The same for commands that need no schema: it is loaded only where nothing else says the name.
 */
export async function tableNameFor(given: Parameters, output: CommandOutput): Promise<string> {
  if (given.text('table') !== undefined) return tableNameOf(given)
  return tableNameOf(given, await loadGivenSchema(given, output.directory))
}
