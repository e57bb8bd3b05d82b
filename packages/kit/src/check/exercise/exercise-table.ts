import { setImmediate as others } from 'node:timers/promises'
import { Table } from 'singletable'
import { createEngine, simulatedEnvironment, systemEnvironment } from 'singletable/engine'
import {
  createTableRequest,
  getOwn,
  type Item,
  itemSizeBytes,
  type Model,
  type Schema,
  SingletableError,
  type Transport,
  valueIn,
} from 'singletable/tools'
import { reasonOf } from './exercise-log.ts'
import { canBeLeftOut, type ItemMaker } from './item-maker.ts'
import type { Values } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'

/** The time at which everything happens, unless a pattern needs another. */
const NOW_MS: number = Date.UTC(2026, 5, 1)
const NAME = 'Exercise'

export type Output = Readonly<Record<string, unknown>>

/** A pattern as it is called here: what it takes and gives is checked by the library. */
export type LoosePattern = (input: unknown, options?: object) => LooseCall

export interface LooseCall extends Promise<LooseResult> {
  page(): Promise<LooseResult>
  measure(): Promise<LooseRun>
}

export interface LooseResult {
  readonly count?: number
  readonly exists?: boolean
  readonly item?: Output | undefined
  readonly items?: readonly (Output | undefined)[]
  readonly groups?: Readonly<Record<string, readonly Output[]>>
  readonly cursor?: string | undefined
  /** Capacity units; undefined if none were reported. */
  readonly consumed?: number | undefined
}

export interface LooseRun {
  readonly requests: number
  readonly itemsRead: number
  readonly consumed: number | undefined
  readonly result: LooseResult
}

interface LooseEntity {
  create(input: object): { execute(): Promise<unknown> }
}

/** An item that is in the table. */
export interface StoredItem {
  readonly model: Model
  /** All attributes, also hidden ones. */
  readonly values: Values
  /** As reading the item gives it. */
  readonly output: Output
  readonly bytes: number
}

/** Errors which say that an input can't be stored, or is stored already. */
const REFUSALS = [
  'INPUT_INVALID',
  'KEY_COMPONENT_INVALID',
  'UNIQUE_TAKEN',
  'PARENT_MISSING',
  'ITEM_EXISTS',
]

export interface ExerciseTableOptions {
  readonly schema: Schema
  readonly maker: ItemMaker
  readonly seed: number
  readonly nowMs?: number | undefined
  /** Is between the table and the engine. */
  readonly around?: ((transport: Transport) => Transport) | undefined
}

/** A table on an engine of its own. */
export class ExerciseTable {
  readonly schema: Schema
  readonly nowMs: number
  private readonly table: Table<Schema['definition']>
  private readonly engine: Transport
  private readonly maker: ItemMaker

  private constructor(options: ExerciseTableOptions) {
    const { schema, maker, nowMs = NOW_MS, seed, around = (transport) => transport } = options
    this.schema = schema
    this.maker = maker
    this.nowMs = nowMs
    const environment = simulatedEnvironment({ seed, now: nowMs })
    this.engine = createEngine({ environment })
    this.table = new Table({
      name: NAME,
      schema: schema.definition,
      client: around(this.engine),
      environment: {
        now: () => nowMs,
        randomBytes: environment.randomBytes,
        schedule: (callback) => systemEnvironment.schedule(callback, 0),
      },
      onWarning: () => {},
    })
  }

  static async open(options: ExerciseTableOptions): Promise<ExerciseTable> {
    const table = new ExerciseTable(options)
    await table.engine.send('CreateTable', createTableRequest(options.schema, NAME))
    return table
  }

  pattern(name: string): LoosePattern {
    // The types of a schema that is loaded at run time say nothing.
    const patterns = this.table.patterns as unknown as Readonly<Record<string, LoosePattern>>
    const found = patterns[name]
    if (found === undefined) throw new NotRunError(`There is no pattern "${name}".`)
    return found
  }

  /** Creates an item, and first those that count it. Gives false if its values are refused, or if
   * there is one with its key. */
  async write(model: Model, values: Values, path: readonly Model[] = []): Promise<boolean> {
    const source = model.source ?? model
    // The engine answers at once, so that a signal would never have its turn.
    await others()
    await this.writeParents(source, values, path)
    // As above.
    const entities = this.table.entities as unknown as Readonly<Record<string, LooseEntity>>
    try {
      // The element of a copy is in a list of its item.
      const own = [...values].filter(([name]) => source.attributes.has(name))
      await entities[source.name]?.create(Object.fromEntries(own)).execute()
      return true
    } catch (error) {
      if (!SingletableError.is(error)) throw error
      if (REFUSALS.includes(error.code)) return false
      throw new NotRunError(`A ${source.name} could not be written: ${reasonOf(error)}`)
    }
  }

  /** Writes the items that count this one. `path` has the models of those for whose sake this one
   * is written; `isMade` names parents that come later. */
  async writeParents(
    model: Model,
    values: Values,
    path: readonly Model[] = [],
    isMade: (parent: Model, key: Values) => boolean = () => false,
  ): Promise<void> {
    const below = [...path, model]
    for (const { parent, links } of model.derivedItems?.counters ?? []) {
      const key = new Map([...links].map(([name, link]) => [name, values.get(link)]))
      const isWhole = [...key.values()].every((value) => value !== undefined && value !== null)
      // Where each names another of its kind there is no first one.
      if (!isWhole || below.filter((each) => each === parent).length > 1) continue
      if (isMade(parent, key)) continue
      const made = this.maker.make(parent, key)
      // What counts its own kind ends with one that names none.
      for (const above of parent.derivedItems?.counters ?? []) {
        if (!below.includes(above.parent) && above.parent !== parent) continue
        for (const name of above.links.values()) {
          const attribute = parent.attributes.get(name)
          if (attribute && !key.has(name) && canBeLeftOut(parent, attribute)) made.delete(name)
        }
      }
      await this.write(parent, made, below)
    }
  }

  /** All items of the models, copies among them. */
  async stored(): Promise<readonly StoredItem[]> {
    const { types, params } = this.schema
    const items: Item[] = []
    let start: Item | undefined
    do {
      const page = await this.engine.send('Scan', {
        TableName: NAME,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      })
      for (const each of page.Items ?? []) items.push(each)
      start = page.LastEvaluatedKey
    } while (start)
    return items.flatMap((item) => {
      const model = types.get(getOwn(item, params.typeField)?.S ?? '')
      return model ? [readStored(model, item)] : []
    })
  }
}

function readStored(model: Model, item: Item): StoredItem {
  const values = new Map<string, unknown>()
  for (const attribute of model.attributes.values()) {
    const value = valueIn(model, attribute, item)
    if (value !== undefined) values.set(attribute.name, attribute.codec.decode(value))
  }
  return { model, values, output: model.decode(item, false), bytes: itemSizeBytes(item) }
}
