import { canMeet } from '../../algebra/common-text.ts'
import { reachOf } from '../../algebra/template-language.ts'
import { meetBound } from '../../design/bound-strings.ts'
import {
  canBeginAlike,
  commonPartition,
  type KeyStrings,
  keyStrings,
} from '../../design/key-strings.ts'
import type { Rule } from '../rule.ts'

/** Of more models than these, the rest is counted. */
const NAMES_MAX = 3

export const prefixOverlap: Rule = {
  code: 'K03',
  name: 'prefix-overlap',
  severity: 'error',
  source: 'schema',
  title: 'A pattern of one model also reads items of another.',
  explanation: `A query reads all sort keys that begin as its model's do. If those of another model in the partition begin the same way, its items are read and paid for as well, and a page
of 1 MB can be full of them. The library leaves them out of the result by the type attribute; other programs with the same query get them.

  wrong   Comment:  { key: { pk: 'POST#\${postId}', sk: 'COMMENT#\${commentId}' } }
          Reaction: { key: { pk: 'POST#\${postId}', sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}' } }
          commentsOnPost: { op: 'query', entity: 'Comment', by: ['postId'] }
  right   Reaction: { key: { pk: 'POST#\${postId}', sk: 'REACTION#\${commentId}#\${reactionId}' } }

Where both are wanted together, say so: entity: ['Comment', 'Reaction']. If the overlap is intended, give the reason in lint.`,
  *check(design) {
    const uses = keyStrings(design)
    for (const { definition, name, entities, by, index } of design.patterns) {
      if (definition.op !== 'query' || entities.length !== 1) continue
      const own = uses.find(({ use }) => use.index === index && use.model === entities[0])
      const head = own && headOf(own, by)
      // All of the key is given: what it finds is one item, and two that have it are K01.
      if (own === undefined || head === undefined) continue
      const others = uses.filter(
        (other) =>
          other !== own &&
          other.use.index === index &&
          meetBound(own, other, (one, two) => reads(one, two, by)) !== undefined,
      )
      const what = head === '' ? 'the whole partition is read' : `begins_with("${head}")`
      if (others.length > NAMES_MAX) {
        const names = others.slice(0, NAMES_MAX).map(({ use }) => use.model)
        yield {
          message: `${name}: ${what}${head === '' ? ', and' : ' also reads'} ${names.join(', ')} and ${others.length - NAMES_MAX} more models${head === '' ? ' are in it too' : ''}.`,
          fix: `let the sort keys of ${own.use.model} in ${index} begin with a literal of their own, or its partition keys`,
          place: { pattern: name, model: own.use.model, index },
        }
        continue
      }
      for (const { use } of others) {
        const source = use.sort[0]?.template?.source ?? use.sort[0]?.keyAttribute
        const shown = source === undefined ? use.model : `${use.model} ("${source}")`
        yield {
          message:
            head === ''
              ? `${name}: the whole partition is read, and ${shown} is in it too.`
              : `${name}: ${what} also reads ${shown}.`,
          fix: `give ${use.model} a sort key that begins differently, or declare both: entity: ['${own.use.model}', '${use.model}']`,
          place: { pattern: name, model: use.model, index },
        }
      }
    }
  },
}

/** Whether a query by these names can come upon the other's items. */
function reads(own: KeyStrings, other: KeyStrings, by: readonly string[]): boolean {
  const template = own.use.sort[0]?.template
  const theirs = other.sort[0]
  const isReached =
    template === undefined ||
    theirs === undefined ||
    (canBeginAlike(template, other.use.sort[0]?.template) &&
      canMeet(reachOf(template, by, own.values), theirs))
  return isReached && commonPartition(own, other) !== undefined
}

/** The text up to the first placeholder that is not given; undefined if all are. Of an attribute
 * that is a key as it is, there is none. */
function headOf({ use }: KeyStrings, by: readonly string[]): string | undefined {
  const [first] = use.sort
  if (first === undefined) return ''
  if (first.template === undefined) return by.includes(first.attribute ?? '') ? undefined : ''
  let head = ''
  for (const part of first.template.parts) {
    if (typeof part === 'string') head += part
    else if (by.includes(part.name)) head += `\${${[part.name, ...part.modifiers].join(':')}}`
    else return head
  }
  return undefined
}
