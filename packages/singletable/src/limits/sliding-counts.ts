import { FrequentCounts } from './frequent-counts.ts'

/** A window moves on in this many steps. */
const PARTS = 6

interface Part {
  readonly from: number
  readonly counts: FrequentCounts
}

/** How often things occurred within the latest window of time, in bounded memory. */
export class SlidingCounts {
  readonly #partMs: number
  readonly #countersMax: number
  /** The oldest first. */
  #parts: Part[] = []

  constructor(windowMs: number, countersMax: number) {
    this.#partMs = windowMs / PARTS
    this.#countersMax = countersMax
  }

  /** Counts one more, and gives how often it occurred at least. */
  add(id: string, now: number): number {
    this.#parts = this.#partsAt(now)
    let last = this.#parts.at(-1)
    if (last === undefined || now >= last.from + this.#partMs) {
      last = { from: now, counts: new FrequentCounts(this.#countersMax) }
      this.#parts.push(last)
    }
    last.counts.add(id)
    return sum(this.#parts, id)
  }

  /** How often it occurred at least. */
  count(id: string, now: number): number {
    return sum(this.#partsAt(now), id)
  }

  /** What occurred most, and how often at least. */
  top(count: number, now: number): readonly (readonly [id: string, count: number])[] {
    const parts = this.#partsAt(now)
    const ids = new Set(parts.flatMap(({ counts }) => [...counts.ids()]))
    return [...ids]
      .map((id) => [id, sum(parts, id)] as const)
      .filter(([, occurred]) => occurred > 0)
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
  }

  #partsAt(now: number): Part[] {
    const windowMs = this.#partMs * PARTS
    return this.#parts.filter(({ from }) => now - from < windowMs)
  }
}

function sum(parts: readonly Part[], id: string): number {
  return parts.reduce((total, { counts }) => total + counts.atLeast(id), 0)
}
