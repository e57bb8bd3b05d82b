import type { SchemaDefinition } from 'singletable'
import {
  compileSchema,
  type OperationName,
  type Partition,
  partitionsOf,
  type Schema,
} from 'singletable/tools'

/** What was asked of a partition in some time. */
export interface PartitionTraffic {
  /** `pk=USER#alice`; of several attributes all of them. */
  readonly key: string
  readonly reads: number
  readonly writes: number
  /** Capacity units that answers have reported. */
  readonly readUnits: number
  readonly writeUnits: number
  /** Units of its busiest second. */
  readonly readPeak: number
  readonly writePeak: number
}

export const TRAFFIC_MINUTES = 15
/** Partitions that are counted in a minute; what comes later then is not. */
const KEYS_MAX = 1000
const MINUTE_MS = 60_000

type Counters = {
  -readonly [Name in Exclude<keyof PartitionTraffic, 'key'>]: number
} & { second: number; secondReads: number; secondWrites: number }

interface Minute {
  readonly start: number
  /** By table, index and key. */
  readonly partitions: Map<string, Counters>
}

/** Reads, writes and their units by partition key within the last minutes, in bounded memory. */
export class Traffic {
  readonly #now: () => number
  #schema: Schema
  /** The oldest first. */
  #minutes: Minute[] = []

  constructor(schema: SchemaDefinition, now: () => number = Date.now) {
    this.#schema = compileSchema(schema)
    this.#now = now
  }

  /** Counts the keys of another schema from now on. */
  follow(schema: SchemaDefinition): void {
    this.#schema = compileSchema(schema)
  }

