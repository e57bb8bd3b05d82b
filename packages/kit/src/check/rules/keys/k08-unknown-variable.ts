import { didYouMean } from 'singletable/tools'
import type { Rule } from '../../rule.ts'
import { shardName, writtenModel } from '../../written-model.ts'

export const unknownVariable: Rule = {
  code: 'K08',
  name: 'unknown-variable',
  severity: 'error',
  source: 'schema',
  title: 'A template names something that is no attribute.',
  explanation: `A placeholder stands for the value of an attribute of the same model, or for its shard. The library refuses a template that names anything else, because the key could never
be made.

  wrong   key: { pk: 'USER#\${userName}', … }, attributes: { username: { type: String } }
  right   key: { pk: 'USER#\${username}', … }

createdAt and updatedAt are attributes where params has timestamps: true.`,
  *check(design) {
    const told = new Set<string>()
    for (const { model, keyAttribute, template, index } of design.keys) {
      const written = writtenModel(design.definition, model)
      if (template === undefined || written === undefined) continue
      for (const name of template.names) {
        const id = JSON.stringify([model, keyAttribute, name])
        if (written.attributes.has(name) || name === shardName(written) || told.has(id)) continue
        told.add(id)
        const hint = didYouMean(name, written.attributes.keys())
        yield {
          message: `${model}.${keyAttribute}: "\${${name}}" is not an attribute.${hint ? ` ${hint.replace('; did', 'Did')}?` : ''}`,
          fix:
            name === 'shard'
              ? `declare shard: { count: 10 } in ${written.source}`
              : hint
                ? 'correct the name'
                : `declare ${name} in the attributes of ${written.source}, or correct the name`,
          place: { model: written.source, attribute: keyAttribute, index },
        }
      }
    }
  },
}
