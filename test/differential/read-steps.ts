import type { Item } from 'singletable/engine'
import { Placeholders } from './placeholders.ts'
import { type Step, TABLE } from './program.ts'
import type { Random } from './random.ts'
import {
  condition,
  keyCondition,
  perhapsMutated,
  projection,
  type Source,
} from './random-expression.ts'
import { indexKeyValue, randomKey } from './random-value.ts'
import type { IndexDesign, TableDesign } from './table-design.ts'
import { capacity } from './write-steps.ts'

export function getStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  return {
    operation: 'GetItem',
    request: {
      TableName: TABLE,
      Key: randomKey(random, design),
      ...perhapsProjection(source, 0.6),
      ...source.placeholders.members(),
      ...(random.chance(0.2) ? { ConsistentRead: random.chance(0.5) } : {}),
      ...capacity(random),
    },
  }
}

export function queryStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  const index = perhapsIndex(random, design)
  const start = random.chance(0.06) ? { ExclusiveStartKey: startKey(random, design, index) } : {}
  return {
    operation: 'Query',
    request: {
      TableName: TABLE,
      ...indexName(random, index),
      KeyConditionExpression: random.chance(0.3)
        ? perhapsMutated(random, keyCondition(source, index))
        : keyCondition(source, index),
      ...perhapsFilter(source, keyNames(random, design, index)),
      ...perhapsProjection(source, 0.2),
      ...source.placeholders.members(),
      ...pageMembers(random, index),
      ...(random.chance(0.4) ? { ScanIndexForward: random.chance(0.4) } : {}),
      ...start,
    },
    follow: true,
  }
}

export function scanStep(random: Random, design: TableDesign): Step {
  const source = { random, design, placeholders: new Placeholders(random) }
  const index = perhapsIndex(random, design)
  const segments = random.chance(0.2)
  const request = {
    TableName: TABLE,
    ...indexName(random, index),
    ...perhapsFilter(source, new Set()),
    ...perhapsProjection(source, 0.2),
    ...source.placeholders.members(),
    ...pageMembers(random, index),
  }
  if (segments && random.chance(0.85)) {
    return {
      operation: 'Scan',
      request: { ...request, TotalSegments: 1 + random.below(5) },
      everySegment: true,
    }
  }
  return {
    operation: 'Scan',
    request: {
      ...request,
      ...(segments ? random.pick(ODD_SEGMENTS) : {}),
      ...(random.chance(0.05) ? { ExclusiveStartKey: startKey(random, design, index) } : {}),
    },
    follow: true,
  }
}

const ODD_SEGMENTS = [
  { Segment: 0 },
  { TotalSegments: 3 },
  { Segment: 3, TotalSegments: 3 },
  { Segment: 0, TotalSegments: 1 },
]

/** The table, an index, or now and then an index that is not there. */
function perhapsIndex(random: Random, design: TableDesign): IndexDesign | undefined {
  return design.indexes.length > 0 && random.chance(0.55) ? random.pick(design.indexes) : undefined
}

function indexName(random: Random, index: IndexDesign | undefined): { IndexName?: string } {
  if (random.chance(0.005)) return { IndexName: 'no-such-index' }
  return index === undefined ? {} : { IndexName: index.name }
}

/** The names a filter of a query leaves out, for it is refused with them; seldom none. */
function keyNames(
  random: Random,
  design: TableDesign,
  index: IndexDesign | undefined,
): Set<string> {
  if (random.chance(0.05)) return new Set()
  const keys = index
    ? [...index.partition, ...index.sort]
    : [design.partition, ...(design.sort === undefined ? [] : [design.sort])]
  return new Set(keys.map(({ name }) => name))
}

function perhapsFilter(
  source: Source,
  avoid: ReadonlySet<string>,
): { readonly FilterExpression?: string } {
  if (!source.random.chance(0.35)) return {}
  return { FilterExpression: perhapsMutated(source.random, condition(source, avoid)) }
}

export function perhapsProjection(
  source: Source,
  chance: number,
): { readonly ProjectionExpression?: string } {
  if (!source.random.chance(chance)) return {}
  return { ProjectionExpression: perhapsMutated(source.random, projection(source)) }
}

const SELECTIONS = ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT']

function pageMembers(random: Random, index: IndexDesign | undefined): Record<string, unknown> {
  const consistent = index === undefined || index.local ? 0.2 : 0.02
  return {
    ...(random.chance(0.4) ? { Limit: 1 + random.below(4) } : {}),
    ...(random.chance(0.15) ? { Select: random.pick(SELECTIONS) } : {}),
    ...(random.chance(consistent) ? { ConsistentRead: true } : {}),
    ...capacity(random),
  }
}

/** A key to start after that no answer gave: of an item that may not exist, sometimes of the wrong
 * shape. */
function startKey(random: Random, design: TableDesign, index: IndexDesign | undefined): Item {
  const keys = [...(index?.partition ?? []), ...(index?.sort ?? [])]
  const entries = keys.map((attribute) => [attribute.name, indexKeyValue(random, attribute)])
  const key: Item = { ...Object.fromEntries(entries), ...randomKey(random, design) }
  return random.chance(0.1) ? Object.fromEntries(Object.entries(key).slice(1)) : key
}
