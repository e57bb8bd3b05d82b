import { commonKey, commonPartition, type KeyTexts, keyTexts, pairsOf } from '../../key-texts.ts'
import type { Rule } from '../../rule.ts'

export const prefixReused: Rule = {
  code: 'K07',
  name: 'prefix-reused',
  severity: 'info',
  source: 'schema',
  title: 'The same literal begins the keys of different models.',
  explanation: `In one partition, the literal at the beginning of a sort key tells the models apart. Two models with the same one can only be read together.

  noted   Comment:  sk: 'COMMENT#\${commentId}'
          Reaction: sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}'

That is right where they are meant to be read together, such as an item and its parts. Otherwise give one of them a literal of its own.`,
  *check(design) {
    for (const [a, b] of pairsOf(keyTexts(design))) {
      const [one, other] = [a.use, b.use]
      if (one.index !== other.index || one.model === other.model) continue
      const prefix = prefixOf(a)
      if (prefix === undefined || prefix !== prefixOf(b)) continue
      // Keys that are the same are another finding.
      if (commonPartition(a, b) === undefined || commonKey(a, b) !== undefined) continue
      yield {
        message: `"${prefix}" is used by ${one.model} and ${other.model} in ${one.index}.`,
        fix: 'rename one of them, or read both by one pattern and say so in lint',
        place: { model: other.model, index: one.index },
      }
    }
  },
}

/** What the last key attribute begins with that tells models apart. */
function prefixOf({ use: { hash, sort } }: KeyTexts): string | undefined {
  const prefix = (sort[0] ?? hash[0])?.template?.prefix
  return prefix === '' ? undefined : prefix
}
