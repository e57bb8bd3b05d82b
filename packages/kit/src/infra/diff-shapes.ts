import {
  AWS_MANAGED,
  type Capacity,
  type IndexShape,
  type TableShape,
  type Units,
} from './table-shape.ts'

export const ASPECTS = [
  'keys',
  'indexes',
  'ttl',
  'stream',
  'billing',
  'warmth',
  'backups',
  'protection',
  'class',
  'encryption',
  'replicas',
  'tags',
] as const

export type Aspect = (typeof ASPECTS)[number]

/** A table as it is, deployed or in a template. */
export interface FoundTable {
  readonly shape: TableShape
  /** What is not known of it: a local service has no backups, and a template leaves some values to
   * the deployment. */
  readonly unknown: readonly Aspect[]
  /** Parameters of a template whose default was taken for their value. */
  readonly assumed: ReadonlyMap<string, string>
}

/** The table, with what is not known of it taken to be as it should. */
export function assumedShape({ shape, unknown }: FoundTable, wanted: TableShape): TableShape {
  const isUnknown = (aspect: Aspect): boolean => unknown.includes(aspect)
  const indexes = new Map(wanted.global.map((index) => [index.name, index]))
  return {
    ...shape,
    global: shape.global.map((index) => {
      const { capacity = wanted.capacity, maximum, warm } = indexes.get(index.name) ?? {}
      return {
        ...index,
        ...(isUnknown('billing') && { capacity, maximum }),
        ...(isUnknown('warmth') && { warm }),
      }
    }),
    ...(isUnknown('ttl') && { ttl: wanted.ttl }),
    ...(isUnknown('stream') && { stream: wanted.stream }),
    ...(isUnknown('billing') && { capacity: wanted.capacity, maximum: wanted.maximum }),
    ...(isUnknown('warmth') && { warm: wanted.warm }),
    ...(isUnknown('encryption') && { encryptionKey: wanted.encryptionKey }),
    ...(isUnknown('replicas') && {
      replicas: wanted.replicas,
      isStrong: wanted.isStrong,
      witness: wanted.witness,
    }),
    ...(isUnknown('backups') && {
      pointInTimeRecovery: wanted.pointInTimeRecovery,
      recoveryDays: wanted.recoveryDays,
    }),
    ...(isUnknown('protection') && { deletionProtection: wanted.deletionProtection }),
    ...(isUnknown('class') && { infrequentAccess: wanted.infrequentAccess }),
    ...(isUnknown('tags') && { tags: wanted.tags }),
  }
}

/** One thing in which two tables differ. */
export interface Difference {
  readonly aspect: Aspect
  /** What it takes: another table, another index, or a call. */
  readonly kind: 'replace' | 'index' | 'setting'
  /** What is, and what should be, in one phrase. */
  readonly text: string
}

/** What has to change so that a table, such as a live one, is as another, such as a schema's. */
export function diffShapes(is: TableShape, wanted: TableShape): readonly Difference[] {
  return [
    ...keyDifferences(is, wanted),
    ...localDifferences(is, wanted),
    ...globalDifferences(is, wanted),
    ...settingDifferences(is, wanted),
  ]
}

function keyDifferences(is: TableShape, wanted: TableShape): readonly Difference[] {
  const print = (shape: TableShape): string =>
    printKeys({ hash: [shape.hash], sort: shape.sort === undefined ? [] : [shape.sort] }, shape)
  const [found, asked] = [print(is), print(wanted)]
  if (found === asked) return []
  return [{ aspect: 'keys', kind: 'replace', text: `the primary key is ${found}, not ${asked}` }]
}

function localDifferences(is: TableShape, wanted: TableShape): readonly Difference[] {
  return compareIndexes(is.local, wanted.local, 'local', (index, of) =>
    printIndex(index, of === 'is' ? is : wanted),
  ).map((text) => ({ aspect: 'indexes', kind: 'replace', text }))
}

