import type { Item } from '../../values/attribute-value.ts'
import type { ConsumedCapacity, ReturnConsumedCapacity } from '../../wire/item-operations.ts'
import { CapacityMeter } from '../capacity/consumed-capacity.ts'
import { readUnits } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context.ts'
import type { AppliedWrite } from '../write/write.ts'

/** What is remembered with a token: enough to answer a repeated call. */
export interface TransactionOutcome {
  readonly writes: readonly {
    readonly table: string
    readonly key: Item
    readonly sizeBytes: number
  }[]
}

export function outcomeOf(applied: readonly AppliedWrite[]): TransactionOutcome {
  return {
    writes: applied.map(({ change }) => ({
      table: change.table.name,
      key: change.key,
      sizeBytes: (change.after ?? change.before)?.sizeBytes ?? 0,
    })),
  }
}

/** What the writes of a transaction consumed, table by table. */
export function writtenCapacity(
  applied: readonly AppliedWrite[],
  wanted: ReturnConsumedCapacity | undefined,
): ConsumedCapacity[] {
  const meters = new Map<Table, CapacityMeter>()
  for (const write of applied) {
    const { table } = write.change
    const meter = meters.get(table) ?? new CapacityMeter(table)
    meter.addWrite(write, 2)
    meters.set(table, meter)
  }
  return [...meters.values()].map((meter) => meter.show(wanted, 'write'))
}

/** A repeated call only reads, and is charged for that. */
export function replayedCapacity(
  context: EngineContext,
  outcome: TransactionOutcome,
  wanted: ReturnConsumedCapacity | undefined,
): ConsumedCapacity[] {
  const meters = new Map<string, CapacityMeter>()
  for (const { table: name, sizeBytes } of outcome.writes) {
    const table = context.catalog.find(name)
    if (table === undefined) continue
    const meter = meters.get(name) ?? new CapacityMeter(table)
    meter.addTable(readUnits(sizeBytes, 'transactional'))
    meters.set(name, meter)
  }
  return [...meters.values()].map((meter) => meter.show(wanted, 'read'))
}
