import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Client, type SchemaDefinition, Table, type TableOptions } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, describe } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'

/** One of the three places the library must behave the same on. */
export interface Target {
  readonly name: 'engine' | 'engine through the SDK' | 'DynamoDB Local'
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
let tables = 0

/** Runs the tests on the engine, on the engine through the AWS SDK, and on DynamoDB Local where Java is at hand. */
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
  describe.skipIf(port === undefined)('on DynamoDB Local', () => {
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      // DynamoDB Local keeps the tables of each access key apart, so that these hundreds don't fill anybody else's lists.
      credentials: { accessKeyId: 'behaviour', secretAccessKey: 'local' },
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
