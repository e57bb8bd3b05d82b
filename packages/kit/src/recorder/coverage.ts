import type { Schema } from 'singletable/tools'
import { patternSnippet } from '../check/evidence/pattern-snippet.ts'
import type { RecordedShape, Recording } from '../check/evidence/recording.ts'

/** A pattern that was run. */
export interface RunPattern {
  readonly pattern: string
  /** Requests, of which one call can have several. */
  readonly requests: number
  readonly itemsRead: number
  readonly itemsReturned: number
}

/** Requests that no pattern declares. */
export interface UndeclaredRequest {
  readonly shape: RecordedShape
  /** What would declare it; undefined for parts of other calls, which need no pattern of their
   * own. */
  readonly snippet: string | undefined
}

/** What tests ran of what is declared. */
export interface Coverage {
  readonly run: readonly RunPattern[]
  readonly neverRun: readonly string[]
  readonly undeclared: readonly UndeclaredRequest[]
  /** How many patterns should run: those that are neither planned nor answered elsewhere. */
  readonly expected: number
  /** How many of them did, in percent; 100 if there are none. */
  readonly percent: number
}

/** Compares a recording with the patterns of a schema. What is planned, or answered elsewhere, need
 * not run. */
export function coverageOf(schema: Schema, { shapes }: Recording): Coverage {
  const expected = [...schema.patterns.values()].filter(
    ({ definition }) => definition.op !== 'external' && definition.status !== 'planned',
  )
  const run = [...schema.patterns.keys()].flatMap((pattern): RunPattern[] => {
    const own = shapes.filter((shape) => shape.pattern === pattern)
    const { op } = schema.patterns.get(pattern)?.definition ?? {}
    if (!own.some(({ operation }) => isOwnQuestion(op, operation))) return []
    const sum = (of: (shape: RecordedShape) => number): number =>
      own.reduce((total, shape) => total + of(shape), 0)
    return [
      {
        pattern,
        requests: sum(({ count }) => count),
        itemsRead: sum(({ itemsRead }) => itemsRead),
        itemsReturned: sum(({ itemsReturned }) => itemsReturned),
      },
    ]
  })
  const names = new Set(run.map(({ pattern }) => pattern))
  const neverRun = expected.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  const undeclared = shapes
    .filter(({ pattern }) => pattern === null)
    .map((shape) => ({ shape, snippet: patternSnippet(schema, shape) }))
  return {
    run,
    neverRun,
    undeclared,
    expected: expected.length,
    percent:
      expected.length === 0 ? 100 : (100 * (expected.length - neverRun.length)) / expected.length,
  }
}

/**
 * Whether a request is what the pattern asks, and not a part of it such as the read before a write.
 */
function isOwnQuestion(op: string | undefined, operation: string): boolean {
  if (op === 'query' || op === 'scan') return operation.toLowerCase() === op
  const isRead = /^(Get|BatchGet|TransactGet|Query|Scan)/.test(operation)
  return /get$/i.test(op ?? '') === isRead
}
