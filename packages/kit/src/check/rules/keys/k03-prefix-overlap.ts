import { canMeet } from '../../algebra/common-text.ts'
import { reachOf } from '../../algebra/template-language.ts'
import { canBeginAlike, commonPartition, keyTexts } from '../../key-texts.ts'
import type { Rule } from '../../rule.ts'
import { writtenPatterns } from '../../written-pattern.ts'
import type { WrittenTemplate } from '../../written-template.ts'

export const prefixOverlap: Rule = {
  code: 'K03',
  name: 'prefix-overlap',
  severity: 'error',
  source: 'schema',
  title: 'A pattern of one model also reads items of another.',
  explanation: `A query reads all sort keys that begin as its model's do. If those of another model in the partition begin so too, its items are read and paid for as well, and a page
of 1 MB can be full of them. The library leaves them out of the result by the type attribute; other programs with the same query get them.

  wrong   Comment:  { key: { pk: 'POST#\${postId}', sk: 'COMMENT#\${commentId}' } }
          Reaction: { key: { pk: 'POST#\${postId}', sk: 'COMMENT#\${commentId}#REACTION#\${reactionId}' } }
          commentsOnPost: { op: 'query', entity: 'Comment', by: ['postId'] }
  right   Reaction: { key: { pk: 'POST#\${postId}', sk: 'REACTION#\${commentId}#\${reactionId}' } }

Where both are wanted together, say so: entity: ['Comment', 'Reaction']. Where the overlap is meant, give the reason in lint.`,
  *check(design) {
    const uses = keyTexts(design)
    for (const { definition, name, entities, by, index } of writtenPatterns(design.definition)) {
      if (definition.op !== 'query' || entities.length !== 1) continue
      const own = uses.find(({ use }) => use.index === index && use.model === entities[0])
      const template = own?.use.sort[0]?.template
      if (own === undefined || template === undefined) continue
      const head = headOf(template, by)
      // All of the key is given: what it finds is one item, and two that have it are K01.
      if (head === undefined) continue
      const reach = reachOf(template, by, own.values)
      for (const other of uses) {
        const theirs = other.sort[0]
        if (other === own || other.use.index !== index || theirs === undefined) continue
        if (!canBeginAlike(template, other.use.sort[0]?.template) || !canMeet(reach, theirs))
          continue
        if (commonPartition(own, other) === undefined) continue
        const source = other.use.sort[0]?.template?.source ?? other.use.sort[0]?.keyAttribute
        yield {
          message:
            head === ''
              ? `${name}: the whole partition is read, and ${other.use.model} ("${source}") is in it too.`
              : `${name}: begins_with("${head}") also reads ${other.use.model} ("${source}").`,
          fix: `give ${other.use.model} a sort key that begins otherwise, or declare both: entity: ['${own.use.model}', '${other.use.model}']`,
          place: { pattern: name, model: other.use.model, index },
        }
      }
    }
  },
}

/** The text up to the first placeholder that is not given; undefined if all are. */
function headOf({ parts }: WrittenTemplate, by: readonly string[]): string | undefined {
  let head = ''
  for (const part of parts) {
    if (typeof part === 'string') head += part
    else if (by.includes(part.name)) head += `\${${[part.name, ...part.modifiers].join(':')}}`
    else return head
  }
  return undefined
}
