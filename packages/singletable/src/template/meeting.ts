import type { KeyTemplate } from './key-template.ts'
import { type Letters, literalRuns, oneOrMore, type Run, type Shape } from './shape.ts'

/**
 * Whether some values give both templates, of one schema, the same text. It can say yes where there
 * are none, for it takes each placeholder by itself, but never no where there are.
 */
export function keysCanMeet(a: KeyTemplate, b: KeyTemplate): boolean {
  const segmentsA = segmentShapes(a)
  const segmentsB = segmentShapes(b)
  for (let index = 0; index < Math.max(segmentsA.length, segmentsB.length); index++) {
    const shapeA = segmentsA[index] ?? shapeBeyond(a)
    const shapeB = segmentsB[index] ?? shapeBeyond(b)
    if (!shapeA.some((runsA) => shapeB.some((runsB) => runsMeet(runsA, runsB)))) return false
  }
  return true
}

/** What is between separators. At most one part there has alternatives, as at most one has no fixed
 * width. */
function segmentShapes({ parts, separator }: KeyTemplate): readonly Shape[] {
  let last: Shape = [[]]
  const shapes: Shape[] = []
  const extend = (alternatives: Shape): void => {
    last = last.flatMap((runs) => alternatives.map((more) => [...runs, ...more]))
  }
  for (const part of parts) {
    if (typeof part !== 'string') {
      extend(part.shape)
      // It can contain separators, so that nothing is known of what follows.
      if (part.raw) return [...shapes, last]
      continue
    }
    for (const [index, literal] of part.split(separator).entries()) {
      if (index > 0) {
        shapes.push(last)
        last = [[]]
      }
      extend([literalRuns(literal)])
    }
  }
  return [...shapes, last]
}

/** Only a path can have more segments than are written, and what has text as it is. */
function shapeBeyond({ parts }: KeyTemplate): Shape {
  if (parts.some((part) => typeof part === 'object' && part.raw)) {
    return [[{ letters: () => true, many: true }]]
  }
  const end = parts.at(-1)
  return typeof end === 'object' && end.path ? [oneOrMore(() => true)] : []
}

/** Whether one text fits both. Filled from the end: `row[j]` says it for the rest of `a` from i on
 * and the rest of `b` from j on. */
function runsMeet(a: readonly Run[], b: readonly Run[]): boolean {
  let below: boolean[] = []
  for (let i = a.length; i >= 0; i--) {
    const runA = a[i]
    const row: boolean[] = []
    for (let j = b.length; j >= 0; j--) {
      const runB = b[j]
      row[j] = Boolean(
        (!runA && !runB) ||
          (runA?.many && below[j]) ||
          (runB?.many && row[j + 1]) ||
          (runA &&
            runB &&
            (runA.many ? row : below)[runB.many ? j : j + 1] &&
            overlap(runA.letters, runB.letters)),
      )
    }
    below = row
  }
  return below[0] === true
}

function overlap(a: Letters, b: Letters): boolean {
  if (typeof a !== 'string') return typeof b !== 'string' || overlap(b, a)
  return a.split('').some((letter) => (typeof b === 'string' ? b.includes(letter) : b(letter)))
}
