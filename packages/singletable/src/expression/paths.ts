import { ExpressionError } from './expression-error.ts'
import type { Path } from './tree.ts'

export function equalPaths(a: Path, b: Path): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/**
 * Refuses a path that can't be used together with those that stand behind it in the text: one lies within the other
 * (overlap), or one takes for a map what the other takes for a list (conflict).
 */
export function checkPathAgainst(one: Path, others: readonly Path[]): void {
  for (let index = others.length - 1; index >= 0; index--) {
    const two = others[index]
    if (two === undefined || one[0] !== two[0]) continue
    const shorter = Math.min(one.length, two.length)
    let depth = 1
    while (depth < shorter && one[depth] === two[depth]) depth++
    if (depth === shorter) throw new ExpressionError({ kind: 'paths-overlap', one, two })
    if (typeof one[depth] !== typeof two[depth]) {
      throw new ExpressionError({ kind: 'paths-conflict', one, two })
    }
  }
}
