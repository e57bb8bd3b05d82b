import { setImmediate as others } from 'node:timers/promises'
import { inspect } from 'node:util'
import { type SchemaDefinition, Table } from 'singletable'
import type { Engine } from 'singletable/engine'
import type { Environment, Schema } from 'singletable/tools'
import { readSample, type Sample } from '../examples/read-sample.ts'
import type { SeedItem } from '../seed/make-items.ts'
import { writeItems } from '../seed/write-items.ts'
import { fitTable } from './fit-table.ts'
import { type PatternReport, runPattern } from './run-pattern.ts'

/** A schema that is shown. */
export interface DevDesign {
  readonly definition: SchemaDefinition
  readonly schema: Schema
}

/** Items for a table that has none. */
export interface SeedSource {
  readonly items: Iterable<SeedItem>
  /** What writes them: sample data has timestamps of its own. */
  readonly environment?: Environment | undefined
  /** Of sample data, what is refused is left out; items of a file are meant as they are. */
  readonly isSample: boolean
}

export interface DevSessionOptions {
  readonly engine: Engine
  readonly tableName: string
  /** The items that an empty table gets; none if undefined. */
  readonly seed: ((design: DevDesign) => Promise<SeedSource>) | undefined
  /** When aborted, no more items are written and no more patterns are run. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((count: number) => void) | undefined
  readonly onWarning: (message: string) => void
  /** Leaves out running the patterns, where nobody reads the report. */
  readonly isQuick?: boolean | undefined
}

/** A schema on the engine: what was done to the table, what is in it, and how each pattern is
 * answered. */
export interface DevReport {
  readonly created: boolean
  /** What was changed of a table that was there, each in a phrase. */
  readonly changes: readonly string[]
  /** What only another table can have; if there is any of it, nothing was run. */
  readonly needsNewTable: readonly string[]
  /** What was written into an empty table, by entity. */
  readonly seeded: ReadonlyMap<string, number> | undefined
  /** Items that were stored with an older schema keep the keys they have. */
  readonly keptOlderItems: boolean
  readonly sample: Sample | undefined
  readonly patterns: readonly PatternReport[]
}

const WRITES = /^(Put|Update|Delete|BatchWrite|BatchExecute|TransactWrite|Execute|Import|Restore)/

/** The engine with one table, which follows a schema that is being worked on. */
export class DevSession {
  readonly #options: DevSessionOptions
  #models: string | undefined
  /** All that is in the table is sample data of this session, so that it can be made again. */
  #isOurs = false

  constructor(options: DevSessionOptions) {
    this.#options = options
  }

  /** Called for a request of somebody else: what they wrote is kept. */
  noteRequest(operation: string | undefined): void {
    if (operation !== undefined && WRITES.test(operation)) this.#isOurs = false
  }

  /** Deletes the table, if there is one. */
  async reset(design: DevDesign): Promise<void> {
    const table = this.#table(design)
    if (await table.exists()) await table.delete()
  }

  /** Makes the table as the schema says, fills it if it is empty, and runs all patterns that
   * read. */
  async show(design: DevDesign): Promise<DevReport> {
    const { engine, tableName } = this.#options
    const table = this.#table(design)
    const models = inspect(design.definition.models, { depth: null, maxStringLength: null })
    const isChanged = this.#models !== undefined && this.#models !== models
    let { created, changes, needsNewTable } = await fitTable(engine, table, design.schema)
    const isStale = isChanged || needsNewTable.length > 0
    const isRemade = isStale && this.#isOurs
    if (isRemade) {
      await table.delete()
      await table.create()
      changes = [...changes, ...needsNewTable.map((text) => `made the table again: ${text}`)]
      needsNewTable = []
    }
    if (needsNewTable.length > 0) {
      const nothing = { seeded: undefined, keptOlderItems: false, sample: undefined, patterns: [] }
      return { created, changes, needsNewTable, ...nothing }
    }
    this.#models = models
    const seeded = await this.#fill(design)
    if (this.#options.isQuick) {
      const nothing = { keptOlderItems: false, sample: undefined, patterns: [] }
      return { created, changes, needsNewTable, seeded, ...nothing }
    }
    const sample = await readSample(engine, design.schema, tableName)
    const patterns: PatternReport[] = []
    for (const pattern of design.schema.patterns.values()) {
      // An engine in this process answers at once, so that a signal would never have its turn.
      await others()
      if (this.#options.signal?.aborted) break
      patterns.push(await runPattern(table, pattern, sample))
    }
    const keptOlderItems = isChanged && !isRemade && !created && sample.items.length > 0
    return { created, changes, needsNewTable, seeded, keptOlderItems, sample, patterns }
  }

  async #fill(design: DevDesign): Promise<ReadonlyMap<string, number> | undefined> {
    const { engine, tableName, seed, signal, onProgress, onWarning } = this.#options
    if (seed === undefined) return undefined
    const { Count = 0 } = await engine.send('Scan', { TableName: tableName, Limit: 1 })
    if (Count > 0) return undefined
    const { items, environment, isSample } = await seed(design)
    const { written, refused } = await writeItems(this.#table(design, environment), items, {
      schema: design.schema,
      transport: engine,
      skipsRefused: isSample,
      hasDistinctKeys: isSample,
      signal,
      onProgress,
    })
    for (const [model, { count, reason }] of refused) {
      onWarning(`${count} items of ${model} were refused: ${reason}`)
    }
    this.#isOurs = true
    return written
  }

  #table({ definition }: DevDesign, environment?: Environment): Table<SchemaDefinition> {
    const { engine, tableName, onWarning } = this.#options
    return new Table({
      name: tableName,
      schema: definition,
      client: engine,
      onWarning,
      ...(environment && { environment }),
    })
  }
}