function globalDifferences(is: TableShape, wanted: TableShape): readonly Difference[] {
  const differing = compareIndexes(is.global, wanted.global, 'global', (index, of) =>
    printIndex(index, of === 'is' ? is : wanted),
  )
  const differences: Difference[] = differing.map((text) => ({
    aspect: 'indexes',
    kind: 'index',
    text,
  }))
  for (const index of wanted.global) {
    const found = is.global.find(({ name }) => name === index.name)
    const capacities = [printCapacity(found?.capacity), printCapacity(index.capacity)]
    if (found && capacities[0] !== capacities[1] && is.capacity && wanted.capacity) {
      differences.push({
        aspect: 'billing',
        kind: 'setting',
        text: `the global index "${index.name}" has ${capacities[0]}, not ${capacities[1]}`,
      })
    }
    if (found) {
      const isOnDemand = !is.capacity && !wanted.capacity
      differences.push(
        ...unitDifferences(found, index, ` of the global index "${index.name}"`, isOnDemand),
      )
    }
  }
  return differences
}

function compareIndexes(
  is: readonly IndexShape[],
  wanted: readonly IndexShape[],
  kind: string,
  print: (index: IndexShape, of: 'is' | 'wanted') => string,
): readonly string[] {
  const found = new Map(is.map((index) => [index.name, index]))
  const differing: string[] = []
  for (const index of wanted) {
    const own = found.get(index.name)
    found.delete(index.name)
    if (own === undefined) {
      differing.push(`the ${kind} index "${index.name}" is missing: ${print(index, 'wanted')}`)
    } else if (print(own, 'is') !== print(index, 'wanted')) {
      differing.push(
        `the ${kind} index "${index.name}" is ${print(own, 'is')}, not ${print(index, 'wanted')}`,
      )
    }
  }
  for (const index of found.values()) {
    differing.push(
      `the ${kind} index "${index.name}" exists, but is not in the schema: ${print(index, 'is')}`,
    )
  }
  return differing
}

function settingDifferences(is: TableShape, wanted: TableShape): readonly Difference[] {
  const differences: Difference[] = []
  const compare = (aspect: Aspect, what: string, found: string, asked: string): void => {
    if (found === asked) return
    differences.push({ aspect, kind: 'setting', text: `${what} is ${found}, not ${asked}` })
  }
  const quoted = (name: string | undefined): string => (name === undefined ? 'off' : `"${name}"`)
  const switched = (isOn: boolean): string => (isOn ? 'on' : 'off')
  compare('ttl', 'time to live', quoted(is.ttl), quoted(wanted.ttl))
  compare('stream', 'the stream', is.stream ?? 'off', wanted.stream ?? 'off')
  compare('billing', 'billing', printCapacity(is.capacity), printCapacity(wanted.capacity))
  differences.push(...unitDifferences(is, wanted, '', !is.capacity && !wanted.capacity))
  compare('backups', 'point-in-time recovery', recoveryText(is), recoveryText(wanted))
  if (!isSameKey(is.encryptionKey, wanted.encryptionKey)) {
    const print = (key: string | undefined): string => key ?? 'aws-owned'
    compare(
      'encryption',
      'the encryption key',
      print(is.encryptionKey),
      print(wanted.encryptionKey),
    )
  }
  const [regions, asked] = [printReplicas(is), printReplicas(wanted)]
  // DynamoDB can't change the consistency of replicas that are there.
  const isLasting = is.replicas.length > 0 && wanted.replicas.length > 0
  const kind = isLasting && is.isStrong !== wanted.isStrong ? 'replace' : 'setting'
  if (regions !== asked) {
    differences.push({ aspect: 'replicas', kind, text: `replicas are ${regions}, not ${asked}` })
  }
  compare(
    'protection',
    'protection against deletion',
    switched(is.deletionProtection),
    switched(wanted.deletionProtection),
  )
  const tableClass = ({ infrequentAccess }: TableShape): string =>
    infrequentAccess ? 'infrequent access' : 'standard'
  compare('class', 'the table class', tableClass(is), tableClass(wanted))
  // Further tags are those of whoever deploys.
  for (const [name, value] of wanted.tags) {
    compare('tags', `the tag "${name}"`, quoted(is.tags.get(name)), quoted(value))
  }
  return differences
}

