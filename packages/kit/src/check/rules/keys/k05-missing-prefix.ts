import { commonPartition, keyStrings, separatorOf } from '../../design/key-strings.ts'
import type { Rule } from '../rule.ts'

export const missingPrefix: Rule = {
  code: 'K05',
  name: 'missing-prefix',
  severity: 'warning',
  source: 'schema',
  title: 'A key begins with a value, and not with a literal.',
  explanation: `The literal at the beginning of a key says what the item is: in the console, in a stream, to the next person. It keeps models apart that share a partition, lets a query
read just one of them, and leaves room for others that will share it later.

  wrong   Metric: { key: { pk: 'METRICS#\${resourceId}', sk: '\${at}' } }       // nothing else can ever be in this partition
  right   Metric: { key: { pk: 'METRICS#\${resourceId}', sk: 'AT#\${at}' } }

The rule checks both parts of the primary key. In other indexes a sort key may well be a bare value, as long as no other model is in the same partition.`,
  *check(design) {
    const uses = keyStrings(design)
    const reported = new Set<string>()
    for (const one of uses) {
      const { use } = one
      const isShared = uses.some(
        (other) =>
          other !== one &&
          other.use.index === use.index &&
          commonPartition(one, other) !== undefined,
      )
      for (const { keyAttribute, template, role } of [...use.hash, ...use.sort]) {
        const id = JSON.stringify([use.model, keyAttribute])
        if (template === undefined || template.prefix !== '' || reported.has(id)) continue
        if (use.index !== 'primary' && role === 'sort' && !isShared) continue
        reported.add(id)
        const prefixed = `${use.model.toUpperCase()}${separatorOf(design)}${template.source}`
        yield {
          message: `${use.model}.${keyAttribute} ("${template.source}") has no static prefix; entities cannot be distinguished or listed.`,
          fix: `begin it with a literal, such as '${prefixed}'`,
          place: { model: use.model, attribute: keyAttribute, index: use.index },
          ...(!use.isCopy && {
            edits: [
              {
                path: [
                  'models',
                  use.model,
                  use.index === 'primary' ? 'key' : 'index',
                  keyAttribute,
                ],
                code: `'${prefixed}'`,
              },
            ],
          }),
        }
      }
    }
  },
}
