import type { Operation, Step } from './operation.ts'

/** An item as the test looks at it. */
export interface Cell {
  readonly value: string
  readonly group: string
  readonly count: number
}

/** What the child finds in the store when it has opened it. */
export interface Dump {
  /** `table client sk` → the item. */
  readonly items: readonly (readonly [place: string, cell: Cell])[]
  /** The index's items, by the same names. */
  readonly index: readonly (readonly [place: string, cell: Cell])[]
  readonly shared: number
  /** Changes of the main table since the sequence number asked for. */
  readonly changes: readonly Change[]
  readonly lastSequence: string | undefined
  /** ItemCount of the main table and of its index. */
  readonly counts: readonly [number, number]
}

export interface Change {
  readonly place: string
  readonly sequence: string
  readonly before: Cell | undefined
  readonly after: Cell | undefined
}

/** Whether the child was informed that an operation was done. */
export type Outcome = 'done' | 'refused'

/**
 * What must be in the store: the parent's own account of all operations that were acknowledged, and
 * of those that had been started when the child was killed. The store is never asked what it thinks
 * it has done.
 */
export class Oracle {
  #cells = new Map<string, Cell>()
  #shared = 0
  #changes = new Map<string, (Cell | undefined)[]>()
  readonly #running = new Map<number, Operation>()
  lastSequence: string | undefined
  /** Transactions that are done, for sending them again. */
  readonly transactions: Operation[] = []

  started(operation: Operation): void {
    this.#running.set(operation.client, operation)
  }

  acknowledged(client: number, outcome: Outcome): void {
    const operation = this.#running.get(client)
    if (operation === undefined) throw new Error(`client ${client} had nothing to acknowledge`)
    this.#running.delete(client)
    const expected = this.#isRefused(operation) ? 'refused' : 'done'
    if (outcome !== expected) {
      throw new Error(`operation ${operation.id} was ${outcome}, and should have been ${expected}`)
    }
    if (outcome === 'done') this.#apply(operation, operation.steps)
  }

  /** Compares the store with what must be in it; gives what is wrong, in words. */
  compare(dump: Dump): string[] {
    const problems: string[] = []
    const found = new Map(dump.items)
    // What shows in the items is settled first; what is left of the shared counter shows the
    // others.
    const running = [...this.#running.values()]
      .filter((operation) => !this.#isRefused(operation))
      .sort((one, other) => this.#visible(other).length - this.#visible(one).length)
    for (const operation of running) {
      const isThere = (step: Step): boolean =>
        sameCell(found.get(placeOf(operation, step)), this.#after(operation, step))
      const visible = this.#visible(operation)
      const there = visible.filter(isThere)
      if (operation.kind === 'batch') {
        // Each member of a batch stands for itself.
        this.#apply(operation, there)
      } else if (there.length === visible.length && this.#isCounted(operation, dump, visible)) {
        this.#apply(operation, operation.steps)
      } else if (there.length > 0 && there.length < visible.length) {
        problems.push(`operation ${operation.id} (${operation.kind}) is there in part`)
      }
    }
    this.#running.clear()
    for (const place of new Set([...found.keys(), ...this.#cells.keys()])) {
      const expected = this.#cells.get(place)
      if (!sameCell(found.get(place), expected)) {
        problems.push(`${place}: ${print(found.get(place))} instead of ${print(expected)}`)
      }
    }
    if (dump.shared !== this.#shared) {
      problems.push(`the shared counter is ${dump.shared} instead of ${this.#shared}`)
    }
    this.#compareIndex(dump, problems)
    this.#compareChanges(dump, problems)
    return problems
  }

  #compareIndex(dump: Dump, problems: string[]): void {
    const index = new Map(dump.index)
    const main = new Map(dump.items.filter(([place]) => place.startsWith('main ')))
    for (const place of new Set([...index.keys(), ...main.keys()])) {
      if (!sameCell(index.get(place), main.get(place))) {
        problems.push(`index, ${place}: ${print(index.get(place))}, item ${print(main.get(place))}`)
      }
    }
    const [items, entries] = dump.counts
    // The shared counter is not an item of a client, and not in the index.
    const counted = main.size + 1
    if (items !== counted || entries !== main.size) {
      problems.push(`the table counts ${items} items and ${entries} entries, there are ${counted}`)
    }
  }

  #compareChanges(dump: Dump, problems: string[]): void {
    const found = new Map<string, (Cell | undefined)[]>()
    let last = this.lastSequence ?? ''
    for (const { place, sequence, before, after } of dump.changes) {
      if (last !== '' && BigInt(sequence) <= BigInt(last)) {
        problems.push(`stream record ${sequence} comes after ${last}`)
      }
      last = sequence
      const list = found.get(place) ?? [before]
      if (!sameCell(list.at(-1), before))
        problems.push(`stream, ${place}: a gap before ${sequence}`)
      list.push(after)
      found.set(place, list)
    }
    for (const place of new Set([...found.keys(), ...this.#changes.keys()])) {
      const expected = this.#changes.get(place) ?? []
      const list = found.get(place) ?? []
      if (
        list.length !== expected.length ||
        !list.every((cell, n) => sameCell(cell, expected[n]))
      ) {
        problems.push(
          `stream, ${place}: ${list.map(print).join(' → ')} instead of ${expected.map(print).join(' → ')}`,
        )
      }
    }
    this.#changes = new Map()
    this.lastSequence = dump.lastSequence ?? this.lastSequence
  }

  /** A transaction whose members all look as if it had not been there can only be seen in the
   * counter it shares with others. */
  #isCounted(operation: Operation, dump: Dump, visible: readonly Step[]): boolean {
    if (operation.kind !== 'transact' || visible.length > 0) return visible.length > 0
    return dump.shared > this.#shared
  }

  #isRefused(operation: Operation): boolean {
    return operation.steps.some(
      (step) => step.kind === 'update' && !this.#cells.has(placeOf(operation, step)),
    )
  }

  /** The steps that change something. */
  #visible(operation: Operation): Step[] {
    return operation.steps.filter(
      (step) => !sameCell(this.#cells.get(placeOf(operation, step)), this.#after(operation, step)),
    )
  }

  #after(operation: Operation, step: Step): Cell | undefined {
    const { kind, value, group } = step
    if (kind === 'delete') return undefined
    const before = this.#cells.get(placeOf(operation, step))
    return { value, group, count: kind === 'put' ? 0 : (before?.count ?? 0) + 1 }
  }

  #apply(operation: Operation, steps: readonly Step[]): void {
    for (const step of steps) {
      const place = placeOf(operation, step)
      const before = this.#cells.get(place)
      const after = this.#after(operation, step)
      if (after === undefined) this.#cells.delete(place)
      else this.#cells.set(place, after)
      if (step.table !== 'main' || sameCell(before, after)) continue
      const list = this.#changes.get(place) ?? [before]
      list.push(after)
      this.#changes.set(place, list)
    }
    if (operation.kind !== 'transact') return
    this.#shared++
    this.transactions.push(operation)
  }
}

export function placeOf(operation: Operation, step: Pick<Step, 'table' | 'sk'>): string {
  return `${step.table} C${operation.client} ${step.sk}`
}

function sameCell(one: Cell | undefined, other: Cell | undefined): boolean {
  return one?.value === other?.value && one?.group === other?.group && one?.count === other?.count
}

function print(cell: Cell | undefined): string {
  return cell ? `${cell.value}/${cell.group}/${cell.count}` : 'nothing'
}
