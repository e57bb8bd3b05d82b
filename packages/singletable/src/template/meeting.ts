import type { Component } from './component.ts'
import type { KeyTemplate } from './key-template.ts'
import { type Letters, literalRuns, oneOrMore, type Run, type Shape } from './shape.ts'

/**
 * Whether some values give both templates the same text. It can say yes where there are none, for it takes each placeholder by
 * itself, but never no where there are.
 */
export function keysCanMeet(a: KeyTemplate, b: KeyTemplate): boolean {
  if (a.separator !== b.separator) return true
  const openA = isOpen(a)
  const openB = isOpen(b)
  const countA = a.segments.length
  const countB = b.segments.length
  // Only a path can have more segments than are written.
  if ((countA < countB && !openA) || (countB < countA && !openB)) return false
  for (let index = 0; index < Math.max(countA, countB); index++) {
    const shapeB = shapeOf(b.segments[index])
    const meets = shapeOf(a.segments[index]).some((runsA) =>
      shapeB.some((runsB) => runsMeet(runsA, runsB)),
    )
    if (!meets) return false
  }
  return true
}

function isOpen(template: KeyTemplate): boolean {
  const last = template.parts.at(-1)
  return typeof last === 'object' && last.path
}

/** A segment beyond the written ones belongs to a path. At most one part has alternatives, as at most one has no fixed width. */
function shapeOf(segment: readonly (string | Component)[] | undefined): Shape {
  if (segment === undefined) return [oneOrMore(() => true)]
  let shape: Run[][] = [[]]
  for (const part of segment) {
    const alternatives = typeof part === 'string' ? [literalRuns(part)] : part.shape
    shape = shape.flatMap((runs) => alternatives.map((more) => [...runs, ...more]))
  }
  return shape
}

/** Whether one text fits both. Filled from the end: `row[j]` tells it of the rest of `a` from i on and the rest of `b` from j on. */
function runsMeet(a: readonly Run[], b: readonly Run[]): boolean {
  let below: boolean[] = []
  for (let i = a.length; i >= 0; i--) {
    const runA = a[i]
    const row: boolean[] = []
    for (let j = b.length; j >= 0; j--) {
      const runB = b[j]
      row[j] =
        (runA === undefined && runB === undefined) ||
        (runA?.many === true && below[j] === true) ||
        (runB?.many === true && row[j + 1] === true) ||
        (runA !== undefined &&
          runB !== undefined &&
          (runA.many ? row : below)[runB.many ? j : j + 1] === true &&
          overlap(runA.letters, runB.letters))
    }
    below = row
  }
  return below[0] === true
}

function overlap(a: Letters, b: Letters): boolean {
  if (typeof a !== 'string') return typeof b === 'string' ? overlap(b, a) : true
  for (const letter of a.split('')) {
    if (typeof b === 'string' ? b.includes(letter) : b(letter)) return true
  }
  return false
}
