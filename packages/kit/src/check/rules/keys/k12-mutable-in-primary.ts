import { type Design, modelNamed } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { Notice, Rule } from '../rule.ts'

export const mutableInPrimary: Rule = {
  code: 'K12',
  name: 'mutable-in-primary',
  severity: 'error',
  source: 'schema',
  title: 'An attribute that changes is part of the primary key.',
  explanation: `DynamoDB can't change a key: an item with another key is another item. A pattern that sets an attribute of the primary key is refused, and so is a key made of the version or of
updatedAt, which every write changes.

  wrong   Order: { key: { pk: 'USER#\${userId}', sk: 'ORDER#\${status}#\${orderId}' } }
          ship: { op: 'update', entity: 'Order', by: ['userId', 'status', 'orderId'], set: ['status'] }
  right   Order: { key: { pk: 'USER#\${userId}', sk: 'ORDER#\${orderId}' },
                   index: { gsi1pk: 'USER#\${userId}', gsi1sk: 'STATUS#\${status}#\${orderId}' } }

Keys of other indexes follow the attributes by themselves. Where an item really has to move, entity.update() without a pattern moves it in a transaction.`,
  *check(design) {
    for (const { definition, name, entities, transaction } of design.patterns) {
      if (definition.op !== 'update') continue
      const model = modelNamed(design, entities[0] ?? '')
      const keys = model ? primaryNames(design, model) : []
      const { set = [], add = [], remove = [] } = definition
      for (const attribute of [set, add, remove].flat()) {
        if (!keys.includes(attribute)) continue
        yield {
          message: `${name} changes ${attribute}, which is in the primary key of ${model?.name}; DynamoDB cannot update keys.`,
          fix: `take ${attribute} out of the key and into an index, or model the change as delete and create`,
          place: { pattern: transaction ?? name, model: model?.name, attribute },
        }
      }
    }
    for (const model of design.models) {
      if (model.copy === undefined) yield* changedByWrites(design, model)
    }
  },
}

function* changedByWrites(design: Design, model: DesignModel): Generator<Notice> {
  const { timestamps } = design.definition.params ?? {}
  for (const name of new Set(primaryNames(design, model))) {
    const isVersion = model.attributes.get(name)?.version === true
    if (!isVersion && !(timestamps && name === 'updatedAt')) continue
    yield {
      message: `Every write changes ${name}, which is in the primary key of ${model.name}; DynamoDB cannot update keys.`,
      fix: `take ${name} out of the key and into an index`,
      place: { model: model.name, attribute: name },
    }
  }
}

function primaryNames({ keys }: Design, { name }: DesignModel): readonly string[] {
  return keys
    .filter((key) => key.model === name && key.index === 'primary')
    .flatMap(({ template }) => template?.names ?? [])
}
