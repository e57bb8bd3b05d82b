import { Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { createTableRequest, type Item, type Schema, ServiceError } from 'singletable/tools'
import { makeItems } from '../seed/make-items.ts'
import { createRandom, seededEnvironment, writingEnvironment } from '../seed/seeded-random.ts'
import { writeItems } from '../seed/write-items.ts'

const SEED = 1
const ITEMS_OF_MODEL = 12
const TABLE_NAME = 'Sample'

/**
 * Sample data as it is stored, with keys, copies, guards and counters: written through the entities into an engine of its own, the same for the
 * same schema. None of a model for which no value is found, and none at all if the table itself is refused.
 */
export async function sampleItems(schema: Schema): Promise<readonly Item[]> {
  const random = createRandom(SEED)
  const engine = createEngine()
  try {
    await engine.send('CreateTable', createTableRequest(schema, TABLE_NAME))
    const table = new Table({
      name: TABLE_NAME,
      schema: schema.definition,
      client: engine,
      environment: writingEnvironment(),
    })
    const count = ITEMS_OF_MODEL * schema.models.size
    const items = makeItems(schema, { count, random, environment: seededEnvironment(random) })
    await writeItems(table, items, { schema, transport: engine, skipsRefused: true })
    return await readAll(engine)
  } catch (error) {
    // A table that DynamoDB refuses has no items either.
    if (error instanceof ServiceError) return []
    throw error
  } finally {
    await engine.close()
  }
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
