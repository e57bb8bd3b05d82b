import { modelNamed } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

export const unconditionalPut: Rule = {
  code: 'W05',
  name: 'unconditional-put',
  severity: 'info',
  source: 'schema',
  title: 'A pattern puts an item and may overwrite an existing one.',
  explanation: `A put replaces what is stored under its key, whatever it was: a second registration of "alice" replaces the first.

  wrong   register: { op: 'put', entity: 'User' }
  right   register: { op: 'create', entity: 'User' }        // refused with ITEM_EXISTS if there is one

A put is right where the item is replaced on purpose, such as the last state of a sensor; give that reason in lint. Models with a version are not reported: their puts compare it.`,
  *check(design) {
    for (const { name, definition: pattern, entities, transaction } of design.patterns) {
      const [entity = ''] = entities
      const model = modelNamed(design, entity)
      if (pattern.op !== 'put' || model === undefined) continue
      if ([...model.attributes.values()].some(({ version }) => version)) continue
      yield {
        message: `${name} overwrites an existing ${entity}.`,
        fix: "write op: 'create', unless it should replace an existing item",
        place: { pattern: transaction ?? name, model: entity },
        ...(transaction === undefined && {
          edits: [{ path: ['patterns', name, 'op'], code: "'create'" }],
        }),
      }
    }
  },
}
