import { Placeholders } from './placeholders.ts'
import { type Step, TABLE } from './program.ts'
import type { Random } from './random.ts'
import { condition, perhapsMutated, type Source, update } from './random-expression.ts'
import { randomItem, randomKey } from './random-value.ts'
import type { TableDesign } from './table-design.ts'

const NOTHING: ReadonlySet<string> = new Set()

export function putStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  return {
    operation: 'PutItem',
    request: {
      TableName: TABLE,
      Item: randomItem(random, design),
      ...perhapsCondition(source, 0.3),
      ...source.placeholders.members(),
      ...returned(random, ['NONE', 'ALL_OLD'], 'ALL_NEW'),
    },
  }
}

export function deleteStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  return {
    operation: 'DeleteItem',
    request: {
      TableName: TABLE,
      Key: randomKey(random, design),
      ...perhapsCondition(source, 0.3),
      ...source.placeholders.members(),
      ...returned(random, ['NONE', 'ALL_OLD'], 'UPDATED_NEW'),
    },
  }
}

export function updateStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  return {
    operation: 'UpdateItem',
    request: {
      TableName: TABLE,
      Key: randomKey(random, design),
      ...(random.chance(0.97) ? { UpdateExpression: perhapsMutated(random, update(source)) } : {}),
      ...perhapsCondition(source, 0.25),
      ...source.placeholders.members(),
      ...returned(random, ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'], undefined),
    },
  }
}

/** A member ConditionExpression, as often as the chance says. */
export function perhapsCondition(
  source: Source,
  chance: number,
): { readonly ConditionExpression?: string } {
  if (!source.random.chance(chance)) return {}
  return {
    ConditionExpression: perhapsMutated(source.random, condition(source, NOTHING)),
  }
}

/** What the answer is to hold besides success. */
function returned(
  random: Random,
  values: readonly string[],
  wrong: string | undefined,
): Record<string, string> {
  const chosen = wrong !== undefined && random.chance(0.005) ? wrong : random.pick(values)
  return {
    ...(random.chance(0.7) ? { ReturnValues: chosen } : {}),
    ...(random.chance(0.3)
      ? { ReturnValuesOnConditionCheckFailure: random.pick(['ALL_OLD', 'NONE']) }
      : {}),
    ...capacity(random),
  }
}

export function capacity(random: Random): { readonly ReturnConsumedCapacity?: string } {
  return random.chance(0.15)
    ? { ReturnConsumedCapacity: random.pick(['TOTAL', 'INDEXES', 'NONE']) }
    : {}
}
