import { listNames } from '../../../text/list-names.ts'
import {
  commonKey,
  commonPartition,
  type KeyStrings,
  keyStrings,
  pairsOf,
} from '../../design/key-strings.ts'
import type { Rule } from '../rule.ts'

export const prefixReused: Rule = {
  code: 'K07',
  name: 'prefix-reused',
  severity: 'info',
  source: 'schema',
  title: 'The same literal begins the keys of different models.',
  explanation: `In one partition, the literal at the beginning of a sort key distinguishes the models. Two models with the same one can only be read together.

  noted   Comment:  sk: 'COMMENT#\${commentId}'
          Reaction: sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}'

That is right where they are meant to be read together, such as an item and its parts. Otherwise give one of them a literal of its own.`,
  *check(design) {
    const shared = new Map<string, Shared>()
    for (const [a, b] of pairsOf(keyStrings(design))) {
      const [one, other] = [a.use, b.use]
      if (one.index !== other.index || one.model === other.model) continue
      const prefix = prefixOf(a)
      if (prefix === undefined || prefix !== prefixOf(b)) continue
      // Keys that are the same are another finding.
      if (commonPartition(a, b) === undefined || commonKey(a, b) !== undefined) continue
      const id = JSON.stringify([one.index, prefix])
      const found = shared.get(id) ?? { index: one.index, prefix, models: new Set() }
      shared.set(id, found)
      found.models.add(one.model).add(other.model)
    }
    for (const { index, prefix, models } of shared.values()) {
      const names = [...models]
      const shown = names.slice(0, NAMES_MAX)
      const rest = names.length - shown.length
      yield {
        message: `"${prefix}" is used by ${rest === 0 ? listNames(shown) : `${shown.join(', ')} and ${rest} more`} in ${index}.`,
        fix: `rename ${names.length === 2 ? 'one' : 'all but one'} of them, or read ${names.length === 2 ? 'both' : 'them all'} with one pattern and give the reason in lint`,
        place: { model: names.at(-1), index },
      }
    }
  },
}

interface Shared {
  readonly index: string
  readonly prefix: string
  readonly models: Set<string>
}

/** Of more models than these, the rest is counted. */
const NAMES_MAX = 5

/** What the last key attribute begins with that distinguishes models. */
function prefixOf({ use: { hash, sort } }: KeyStrings): string | undefined {
  const prefix = (sort[0] ?? hash[0])?.template?.prefix
  return prefix === '' ? undefined : prefix
}
