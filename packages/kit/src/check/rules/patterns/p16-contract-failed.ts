import type { Rule } from '../rule.ts'

export const contractFailed: Rule = {
  code: 'P16',
  name: 'contract-failed',
  severity: 'error',
  source: 'run',
  title: 'A pattern that was run on made-up items gave something else than it says.',
  explanation: `\`singletable check --run\` makes a table in this process for every pattern, with items that match, items that nearly match, and one of every other entity that can stand in the same
partition. Then it runs the pattern and compares: exactly those items, in that order, in as many pages, for no more units than the plan says.

What differs is a fault that is proved, with the item that shows it. Mostly the keys of two entities can be read by one range (K03, K04), or an item is in an index that it should not be in.

  wrong   Comment sk: 'COMMENT#\${commentId}'   Reaction sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}'
  right   Reaction sk: 'REACTION#\${commentId}#\${reactionId}'`,
  *check({ proof }) {
    for (const { pattern, failures } of proof?.patterns ?? []) {
      for (const { expected, got, decoy, call } of failures) {
        yield {
          message: `${pattern}: expected ${expected}, got ${got}${decoy === undefined ? '' : ` (decoy ${decoy})`}.`,
          fix: `see what K03, K04 and P01 say about the keys; the call was ${call}`,
          place: { pattern },
        }
      }
    }
  },
}
