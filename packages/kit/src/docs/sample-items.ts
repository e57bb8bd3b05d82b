import { Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import {
  createTableRequest,
  type Item,
  type Schema,
  ServiceError,
  SingletableError,
} from 'singletable/tools'
import { makeItems } from '../seed/make-items.ts'
import { UnseedableError } from '../seed/make-value.ts'
import { createRandom, seededEnvironment } from '../seed/seeded-random.ts'

const SEED = 1
const ITEMS_OF_MODEL = 12
const TABLE_NAME = 'Sample'

/**
 * Made-up items as they are stored, with keys, copies, guards and counters: written through their entities into an engine of its own, the same for the
 * same schema. None where a value can't be made up, or the table itself is refused.
 */
export async function sampleItems(schema: Schema): Promise<readonly Item[]> {
  const random = createRandom(SEED)
  const environment = seededEnvironment(random)
  const engine = createEngine()
  try {
    await engine.send('CreateTable', createTableRequest(schema, TABLE_NAME))
    const table = new Table({
      name: TABLE_NAME,
      schema: schema.definition,
      client: engine,
      environment,
    })
    const count = ITEMS_OF_MODEL * schema.models.size
    for (const { entity, input } of makeItems(schema, { count, random, environment })) {
      // An entity of the schema that the items are made from, whose types a schema loaded at run time can't tell.
      const entities = table.entities as unknown as {
        readonly [name: string]: { put(input: object): { execute(): Promise<unknown> } }
      }
      await entities[entity]?.put(input).execute().catch(ignoreRefusal)
    }
    return await readAll(engine)
  } catch (error) {
    // A table that DynamoDB refuses has no items either.
    if (error instanceof UnseedableError || error instanceof ServiceError) return []
    throw error
  } finally {
    await engine.close()
  }
}

/** What the schema does not take, such as a key that is too long, is no example of it. */
function ignoreRefusal(error: unknown): void {
  if (!SingletableError.is(error)) throw error
}

async function readAll(engine: Engine): Promise<readonly Item[]> {
  const items: Item[] = []
  let start: Item | undefined
  do {
    const page = await engine.send('Scan', {
      TableName: TABLE_NAME,
      ...(start && { ExclusiveStartKey: start }),
    })
    for (const each of page.Items ?? []) items.push(each)
    start = page.LastEvaluatedKey
  } while (start)
  return items
}