  /**
   * Counts a request that somebody has sent, with the units that its answer reports. What can't be
   * read is for DynamoDB to refuse.
   */
  note(operation: string, request: unknown, answer?: unknown): void {
    let found: readonly Partition[] = []
    try {
      found = partitionsOf(this.#schema, operation as OperationName, Object(request)).flat()
    } catch {
      return
    }
    if (found.length === 0) return
    const now = this.#now()
    const { partitions } = this.#minuteAt(now)
    const units = unitsOf(answer)
    for (const { table, index, key, kind } of found) {
      const shared = found.filter((each) => each.table === table && each.index === index).length
      const id = JSON.stringify([table, index, key])
      const counters = partitions.get(id) ?? { ...NONE }
      if (!partitions.has(id) && partitions.size >= KEYS_MAX) continue
      partitions.set(id, counters)
      count(counters, kind, units(table, index) / shared, Math.floor(now / 1000))
    }
  }

  /**
   * The partitions of an index with most units, then requests, the busiest first: in all minutes,
   * or in the one that started `minutesAgo`.
   */
  top(table: string, index: string, minutesAgo?: number): readonly PartitionTraffic[] {
    const sums = new Map<string, Counters>()
    for (const { start, partitions } of this.#recent()) {
      if (minutesAgo !== undefined && this.#age(start) !== minutesAgo) continue
      for (const [id, counters] of partitions) {
        const [inTable, inIndex, key] = JSON.parse(id) as [string, string, string]
        if (inTable !== table || inIndex !== index) continue
        sums.set(key, add(sums.get(key) ?? NONE, counters))
      }
    }
    return [...sums]
      .map(([key, { second: _, secondReads: _reads, secondWrites: _writes, ...rest }]) => ({
        key,
        ...rest,
      }))
      .sort((a, b) => weightOf(b) - weightOf(a) || b.reads + b.writes - a.reads - a.writes)
  }

  /** Units of an index in each of the last minutes, the oldest first. */
  history(table: string, index: string): readonly { reads: number; writes: number }[] {
    const minutes = Array.from({ length: TRAFFIC_MINUTES }, () => ({ reads: 0, writes: 0 }))
    for (const { start, partitions } of this.#recent()) {
      const minute = minutes[TRAFFIC_MINUTES - 1 - this.#age(start)]
      for (const [id, { readUnits, writeUnits }] of partitions) {
        const [inTable, inIndex] = JSON.parse(id) as [string, string]
        if (minute === undefined || inTable !== table || inIndex !== index) continue
        minute.reads += readUnits
        minute.writes += writeUnits
      }
    }
    return minutes
  }

  #minuteAt(now: number): Minute {
    const start = Math.floor(now / MINUTE_MS) * MINUTE_MS
    const last = this.#minutes.at(-1)
    if (last?.start === start) return last
    const minute: Minute = { start, partitions: new Map() }
    this.#minutes = [...this.#recent(), minute]
    return minute
  }

  #recent(): readonly Minute[] {
    return this.#minutes.filter(({ start }) => this.#age(start) < TRAFFIC_MINUTES)
  }

  /** How many minutes ago a minute began. */
  #age(start: number): number {
    return Math.floor(this.#now() / MINUTE_MS) - start / MINUTE_MS
  }
}

const NONE: Counters = {
  reads: 0,
  writes: 0,
  readUnits: 0,
  writeUnits: 0,
  readPeak: 0,
  writePeak: 0,
  second: 0,
  secondReads: 0,
  secondWrites: 0,
}

function count(counters: Counters, kind: Partition['kind'], units: number, second: number): void {
  if (counters.second !== second) {
    counters.second = second
    counters.secondReads = 0
    counters.secondWrites = 0
  }
  if (kind === 'read') {
    counters.reads++
    counters.readUnits += units
    counters.secondReads += units
    counters.readPeak = Math.max(counters.readPeak, counters.secondReads)
  } else {
    counters.writes++
    counters.writeUnits += units
    counters.secondWrites += units
    counters.writePeak = Math.max(counters.writePeak, counters.secondWrites)
  }
}

function add(one: Counters, other: Counters): Counters {
  return {
    ...NONE,
    reads: one.reads + other.reads,
    writes: one.writes + other.writes,
    readUnits: one.readUnits + other.readUnits,
    writeUnits: one.writeUnits + other.writeUnits,
    readPeak: Math.max(one.readPeak, other.readPeak),
    writePeak: Math.max(one.writePeak, other.writePeak),
  }
}

/** A write unit is a third of what a read unit is of its limit: 1,000 against 3,000 a second. */
function weightOf({ readUnits, writeUnits }: PartitionTraffic): number {
  return readUnits + writeUnits * 3
}

interface Capacity {
  readonly TableName?: string
  readonly CapacityUnits?: number
  readonly Table?: { readonly CapacityUnits?: number }
  readonly LocalSecondaryIndexes?: Indexes
  readonly GlobalSecondaryIndexes?: Indexes
}
type Indexes = { readonly [index: string]: { readonly CapacityUnits?: number } }

/** The units that an answer reports, by table and index; none where it reports none. */
function unitsOf(answer: unknown): (table: string, index: string) => number {
  const { ConsumedCapacity = [] } = Object(answer) as {
    readonly ConsumedCapacity?: Capacity | readonly Capacity[]
  }
  const all = Array.isArray(ConsumedCapacity) ? ConsumedCapacity : [ConsumedCapacity]
  return (table, index) => {
    const found = (all as readonly Capacity[]).find(({ TableName }) => TableName === table)
    if (found === undefined) return 0
    const { Table, CapacityUnits = 0, LocalSecondaryIndexes, GlobalSecondaryIndexes } = found
    if (index !== 'primary') {
      const indexes = { ...LocalSecondaryIndexes, ...GlobalSecondaryIndexes }
      return indexes[index]?.CapacityUnits ?? (Table ? 0 : CapacityUnits)
    }
    return Table?.CapacityUnits ?? CapacityUnits
  }
}

/** Operations whose answers report capacity. */
const METERED =
  /^(Get|Put|Update|Delete|BatchGet|BatchWrite|TransactGet|TransactWrite)Items?$|^(Query|Scan)$/

/**
 * The same request, asking for the units of the table and of each index; undefined if it asks for
 * units itself, or consumes none.
 */
export function metered<TRequest>(operation: string, request: TRequest): TRequest | undefined {
  const { ReturnConsumedCapacity = 'NONE' } = Object(request)
  if (!METERED.test(operation) || ReturnConsumedCapacity !== 'NONE') return undefined
  return { ...request, ReturnConsumedCapacity: 'INDEXES' }
}
