import { setOwn } from '../../values/own.ts'
import type {
  Capacity,
  ConsumedCapacity,
  ReturnConsumedCapacity,
} from '../../wire/item-operations.ts'
import type { Index, Table } from '../catalog/table.ts'
import { changesNothing } from '../change/change.ts'
import type { AppliedWrite } from '../write/write.ts'

/** Adds up what one request consumes on one table, and shows it as asked for. */
export class CapacityMeter {
  readonly #table: Table
  #tableUnits = 0
  readonly #indexUnits = new Map<Index, number>()

  constructor(table: Table) {
    this.#table = table
  }

  addTable(units: number): void {
    this.#tableUnits += units
  }

  addIndex(index: Index, units: number): void {
    if (index.kind === 'primary') this.#tableUnits += units
    else this.#indexUnits.set(index, (this.#indexUnits.get(index) ?? 0) + units)
  }

  /** A transaction pays double on the table itself, single on the indexes; these cost nothing when
   * the item stays as it was. */
  addWrite(write: AppliedWrite, factor: 1 | 2): void {
    this.#tableUnits += write.units * factor
    if (changesNothing(write.change)) return
    for (const { index, units } of write.indexChanges) this.addIndex(index, units)
  }

  /** `kind` is given for transactions, which show reads and writes apart. */
  show(wanted: ReturnConsumedCapacity | undefined, kind?: 'read' | 'write'): ConsumedCapacity {
    let total = this.#tableUnits
    for (const units of this.#indexUnits.values()) total += units
    const result: ConsumedCapacity = {
      TableName: this.#table.name,
      ...capacity(total, kind),
    }
    if (wanted !== 'INDEXES') return result
    result.Table = capacity(this.#tableUnits, kind)
    for (const [index, units] of this.#indexUnits) {
      const member = index.kind === 'global' ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes'
      result[member] ??= {}
      setOwn(result[member], index.name ?? '', capacity(units, kind))
    }
    return result
  }
}

/** Whether the caller wants to see consumed capacity at all. */
export function wantsCapacity(wanted: ReturnConsumedCapacity | undefined): boolean {
  return wanted === 'TOTAL' || wanted === 'INDEXES'
}

function capacity(units: number, kind: 'read' | 'write' | undefined): Capacity {
  if (kind === 'read') return { CapacityUnits: units, ReadCapacityUnits: units }
  if (kind === 'write') return { CapacityUnits: units, WriteCapacityUnits: units }
  return { CapacityUnits: units }
}