/** In what the table or an index serves each second at most, and at once. */
function unitDifferences(
  is: Pick<IndexShape, 'maximum' | 'warm'>,
  wanted: Pick<IndexShape, 'maximum' | 'warm'>,
  whose: string,
  isOnDemand: boolean,
): Difference[] {
  const differ = (aspect: Aspect, what: string, name: 'maximum' | 'warm'): Difference => ({
    aspect,
    kind: 'setting',
    text: `${what}${whose} is ${printUnits(is[name])}, not ${printUnits(wanted[name])}`,
  })
  const differences: Difference[] = []
  if (isOnDemand && printUnits(is.maximum) !== printUnits(wanted.maximum)) {
    differences.push(differ('billing', 'the maximum on demand', 'maximum'))
  }
  // Every table is warm to some degree, and can't be made colder.
  if (wanted.warm && !sameUnits(is.warm, wanted.warm)) {
    differences.push(differ('warmth', 'the warm throughput', 'warm'))
  }
  return differences
}

export function printReplicas({ replicas, isStrong, witness }: TableShape): string {
  if (replicas.length === 0) return 'none'
  const regions = [...replicas].sort().join(', ')
  if (!isStrong) return regions
  return `${regions}, strongly consistent${witness === undefined ? '' : `, with the witness ${witness}`}`
}

/** How long a table can be restored; DynamoDB keeps 35 days unless it is given. */
export function recoveryText({ pointInTimeRecovery, recoveryDays = 35 }: TableShape): string {
  return pointInTimeRecovery ? (recoveryDays === 35 ? 'on' : `on for ${recoveryDays} days`) : 'off'
}

/**
 * A live table shows the ARN of its key, which has the id and no alias: an alias can't be compared,
 * nor can the key of the account.
 */
export function isSameKey(is: string | undefined, wanted: string | undefined): boolean {
  if (is === undefined || wanted === undefined) return is === wanted
  const isNamed = [is, wanted].some((key) => key === AWS_MANAGED || key.includes('alias/'))
  return is === wanted || isNamed || is.endsWith(`/${wanted}`)
}

/** What is not given may be anything. */
export function sameUnits(is: Units | undefined, wanted: Units | undefined): boolean {
  if (wanted === undefined) return is === undefined
  const { read = is?.read, write = is?.write } = wanted
  return is?.read === read && is?.write === write
}

function printUnits(units: Units | undefined): string {
  const { read = 'any', write = 'any' } = units ?? {}
  return units ? `${read} read and ${write} write units` : 'not given'
}

/** All that can't be changed of an index once it is there: without its capacity, which is a
 * setting. */
export function printIndex(index: IndexShape, table: TableShape): string {
  const { projection } = index
  const projected =
    typeof projection === 'string' ? projection : `INCLUDE ${[...projection].sort().join(', ')}`
  return `${printKeys(index, table)} with ${projected}`
}

function printKeys(
  { hash, sort }: Pick<IndexShape, 'hash' | 'sort'>,
  { keys }: TableShape,
): string {
  const print = (names: readonly string[]): string =>
    names.map((name) => `${name}:${keys.find((key) => key.name === name)?.type ?? '?'}`).join(' + ')
  return sort.length === 0 ? `(${print(hash)})` : `(${print(hash)} | ${print(sort)})`
}

function printCapacity(capacity: Capacity | undefined): string {
  return capacity ? `${capacity.read} read and ${capacity.write} write units` : 'on demand'
}
