import type { Difference } from './differences.ts'

/** One test of a run: its full name and what became of it. */
export interface Outcome {
  readonly name: string
  readonly state: string
}

const CONFORMANCE_NAME = /^(.+ › .+) \[(engine|durable|local)\]$/s

/** The closing line on conformance, or `undefined` when the run had no conformance test. */
export function countConformance(
  outcomes: readonly Outcome[],
  differences: readonly Difference[],
): string | undefined {
  const cases = new Set<string>()
  const passed = { engine: 0, durable: 0, local: 0 }
  let skipped = 0
  let differing = 0
  const different = new Set(differences.map((difference) => difference.test))
  for (const outcome of outcomes) {
    const match = CONFORMANCE_NAME.exec(outcome.name)
    if (!match) continue
    const name = match[1] ?? ''
    // The expression has no other words.
    const target = match[2] as keyof typeof passed
    cases.add(name)
    if (outcome.state === 'skipped') skipped++
    else if (outcome.state !== 'passed') continue
    else if (target === 'local' && different.has(name)) differing++
    else passed[target]++
  }
  if (cases.size === 0) return undefined
  const local =
    skipped > 0 && passed.local === 0
      ? 'skipped'
      : `${passed.local} (${differing} difference${differing === 1 ? '' : 's'})`
  return `conformance: ${cases.size} cases, engine ${passed.engine}, on LMDB ${passed.durable}, DynamoDB Local ${local}`
}

/** Differences whose test is not among those that ran. */
export function unknownDifferences(
  outcomes: readonly Outcome[],
  differences: readonly Difference[],
): readonly Difference[] {
  const names = new Set(outcomes.map((outcome) => outcome.name))
  return differences.filter((difference) => !names.has(`${difference.test} [local]`))
}
