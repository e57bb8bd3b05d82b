import {
  createEngine,
  type Engine,
  type EngineOptions,
  type OperationName,
  type SimulatedEnvironment,
  simulatedEnvironment,
} from 'singletable/engine'
import { expect } from 'vitest'

/** One row of the corpus of bad input. Several rows may share an id. */
export interface CorpusCase {
  /** The number of the input in the corpus, such as `J1`. */
  readonly id: string
  /** What is done and what comes of it, as a sentence. */
  readonly name: string
  run(setup: Setup): Promise<void>
}

/** A fresh engine with the tables of `TABLES`, and ways to ask it. */
export interface Setup {
  readonly engine: Engine
  readonly environment: SimulatedEnvironment
  // Rows send requests that no type would let through and look at answers of every operation.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  send(operation: string, request: unknown): Promise<any>
  /** Asserts that the request is refused with this exception and this text (or one that the
   * expression matches). */
  refuses(operation: string, request: unknown, refusal: Refusal): Promise<RefusedWith>
  /** Sends a body as the AWS SDK would, through the request handler of `clientConfig()`. */
  post(target: string | undefined, body: string): Promise<PostAnswer>
}

/** The name of the exception and its text. */
export type Refusal = readonly [name: string, message: string | RegExp]

export interface PostAnswer {
  readonly statusCode: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ by operation; rows look at them.
  readonly body: any
}

export interface RefusedWith extends Error {
  // biome-ignore lint/suspicious/noExplicitAny: members differ by exception; rows look at them.
  readonly [member: string]: any
}

/** A row whose request must be refused. */
export function refused(
  id: string,
  name: string,
  operation: string,
  request: unknown,
  refusal: Refusal,
): CorpusCase {
  return {
    id,
    name,
    async run(setup) {
      await setup.refuses(operation, request, refusal)
    },
  }
}

/** A row that has several steps. */
export function row(id: string, name: string, run: (setup: Setup) => Promise<void>): CorpusCase {
  return { id, name, run }
}

export const invalid = (message: string | RegExp): Refusal => ['ValidationException', message]
export const unreadable = (message: string | RegExp): Refusal => ['SerializationException', message]
/** Two messages of AWS begin with this. */
export const wrongValues = (message: string): Refusal =>
  invalid(`One or more parameter values were invalid: ${message}`)

/** An object as it comes off the wire: `__proto__` is a member of its own there. */
export function wire(text: string): unknown {
  return JSON.parse(text)
}

const attributes = (types: Readonly<Record<string, string>>): object[] =>
  Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
export const keySchema = (
  partitionKeys: readonly string[],
  sortKeys: readonly string[] = [],
): object[] => [
  ...partitionKeys.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
  ...sortKeys.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
]

/** A request for CreateTable: on demand, with these keys. */
export function tableDefinition(
  TableName: unknown,
  types: Readonly<Record<string, string>>,
  KeySchema: unknown,
  members: object = {},
): Record<string, unknown> {
  return {
    TableName,
    AttributeDefinitions: attributes(types),
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    ...members,
  }
}

export const globalIndex = (
  IndexName: string,
  KeySchema: unknown,
  Projection: object = { ProjectionType: 'ALL' },
): object => ({ IndexName, KeySchema, Projection })

/** The tables every row finds. */
const TABLES: readonly Record<string, unknown>[] = [
  tableDefinition('hash', { pk: 'S' }, keySchema(['pk'])),
  tableDefinition('numbers', { pk: 'N' }, keySchema(['pk'])),
  tableDefinition('binaries', { pk: 'B', sk: 'B' }, keySchema(['pk'], ['sk'])),
  tableDefinition(
    'table',
    { pk: 'S', sk: 'S', g: 'S', h: 'N', l: 'S' },
    keySchema(['pk'], ['sk']),
    {
      LocalSecondaryIndexes: [globalIndex('local', keySchema(['pk'], ['l']))],
      GlobalSecondaryIndexes: [
        globalIndex('global', keySchema(['g'], ['h'])),
        globalIndex('keys-only', keySchema(['g']), { ProjectionType: 'KEYS_ONLY' }),
      ],
    },
  ),
  tableDefinition('wide', { pk: 'S', a: 'S', b: 'S', c: 'S', d: 'N' }, keySchema(['pk']), {
    GlobalSecondaryIndexes: [globalIndex('wide-index', keySchema(['a', 'b'], ['c', 'd']))],
  }),
]

/** The key of the item that rows use when it doesn't matter which. */
export const KEY = { pk: { S: 'a' }, sk: { S: '1' } }

/** Runs the row in its own setup. */
export async function runCase(corpusCase: CorpusCase): Promise<void> {
  const environment = simulatedEnvironment()
  const setup = await createSetup(environment, {})
  try {
    await corpusCase.run(setup)
  } finally {
    await setup.engine.close()
  }
}

/** Another engine with the same tables, for rows that need settings. */
export async function createSetup(
  environment: SimulatedEnvironment,
  options: EngineOptions,
): Promise<Setup> {
  const engine = createEngine({ ...options, environment })
  const setup: Setup = {
    engine,
    environment,
    // Rows send names and requests that the types would refuse.
    send: (operation, request) => engine.send(operation as OperationName, request as never),
    async refuses(operation, request, [name, message]) {
      const error = await refusalOf(setup, operation, request)
      expect(`${error.name}: ${error.message}`).toMatch(new RegExp(`^${name}: `))
      if (typeof message === 'string') expect(error.message).toBe(message)
      else expect(error.message).toMatch(message)
      return error
    },
    async post(target, body) {
      const headers = target === undefined ? {} : { 'x-amz-target': target }
      const { response } = await engine
        .clientConfig()
        .requestHandler.handle({ headers, body: Buffer.from(body) })
      const chunks: Buffer[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      return {
        statusCode: response.statusCode,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      }
    },
  }
  for (const definition of TABLES) await setup.send('CreateTable', definition)
  await environment.advance(options.transitionMs ?? 0)
  return setup
}

async function refusalOf(setup: Setup, operation: string, request: unknown): Promise<RefusedWith> {
  let answer: unknown
  try {
    answer = await setup.send(operation, request)
  } catch (error) {
    if (error instanceof Error) return error as RefusedWith
    throw error
  }
  throw new Error(
    `${operation} was expected to be refused, but answered ${JSON.stringify(answer).slice(0, 500)}`,
  )
}
