import type { ModelIndex, Pattern } from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
import { type Figure, printNumber, worstBasis } from './figure.ts'
import { readUnits } from './read-units.ts'
import { writeUnits } from './write-units.ts'

/** What the busiest partition key of an index has to bear from one pattern. */
export interface PartitionLoad {
  readonly pattern: string
  readonly index: string
  readonly kind: 'read' | 'write'
  /** Units a second. */
  readonly units: Figure
  /** What one partition bears. */
  readonly limit: number
  /** Partition keys that would do, each with its part. */
  readonly partitionsNeeded: number
}

export const PARTITION_READ_UNITS_MAX = 3000
export const PARTITION_WRITE_UNITS_MAX = 1000

/**
 * The loads that are known: `peakRps × units × skew ÷ distinctKeys`, where `distinctKeys` are the
 * values of the partition key without shards. Of a partition key without variables there is one
 * value, whatever is declared. Where neither is known there is no load.
 */
export function partitionLoads(design: CostDesign, pattern: Pattern): readonly PartitionLoad[] {
  const { name, definition, models, use } = pattern
  const { rps, distinctKeys, skew = 1, ...expected } = definition.expect ?? {}
  if (rps === undefined && expected.peakRps === undefined) return []
  const peakRps = Math.max(rps ?? 0, expected.peakRps ?? 0)
  const load = (
    kind: 'read' | 'write',
    of: ModelIndex,
    units: Figure,
    isOwnKey: boolean,
  ): readonly PartitionLoad[] => {
    const shards = shardCount(of)
    const keys = isConstant(of) ? 1 : isOwnKey ? distinctKeys : undefined
    if (keys === undefined || keys <= 0 || units.value === 0) return []
    const value = (peakRps * units.value * skew) / keys / shards
    const limit = kind === 'read' ? PARTITION_READ_UNITS_MAX : PARTITION_WRITE_UNITS_MAX
    const formula = `${printNumber(peakRps)} per second × ${printNumber(units.value)} units × skew ${printNumber(skew)} ÷ ${printNumber(keys * shards)} keys`
    return [
      {
        pattern: name,
        index: of.index.name,
        kind,
        units: { value, basis: units.basis, formula },
        limit,
        partitionsNeeded: Math.max(1, Math.ceil((value * shards) / limit)),
      },
    ]
  }
  const reads = readUnits(design, pattern)
  if (reads) return use ? load('read', use, reads.units, true) : []
  const [model] = models
  const writes = writeUnits(design, pattern)
  const own = writes?.items[0]
  if (model === undefined || own === undefined) return []
  const base: Figure = { ...own.itemBytes, value: own.tableUnits }
  return [
    ...load('write', model.primary, base, true),
    ...own.indexes.flatMap(({ index, units, entryBytes }) => {
      const entry = model.indexes.find((each) => each.index.name === index)
      const figure: Figure = { ...entryBytes, value: units, basis: worstBasis([entryBytes]) }
      return entry ? load('write', entry, figure, false) : []
    }),
  ]
}

/** No attribute of the item is in the partition key; a shard does not count. */
function isConstant({ hash }: ModelIndex): boolean {
  return hash.every(({ template }) =>
    template?.parts.every((part) => typeof part === 'string' || part.count !== undefined),
  )
}

function shardCount({ hash }: ModelIndex): number {
  const counts = hash.flatMap(({ template }) =>
    (template?.parts ?? []).map((part) => (typeof part === 'string' ? 1 : (part.count ?? 1))),
  )
  return Math.max(1, ...counts)
}
