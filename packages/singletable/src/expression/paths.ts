import { ExpressionError } from './expression-error.ts'
import type { Path } from './tree.ts'

export function equalPaths(a: Path, b: Path): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/** Up to here comparing each with each is faster than keeping a Map. */
const FEW_PATHS = 16

/**
 * Paths of one update or projection, collected from the end of the text. Two of them can't be
 * combined if one is within the other (overlap), or if one takes for a map what the other takes for
 * a list (conflict).
 */
export class PathCollector {
  readonly paths: Path[] = []
  #byName: Map<string, Path[]> | undefined

  /** Checks the path against those after it in the text. */
  add(path: Path): void {
    if (this.paths.length < FEW_PATHS) {
      checkPathAgainst(path, this.paths)
      this.paths.push(path)
      return
    }
    this.#byName ??= groupByName(this.paths)
    this.paths.push(path)
    const group = this.#byName.get(path[0])
    if (group === undefined) {
      this.#byName.set(path[0], [path])
    } else {
      checkPathAgainst(path, group)
      group.push(path)
    }
  }
}

function groupByName(paths: readonly Path[]): Map<string, Path[]> {
  const groups = new Map<string, Path[]>()
  for (const path of paths) {
    const group = groups.get(path[0])
    if (group === undefined) groups.set(path[0], [path])
    else group.push(path)
  }
  return groups
}

function checkPathAgainst(one: Path, others: readonly Path[]): void {
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
