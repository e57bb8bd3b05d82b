import type { Rule } from '../rule.ts'

export const unusedPattern: Rule = {
  code: 'P05',
  name: 'unused-pattern',
  severity: 'info',
  source: 'recording',
  title: 'A declared pattern was never run while requests were recorded.',
  explanation: `A pattern that no test runs may not do what it says, and one that nobody needs keeps an index alive that is paid for with every write.

  wrong   patterns: { postsByYear: … }                       // and no test calls table.patterns.postsByYear
  right   a test that calls it; or the pattern removed; or status: 'planned', if it is for later

Patterns with status 'planned' and those of another service (op: 'external') are not expected in a recording.`,
  *check({ patterns, recording }) {
    if (recording === undefined) return
    const run = new Set(recording.shapes.map(({ pattern }) => pattern))
    for (const { name, definition: pattern, transaction } of patterns) {
      if (transaction !== undefined || pattern.op === 'external' || pattern.status === 'planned')
        continue
      if (run.has(name)) continue
      yield {
        message: `${name} was never run.`,
        fix: `test it, remove it, or declare status: 'planned'`,
        place: { pattern: name },
      }
    }
  },
}
