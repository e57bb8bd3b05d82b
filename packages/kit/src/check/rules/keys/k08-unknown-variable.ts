import { noticesOf } from '../issue-findings.ts'
import type { Rule } from '../rule.ts'

export const unknownVariable: Rule = {
  code: 'K08',
  name: 'unknown-variable',
  severity: 'error',
  source: 'schema',
  title: 'A template names something that is not an attribute.',
  explanation: `A placeholder stands for the value of an attribute of the same model, or for its shard. The library refuses a template that names anything else, because the key could never
be made.

  wrong   key: { pk: 'USER#\${userName}', … }, attributes: { username: { type: String } }
  right   key: { pk: 'USER#\${username}', … }

createdAt and updatedAt are attributes where params has timestamps: true.`,
  check: (design) => noticesOf(design, 'K08'),
}
