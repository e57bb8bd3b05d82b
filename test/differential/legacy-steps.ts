import { type Step, TABLE } from './program.ts'
import type { Random } from './random.ts'
import {
  ATTRIBUTES,
  indexKeyValue,
  keyValue,
  randomItem,
  randomKey,
  randomValue,
  usually,
  type ValueType,
} from './random-value.ts'
import type { KeyAttribute, TableDesign } from './table-design.ts'

/** A request with the parameters that expressions have replaced. */
export function legacyStep(random: Random, design: TableDesign): Step {
  switch (random.below(6)) {
    case 0:
      return {
        operation: 'PutItem',
        request: {
          TableName: TABLE,
          Item: randomItem(random, design),
          ...expected(random),
          ReturnValues: random.pick(['NONE', 'ALL_OLD']),
        },
      }
    case 1:
      return {
        operation: 'DeleteItem',
        request: { TableName: TABLE, Key: randomKey(random, design), ...expected(random) },
      }
    case 2:
      return {
        operation: 'UpdateItem',
        request: {
          TableName: TABLE,
          Key: randomKey(random, design),
          AttributeUpdates: updates(random),
          ...(random.chance(0.3) ? expected(random) : {}),
          ReturnValues: random.pick(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']),
        },
      }
    case 3:
      return {
        operation: 'GetItem',
        request: {
          TableName: TABLE,
          Key: randomKey(random, design),
          AttributesToGet: names(random),
        },
      }
    case 4:
      return {
        operation: 'Scan',
        request: {
          TableName: TABLE,
          ScanFilter: conditions(random),
          ...operator(random),
          ...(random.chance(0.2) ? { AttributesToGet: names(random) } : {}),
        },
        follow: true,
      }
    default:
      return legacyQuery(random, design)
  }
}

function legacyQuery(random: Random, design: TableDesign): Step {
  const index =
    design.indexes.length > 0 && random.chance(0.4) ? random.pick(design.indexes) : undefined
  const partition = index?.partition ?? [design.partition]
  const sort = index?.sort ?? (design.sort === undefined ? [] : [design.sort])
  const entries: [string, object][] = partition.map((attribute) => [
    attribute.name,
    { ComparisonOperator: 'EQ', AttributeValueList: [keyValue(random, attribute, 'partition')] },
  ])
  const first = sort[0]
  if (first !== undefined && random.chance(0.6))
    entries.push([first.name, sortComparison(random, first)])
  return {
    operation: 'Query',
    request: {
      TableName: TABLE,
      ...(index === undefined ? {} : { IndexName: index.name }),
      KeyConditions: Object.fromEntries(entries),
      ...(random.chance(0.4) ? { QueryFilter: conditions(random), ...operator(random) } : {}),
      ...(random.chance(0.3) ? { ScanIndexForward: false } : {}),
      ...(random.chance(0.3) ? { Limit: 1 + random.below(3) } : {}),
    },
    follow: true,
  }
}

function sortComparison(random: Random, attribute: KeyAttribute): object {
  const value = (): object => indexKeyValue(random, attribute)
  const ComparisonOperator = random.pick(['EQ', 'LT', 'LE', 'GT', 'GE', 'BEGINS_WITH', 'BETWEEN'])
  return {
    ComparisonOperator,
    AttributeValueList: ComparisonOperator === 'BETWEEN' ? [value(), value()] : [value()],
  }
}

function expected(random: Random): object {
  if (random.chance(0.4)) {
    const [name, type] = random.pick(ATTRIBUTES)
    return {
      Expected: Object.fromEntries([
        [
          name,
          random.chance(0.4)
            ? { Exists: false }
            : { Value: randomValue(random, usually(random, type)) },
        ],
      ]),
    }
  }
  return { Expected: conditions(random), ...operator(random) }
}

function operator(random: Random): object {
  return random.chance(0.3) ? { ConditionalOperator: random.pick(['AND', 'OR']) } : {}
}

const COMPARISONS: readonly (readonly [operator: string, operands: number])[] = [
  ['EQ', 1],
  ['NE', 1],
  ['LT', 1],
  ['LE', 1],
  ['GT', 1],
  ['GE', 1],
  ['BEGINS_WITH', 1],
  ['CONTAINS', 1],
  ['NOT_CONTAINS', 1],
  ['BETWEEN', 2],
  ['IN', 2],
  ['NULL', 0],
  ['NOT_NULL', 0],
]

function conditions(random: Random): object {
  return Object.fromEntries(
    random
      .sample(ATTRIBUTES, 1 + random.below(2))
      .map(([name, type]) => [name, comparison(random, type)]),
  )
}

function comparison(random: Random, type: ValueType): object {
  const [ComparisonOperator, operands] = random.pick(COMPARISONS)
  const count = random.chance(0.03) ? random.below(3) : operands
  return {
    ComparisonOperator,
    ...(count === 0
      ? {}
      : {
          AttributeValueList: Array.from({ length: count }, () =>
            randomValue(random, usually(random, elementType(random, type))),
          ),
        }),
  }
}

/** Legacy comparisons mostly take scalars, so a collection is mostly compared with an element. */
function elementType(random: Random, type: ValueType): ValueType {
  const element: Partial<Record<ValueType, ValueType>> = {
    SS: 'S',
    NS: 'N',
    BS: 'B',
    L: 'N',
    M: 'S',
  }
  return random.chance(0.7) ? (element[type] ?? type) : type
}

function updates(random: Random): object {
  return Object.fromEntries(
    random.sample(ATTRIBUTES, 1 + random.below(3)).map(([name, type]) => {
      const Action = random.pick(['PUT', 'PUT', 'ADD', 'DELETE'])
      const bare = Action === 'DELETE' && random.chance(0.5)
      return [
        name,
        { Action, ...(bare ? {} : { Value: randomValue(random, usually(random, type)) }) },
      ]
    }),
  )
}

function names(random: Random): string[] {
  return random.sample(ATTRIBUTES, 1 + random.below(3)).map(([name]) => name)
}
