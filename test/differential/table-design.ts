import type { Random } from './random.ts'

export type KeyType = 'S' | 'N' | 'B'

export interface KeyAttribute {
  readonly name: string
  readonly type: KeyType
}

export interface IndexDesign {
  readonly name: string
  readonly local: boolean
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly included: readonly string[]
}

/** The table of a program. */
export interface TableDesign {
  readonly partition: KeyAttribute
  readonly sort?: KeyAttribute
  readonly indexes: readonly IndexDesign[]
}

const TYPES: readonly KeyType[] = ['S', 'N', 'B']
const PROJECTIONS = ['ALL', 'KEYS_ONLY', 'INCLUDE'] as const
const PARTITION_NAMES = ['pk', 'pk', 'pk', 'pk', 'status', 'key.1', '__proto__']

/** A table: the partition key alone, with both kinds of indexes, or with an index of several key
 * attributes. */
export function randomTable(random: Random): TableDesign {
  const partition = { name: random.pick(PARTITION_NAMES), type: random.pick(TYPES) }
  const sort = { name: 'sk', type: random.pick(TYPES) }
  const global = globalIndex(random, 'global-1')
  switch (
    random.weighted([
      [2, 'simple'],
      [5, 'indexed'],
      [3, 'several'],
    ] as const)
  ) {
    case 'simple':
      return { partition, indexes: random.chance(0.5) ? [global] : [] }
    case 'indexed':
      return {
        partition,
        sort,
        indexes: [global, globalIndex(random, 'global-2'), localIndex(random, partition)],
      }
    case 'several':
      return random.chance(0.5)
        ? { partition, sort, indexes: [severalIndex(random), localIndex(random, partition)] }
        : { partition, indexes: [severalIndex(random), global] }
  }
}

/** A global index over attributes that items often have. */
export function globalIndex(random: Random, name: string): IndexDesign {
  const [first, second] = random.sample([G, H, K], 2)
  return {
    name,
    local: false,
    partition: [first ?? G],
    sort: random.chance(0.75) ? [second ?? H] : [],
    ...projection(random),
  }
}

const G: KeyAttribute = { name: 'g', type: 'S' }
const H: KeyAttribute = { name: 'h', type: 'N' }
const K: KeyAttribute = { name: 'k', type: 'B' }

function localIndex(random: Random, partition: KeyAttribute): IndexDesign {
  return {
    name: 'local',
    local: true,
    partition: [partition],
    sort: [random.pick([{ name: 'l', type: random.pick(TYPES) }, G, H])],
    ...projection(random),
  }
}

function severalIndex(random: Random): IndexDesign {
  const attributes = random.sample([G, H, K, { name: 'm', type: 'S' } as const], 4)
  const hashes = 1 + random.below(2)
  const ranges = random.below(3)
  return {
    name: 'several',
    local: false,
    partition: attributes.slice(0, hashes),
    sort: attributes.slice(hashes, hashes + ranges),
    ...projection(random),
  }
}

function projection(random: Random): Pick<IndexDesign, 'projection' | 'included'> {
  const projection = random.pick(PROJECTIONS)
  return { projection, included: projection === 'INCLUDE' ? ['num', 'map', 'a.b'] : [] }
}

/** The key attributes of a table and all its indexes, each once. */
export function keyAttributes(design: TableDesign): KeyAttribute[] {
  const found = new Map<string, KeyAttribute>()
  for (const attribute of tableKey(design)) found.set(attribute.name, attribute)
  for (const index of design.indexes) {
    for (const attribute of [...index.partition, ...index.sort])
      found.set(attribute.name, attribute)
  }
  return [...found.values()]
}

export function tableKey(design: TableDesign): KeyAttribute[] {
  return design.sort === undefined ? [design.partition] : [design.partition, design.sort]
}

/** The request that creates the table. */
export function createTableRequest(design: TableDesign, TableName: string): object {
  const of = (local: boolean): object[] =>
    design.indexes.filter((index) => index.local === local).map(indexMembers)
  const [globals, locals] = [of(false), of(true)]
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema([design.partition], design.sort === undefined ? [] : [design.sort]),
    AttributeDefinitions: definitions(keyAttributes(design)),
    ...(globals.length === 0 ? {} : { GlobalSecondaryIndexes: globals }),
    ...(locals.length === 0 ? {} : { LocalSecondaryIndexes: locals }),
  }
}

/** An index as CreateTable and UpdateTable take it. */
export function indexMembers(index: IndexDesign): object {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.partition, index.sort),
    Projection: {
      ProjectionType: index.projection,
      ...(index.included.length === 0 ? {} : { NonKeyAttributes: index.included }),
    },
  }
}

export function definitions(attributes: readonly KeyAttribute[]): object[] {
  return attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type }))
}

function keySchema(partition: readonly KeyAttribute[], sort: readonly KeyAttribute[]): object[] {
  return [
    ...partition.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
    ...sort.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
  ]
}
