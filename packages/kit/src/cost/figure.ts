/** Where a figure is from: the schema says it, a table was sampled, or nothing is known and
 * something usual is taken. */
export type Basis = 'declared' | 'sampled' | 'default'

/** A number with how it came about. */
export interface Figure {
  readonly value: number
  readonly basis: Basis
  /** The computation with its numbers, such as `20 × 2000 B`. */
  readonly formula: string
}

const ORDER: readonly Basis[] = ['declared', 'sampled', 'default']

/** What is made of several figures is as good as the worst of them; of none, declared. */
export function worstBasis(figures: Iterable<{ readonly basis: Basis }>): Basis {
  let worst = 0
  for (const { basis } of figures) worst = Math.max(worst, ORDER.indexOf(basis))
  return ORDER[worst] ?? 'default'
}

/** A number in a formula: no more digits than mean something. */
export function printNumber(value: number): string {
  return String(Number(value.toPrecision(6)))
}
