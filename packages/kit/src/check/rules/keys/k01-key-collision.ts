import { meetBound } from '../../design/bound-strings.ts'
import { modelNamed } from '../../design/design.ts'
import { commonKey, keyStrings, pairsOf, printKeys } from '../../design/key-strings.ts'
import type { Rule } from '../rule.ts'

export const keyCollision: Rule = {
  code: 'K01',
  name: 'key-collision',
  severity: 'error',
  source: 'schema',
  title: 'Two models can have the same primary key.',
  explanation: `An item is found by its primary key alone. If the keys of two models can be the same text, a put of one overwrites an item of the other, and a get of one
finds the other. The library refuses such a schema.

  wrong   Profile: { key: { pk: 'USER#\${username}', sk: '\${section}' } }
          Avatar:  { key: { pk: 'USER#\${username}', sk: 'AVATAR' } }        // section can be AVATAR
  right   Profile: { key: { pk: 'USER#\${username}', sk: 'PROFILE#\${section}' } }

This is computed exactly: all strings that a template can become are compared with all strings of the other, with the separator, enums, widths of numbers, dates and shards
as they are declared. The finding gives a key that both can have.

To fix it, give one of the models a literal of its own, usually at the beginning of the sort key.`,
  *check(design) {
    const uses = keyStrings(design).filter(({ use }) => use.index === 'primary')
    const isShared = (one: string, other: string): boolean =>
      modelNamed(design, one)?.definition.sharesKeyWith?.includes(other) === true
    for (const [a, b] of pairsOf(uses)) {
      if (isShared(a.use.model, b.use.model) || isShared(b.use.model, a.use.model)) continue
      if (commonKey(a, b) === undefined) continue
      const bound = meetBound(a, b, (one, other) => commonKey(one, other) !== undefined)
      const key = bound && commonKey(...bound)
      yield {
        message: key
          ? `${a.use.model} and ${b.use.model} can both be stored at ${key.map((text) => `"${text}"`).join(' / ')}; one would overwrite the other.`
          : `The keys of ${a.use.model} and ${b.use.model} differ only in a value that is in them twice, which the library does not compare; it treats them as the same and refuses them.`,
        fix: `give the key of ${b.use.model} a different literal from ${a.use.model}, whose key is ${printKeys(a.use)}`,
        place: { model: b.use.model, index: 'primary' },
      }
    }
  },
}
