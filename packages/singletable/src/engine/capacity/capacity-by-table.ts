import type { ConsumedCapacity, ReturnConsumedCapacity } from '../../wire/item-operations.ts'
import type { Table } from '../catalog/table.ts'
import { CapacityMeter } from './consumed-capacity.ts'

/** What a request that speaks of several tables consumes on each of them. */
export class CapacityByTable {
  readonly #meters = new Map<Table, CapacityMeter>()

  of(table: Table): CapacityMeter {
    let meter = this.#meters.get(table)
    if (meter === undefined) {
      meter = new CapacityMeter(table)
      this.#meters.set(table, meter)
    }
    return meter
  }

  /** One entry a table, in the order in which the tables came up. */
  show(wanted: ReturnConsumedCapacity | undefined, kind?: 'read' | 'write'): ConsumedCapacity[] {
    return [...this.#meters.values()].map((meter) => meter.show(wanted, kind))
  }
}
