import type { Rule } from '../rule.ts'

export const contractFailed: Rule = {
  code: 'P16',
  name: 'contract-failed',
  severity: 'error',
  source: 'run',
  title: 'A pattern returned the wrong results on sample data.',
  explanation: `\`singletable check --run\` makes a table in this process for every pattern, with items that match, items that nearly match, and items of every other model. Then it runs the
pattern, in one piece and in pages, and compares: the results are exactly the stored items whose attributes match, in the order of the range, for no more read units than the schema
expects; after a write the item has the values that were given; and what has to be refused is refused.

What differs is reported with the call and the item that shows it. Often the keys of two models can be read by one range (K03, K04), a key attribute is missing, or two steps of a
transaction are about one item.

  wrong   Comment sk: 'COMMENT#\${commentId}'   Reaction sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}'
  right   Reaction sk: 'REACTION#\${commentId}#\${reactionId}'`,
  *check({ exercise }) {
    for (const { pattern, failures } of exercise?.patterns ?? []) {
      for (const { expected, got, call } of failures) {
        yield {
          message: `${pattern}: expected ${expected}, got ${got}.`,
          fix: `see what K03, K04 and P01 say about the keys; the call was ${call}`,
          place: { pattern },
        }
      }
    }
  },
}
