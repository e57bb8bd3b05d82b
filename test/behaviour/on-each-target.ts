import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { listen } from '@singletable/kit/server'
import { type Client, type SchemaDefinition, Table, type TableOptions } from 'singletable'
import { connect } from 'singletable/direct'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, describe } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'

/** One of the four places the library must behave the same on. */
export interface Target {
  readonly name: 'engine' | 'engine through the SDK' | 'engine over HTTP' | 'DynamoDB Local'
  readonly client: Client
  /** The engine behind it, where there is one: for faults and the clock. */
  readonly engine: Engine | undefined
  /** A table of its own, created in the target. */
  table<const TSchema extends SchemaDefinition>(
    schema: TSchema,
    options?: Partial<TableOptions<TSchema>>,
  ): Promise<Table<TSchema>>
}

const port = await refereePort()
const credentials = { accessKeyId: 'behaviour', secretAccessKey: 'local' }
let tables = 0

// A server listens before its address can be given to a transport, and targets are defined at once.
// Files that run in one process share this module, so the server lives as long as the process.
const served = createEngine()
const server = await listen(served, { port: 0, credentials: [credentials] })

/**
 * Runs the tests on the engine, on the engine through the AWS SDK, on the engine through the direct
 * transport and a server that checks signatures, and on DynamoDB Local where Java is at hand.
 */
export function onEachTarget(define: (target: Target) => void): void {
  describe('on the engine', () => {
    const engine = createEngine()
    afterAll(() => engine.close())
    define(target('engine', engine, engine))
  })
  describe('on the engine through the AWS SDK', () => {
    const engine = createEngine()
    const client = new DynamoDBClient(engine.clientConfig())
    afterAll(async () => {
      client.destroy()
      await engine.close()
    })
    define(target('engine through the SDK', client, engine))
  })
  describe('on the engine over HTTP through the direct transport', () => {
    const client = connect({
      region: 'us-east-1',
      endpoint: server.url,
      credentials,
      connectionTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
    })
    afterAll(() => client.close())
    define(target('engine over HTTP', client, served))
  })
  describe.skipIf(port === undefined)('on DynamoDB Local', () => {
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      // DynamoDB Local keeps the tables of each access key apart, so that these hundreds don't fill
      // anybody else's lists.
      credentials,
    })
    const local = target('DynamoDB Local', client, undefined)
    afterAll(async () => {
      // Other tests use the same DynamoDB Local, which grows slow with many tables.
      for (const table of local.tables) if (await table.exists()) await table.delete()
      client.destroy()
    })
    define(local)
  })
}

function target(
  name: Target['name'],
  client: Client,
  engine: Engine | undefined,
): Target & { readonly tables: readonly Pick<Table<SchemaDefinition>, 'exists' | 'delete'>[] } {
  const made: Pick<Table<SchemaDefinition>, 'exists' | 'delete'>[] = []
  return {
    tables: made,
    name,
    client,
    engine,
    async table(schema, options) {
      // Several files share one DynamoDB Local, so the process is part of the name.
      const table = new Table({
        name: `behaviour-${process.pid}-${tables++}`,
        client,
        schema,
        ...options,
      })
      await table.create()
      made.push(table)
      return table
    },
  }
}
