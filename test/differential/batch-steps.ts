import { Placeholders } from './placeholders.ts'
import { type Step, TABLE } from './program.ts'
import type { Random } from './random.ts'
import { perhapsMutated, update } from './random-expression.ts'
import { randomItem, randomKey } from './random-value.ts'
import { perhapsProjection } from './read-steps.ts'
import type { TableDesign } from './table-design.ts'
import { capacity, perhapsCondition } from './write-steps.ts'

export function batchWriteStep(random: Random, design: TableDesign): Step {
  const requests = Array.from({ length: 1 + random.below(5) }, () =>
    random.chance(0.65)
      ? { PutRequest: { Item: randomItem(random, design) } }
      : { DeleteRequest: { Key: randomKey(random, design) } },
  )
  return {
    operation: 'BatchWriteItem',
    request: { RequestItems: { [TABLE]: requests }, ...capacity(random) },
  }
}

export function batchGetStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  const keys = {
    Keys: Array.from({ length: 1 + random.below(5) }, () => randomKey(random, design)),
    ...perhapsProjection(source, 0.4),
    ...source.placeholders.members(),
    ...(random.chance(0.2) ? { ConsistentRead: true } : {}),
  }
  return {
    operation: 'BatchGetItem',
    request: { RequestItems: { [TABLE]: keys }, ...capacity(random) },
  }
}

export function transactWriteStep(random: Random, design: TableDesign): Step {
  const actions = Array.from({ length: 1 + random.below(4) }, () => transactAction(random, design))
  return {
    operation: 'TransactWriteItems',
    request: {
      TransactItems: actions,
      // A token may come again, with other actions or (in a repeated step) with the same.
      ...(random.chance(0.15) ? { ClientRequestToken: `${TABLE}-${random.below(3)}` } : {}),
      ...capacity(random),
    },
  }
}

function transactAction(random: Random, design: TableDesign): object {
  const source = { random, design, placeholders: new Placeholders(random) }
  const kind = random.weighted([
    [3, 'Put'],
    [4, 'Update'],
    [2, 'Delete'],
    [2, 'ConditionCheck'],
  ] as const)
  const members =
    kind === 'Put'
      ? { Item: randomItem(random, design) }
      : {
          Key: randomKey(random, design),
          ...(kind === 'Update' ? { UpdateExpression: mostlySound(random, update(source)) } : {}),
        }
  const chance = kind === 'ConditionCheck' ? 0.98 : 0.25
  return {
    [kind]: {
      TableName: TABLE,
      ...members,
      ...perhapsCondition(source, chance),
      ...source.placeholders.members(),
      ...(random.chance(0.3)
        ? { ReturnValuesOnConditionCheckFailure: random.pick(['ALL_OLD', 'NONE']) }
        : {}),
    },
  }
}

/** One mutated expression refuses the whole transaction, so they are seldomer here. */
function mostlySound(random: Random, expression: string): string {
  return random.chance(0.3) ? perhapsMutated(random, expression) : expression
}

export function transactGetStep(random: Random, design: TableDesign): Step {
  const gets = Array.from({ length: 1 + random.below(4) }, () => {
    const source = { random, design, placeholders: new Placeholders(random) }
    return {
      Get: {
        TableName: TABLE,
        Key: randomKey(random, design),
        ...perhapsProjection(source, 0.3),
        ...source.placeholders.members(),
      },
    }
  })
  return { operation: 'TransactGetItems', request: { TransactItems: gets, ...capacity(random) } }
}
