import { Table } from 'singletable'
import { createEngine, simulatedEnvironment, systemEnvironment } from 'singletable/engine'
import {
  createTableRequest,
  type Item,
  type Model,
  type OperationName,
  type Schema,
  SingletableError,
  type Transport,
} from 'singletable/tools'
import { reasonOf } from '../../packages/kit/src/check/exercise/exercise-log.ts'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { NotRunError } from '../../packages/kit/src/check/exercise/not-run-error.ts'
import { type Entry, WrittenItems } from './written-items.ts'

/** The time at which everything happens, unless a pattern needs another. */
export const NOW_MS: number = Date.UTC(2026, 5, 1)

const NAME = 'Exercise'

/** A pattern as it is called here: what it takes and gives is checked by the library. */
export interface LoosePattern {
  (input: unknown, options?: object): LooseCall
  all(input: unknown): AsyncIterable<Readonly<Record<string, unknown>>>
}

export interface LooseCall extends Promise<LooseResult> {
  page(): Promise<LooseResult>
  measure(): Promise<LooseRun>
}

export type Output = Readonly<Record<string, unknown>>

export interface LooseResult {
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

/** A request that reached the engine. */
export interface Sent {
  readonly operation: OperationName
  readonly request: object
}

interface LooseEntity {
  create(input: object): { execute(): Promise<unknown> }
}

/** What is written when an input is refused is nothing; these say that it is the input's fault. */
const REFUSALS = ['INPUT_INVALID', 'KEY_COMPONENT_INVALID', 'UNIQUE_TAKEN', 'PARENT_MISSING']

/** A table on an engine of its own, and next to it what was written to it. */
export class ExerciseTable {
  readonly writtenItems: WrittenItems = new WrittenItems()
  readonly schema: Schema
  nowMs: number
  private readonly table: Table<Schema['definition']>
  private readonly engine: Transport
  private readonly maker: ItemMaker
  private sent: Sent[] = []

  constructor(options: {
    readonly schema: Schema
    readonly maker: ItemMaker
    readonly nowMs: number
    readonly seed: number
    /** Is between the table and the engine. */
    readonly around: ((transport: Transport) => Transport) | undefined
  }) {
    const { schema, maker, nowMs, seed, around = (transport) => transport } = options
    this.schema = schema
    this.maker = maker
    this.nowMs = nowMs
    const environment = simulatedEnvironment({ seed, now: nowMs })
    this.engine = createEngine({ environment })
    const client = around({
      send: (operation, request, sendOptions) => {
        this.sent.push({ operation, request })
        return this.engine.send(operation, request, sendOptions)
      },
    })
    this.table = new Table({
      name: NAME,
      schema: schema.definition,
      client,
      environment: {
        now: () => this.nowMs,
        randomBytes: environment.randomBytes,
        schedule: (callback) => systemEnvironment.schedule(callback, 0),
      },
      onWarning: () => {},
    })
  }

  async open(): Promise<void> {
    await this.engine.send('CreateTable', createTableRequest(this.schema, NAME))
  }

  pattern(name: string): LoosePattern {
    // The types of a schema that is loaded at run time say nothing.
    const patterns = this.table.patterns as unknown as Readonly<Record<string, LoosePattern>>
    const found = patterns[name]
    if (found === undefined) throw new NotRunError(`There is no pattern "${name}".`)
    return found
  }

  /** Gives the requests since it was called before. */
  takeSent(): readonly Sent[] {
    const { sent } = this
    this.sent = []
    return sent
  }

  /** Creates an item, and first those that count it. Gives false if its values are refused, or if
   * there is one with its key. */
  async write(model: Model, values: Values): Promise<boolean> {
    const source = model.source ?? model
    await this.writeParents(source, values)
    // As above.
    const entities = this.table.entities as unknown as Readonly<Record<string, LooseEntity>>
    try {
      await entities[source.name]?.create(Object.fromEntries(values)).execute()
    } catch (error) {
      if (!SingletableError.is(error)) throw error
      if (error.code === 'ITEM_EXISTS' && this.isKnown(source, values)) return false
      if (REFUSALS.includes(error.code)) return false
      throw new NotRunError(`A ${source.name} could not be written: ${reasonOf(error)}`)
    }
    this.writtenItems.add(source, new Map([...values, ...this.kept(source, 1)]))
    return true
  }

  /** Writes the items that count this one. */
  async writeParents(model: Model, values: Values): Promise<void> {
    for (const { parent, links } of model.derivedItems?.counters ?? []) {
      const key = new Map([...links].map(([name, link]) => [name, values.get(link)]))
      const isWhole = [...key.values()].every((value) => value !== undefined && value !== null)
      if (!isWhole || this.writtenItems.find(parent, key)) continue
      await this.write(parent, this.maker.make(parent, key))
    }
  }

  /** What the library itself keeps of an item: its version, and when it was changed. */
  kept({ version, updatedAt }: Model, number: number): Values {
    const date = new Date(this.nowMs)
    const values = new Map<string, unknown>()
    if (version) values.set(version.name, number)
    if (updatedAt) {
      const { type } = updatedAt.definition
      values.set(
        updatedAt.name,
        type === Number ? date.getTime() : type === String ? date.toISOString() : date,
      )
    }
    return values
  }

  /** All items that should be there. */
  entries(): readonly Entry[] {
    return [...this.schema.models.values()].flatMap((model) => this.writtenItems.entriesOf(model))
  }

  /** All items as they are stored. */
  async stored(): Promise<readonly Item[]> {
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
    return items
  }

  /** An item with the same key was written, or one whose key has the same text because case or the
   * time of day don't count in it. */
  private isKnown(model: Model, values: Values): boolean {
    const isLossy = [...model.primary.hash, ...model.primary.sort].some(({ template }) =>
      template?.parts.some((part) => typeof part !== 'string' && part.lossy),
    )
    return isLossy || this.writtenItems.find(model, values) !== undefined
  }
}
