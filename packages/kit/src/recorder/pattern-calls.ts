import type { Schema } from 'singletable/tools'
import { matchPattern } from './match-pattern.ts'
import { requestShape } from './request-shape.ts'

/** How often a pattern was called, and how long that took. */
export interface CallFigures {
  readonly calls: number
  /** Milliseconds that 95 of 100 calls took at most, of the last ones. */
  readonly p95Ms: number
}

/** Calls whose duration is kept for each pattern; older ones give way. */
export const DURATIONS_MAX = 1000

/** Calls of access patterns by the name of the pattern, in bounded memory. */
export class PatternCalls {
  readonly #calls = new Map<string, { count: number; readonly durations: number[] }>()

  note(pattern: string, durationMs: number): void {
    const { count, durations } = this.#calls.get(pattern) ?? { count: 0, durations: [] }
    durations[count % DURATIONS_MAX] = durationMs
    this.#calls.set(pattern, { count: count + 1, durations })
  }

  /** Undefined if the pattern was not called. */
  figures(pattern: string): CallFigures | undefined {
    const found = this.#calls.get(pattern)
    if (found === undefined) return undefined
    return { calls: found.count, p95Ms: percentile95(found.durations) }
  }
}

/** The smallest duration that at least 95 of 100 do not exceed. */
function percentile95(durations: readonly number[]): number {
  const sorted = [...durations].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
}

/** A request whose caller is not known, only what it asks. */
export interface SeenRequest {
  readonly operation: string
  readonly request: unknown
  readonly table: string
}

/**
 * The declared pattern whose plan is what a request asks; undefined if there is none. Only queries
 * and scans can be recognised without their caller: a get or a write is the same whoever calls it.
 */
export function patternOfRequest(schema: Schema, seen: SeenRequest): string | undefined {
  const { operation, request, table } = seen
  if (operation !== 'Query' && operation !== 'Scan') return undefined
  const { TableName, ExclusiveStartKey } = Object(request)
  // The pages after the first are of the same call.
  if (TableName !== table || ExclusiveStartKey !== undefined) return undefined
  try {
    const shape = requestShape({
      ...{ schema, operation, request: Object(request), table, verb: operation.toLowerCase() },
      ...{ entity: undefined, pattern: undefined, index: undefined, response: undefined },
      ...{ durationMs: 0, retries: 0, consumedCapacity: undefined, error: undefined },
    })
    return shape && matchPattern(schema, shape)
  } catch {
    // DynamoDB has refused it as well.
    return undefined
  }
}
