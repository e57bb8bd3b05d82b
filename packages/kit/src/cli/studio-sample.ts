import { createEngine, type Engine, type Storage } from 'singletable/engine'
import { DevSession } from '../dev/dev-session.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { makeItems } from '../seed/make-items.ts'
import { createRandom, seededEnvironment, writingEnvironment } from '../seed/seeded-random.ts'

const LEAST_ITEMS = 12

export interface SampleOptions {
  readonly tableName: string
  /** How many items an empty table gets. */
  readonly count: number
  /** Where the data is kept; in memory unless given. */
  readonly data?: string | undefined
  readonly onWarning: (message: string) => void
}

export interface Sample {
  readonly engine: Engine
  /** Creates the table and writes sample data into an empty one. */
  fill(loaded: LoadedSchema): Promise<unknown>
}

/** An engine in this process with the table of the schema. */
export async function openSample(options: SampleOptions): Promise<Sample> {
  const { tableName, count, data, onWarning } = options
  const engine = createEngine(data === undefined ? {} : { storage: await openStorage(data) })
  const session = new DevSession({
    engine,
    tableName,
    seed: async ({ schema }) => {
      const random = createRandom(1)
      const environment = seededEnvironment(random)
      const items = makeItems(schema, { count, least: LEAST_ITEMS, random, environment })
      return { items, environment: writingEnvironment(), isSample: true }
    },
    onWarning,
    isQuick: true,
  })
  return { engine, fill: (loaded) => session.show(loaded) }
}

/** Native code, loaded only when data is there. */
async function openStorage(directory: string): Promise<Storage> {
  const { lmdbStorage } = await import('../storage/index.ts')
  return lmdbStorage(directory, { durability: 'os' })
}
