import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { encodeKeyPrefix, encodeKeyValue, hashKey, successor } from '../../values/key-encoding.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { valueSizeBytes } from '../../values/size.ts'
import type { Index, KeyAttribute } from '../catalog/table.ts'
import { keyEmpty, PARTITION_KEY_TOO_LARGE, SORT_KEY_TOO_LARGE } from '../messages/key-messages.ts'
import {
  CONDITIONS_COUNT,
  KEY_CONDITION_NOT_SUPPORTED,
  KEY_CONDITION_TYPE,
  keyConditionMissing,
  partitionKeysNeedEquality,
  sortKeysNeedEquality,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { StorageRange } from '../storage/storage.ts'
import { type KeyTest, type KeyTests, testValues } from './key-condition.ts'

/** The entries of an index that a key condition selects. */
export interface KeyRange {
  readonly range: StorageRange
  /** The whole item collection. */
  readonly partition: StorageRange
  /** The partition key's values. */
  readonly partitionKey: Item
  /** Whether the whole key is fixed, so that at most one item of the table can be found. */
  readonly isSingle: boolean
}

/** Matches the tests with the index's key schema and turns them into a range of storage keys. */
export function keyRange(index: Index, tests: KeyTests): KeyRange {
  const sortTests = matchSchema(index, tests)
  validateTypes(index, tests)

  const partitionKey: Record<string, AttributeValue> = {}
  let encoded = ''
  for (const { name } of index.partition) {
    const value = equalTo(tests.get(name))!
    setOwn(partitionKey, name, value)
    encoded += encodeKeyValue(value)
  }
  const partitionStart = index.prefix + hashKey(encoded) + encoded
  let start = partitionStart
  let range: StorageRange | undefined
  for (const test of sortTests) {
    const value = equalTo(test)
    if (value === undefined) range = sortRange(start, test)
    else start += encodeKeyValue(value)
  }
  return {
    range: range ?? { start, end: successor(start) },
    partition: { start: partitionStart, end: successor(partitionStart) },
    partitionKey,
    isSingle:
      index.kind === 'primary' && range === undefined && sortTests.length === index.sort.length,
  }
}

/** The tests of the sort key's attributes, as far as the key schema is used. */
function matchSchema(index: Index, tests: KeyTests): KeyTest[] {
  const { partition, sort } = index
  const isMulti = partition.length > 1 || sort.length > 1
  if (isMulti) requireEqualities(index, tests)
  else if (tests.size < 1 || tests.size > 2) throw validationError(CONDITIONS_COUNT)
  for (const { name } of partition) {
    if (!tests.has(name)) throw validationError(keyConditionMissing(name))
  }
  const sortTests: KeyTest[] = []
  for (const { name } of sort) {
    const test = tests.get(name)
    if (test === undefined) break
    sortTests.push(test)
  }
  if (tests.size > partition.length + sortTests.length) {
    const missed = sort[sortTests.length] ?? sort.at(-1)
    throw validationError(
      missed === undefined ? KEY_CONDITION_NOT_SUPPORTED : keyConditionMissing(missed.name),
    )
  }
  for (const { name } of partition) {
    if (equalTo(tests.get(name)) === undefined) throw validationError(KEY_CONDITION_NOT_SUPPORTED)
  }
  return sortTests
}

/** Every attribute of the partition key, and of the sort key every one before the last that is
 * used, needs an equality. */
function requireEqualities({ partition, sort }: Index, tests: KeyTests): void {
  const isOpen = ({ name }: KeyAttribute): boolean => equalTo(tests.get(name)) === undefined
  const openPartition = partition.filter(isOpen)
  if (openPartition.length > 0) {
    throw validationError(partitionKeysNeedEquality(openPartition.map(({ name }) => name)))
  }
  const last = sort.findLastIndex(({ name }) => tests.has(name))
  const openSort = sort.slice(0, Math.max(last, 0)).filter(isOpen)
  if (openSort.length > 0) {
    throw validationError(
      sortKeysNeedEquality(
        openSort.map(({ name }) => name),
        sort[last]!.name,
      ),
    )
  }
}

function validateTypes(index: Index, tests: KeyTests): void {
  for (const [attributes, maxBytes, tooLarge] of [
    [index.partition, PARTITION_KEY_MAX_BYTES, PARTITION_KEY_TOO_LARGE],
    [index.sort, SORT_KEY_MAX_BYTES, SORT_KEY_TOO_LARGE],
  ] as const) {
    for (const { name, type } of attributes) {
      const test = tests.get(name)
      if (test === undefined) continue
      for (const value of testValues(test)) {
        if (value[type] === undefined) throw validationError(KEY_CONDITION_TYPE)
        if (test.kind === 'begins_with' && type === 'N') throw validationError(KEY_CONDITION_TYPE)
        if (value[type] === '') {
          throw validationError(keyEmpty(name, type === 'S' ? 'string' : 'binary'))
        }
        if (type !== 'N' && valueSizeBytes(value) > maxBytes) throw validationError(tooLarge)
      }
    }
  }
}

function equalTo(test: KeyTest | undefined): AttributeValue | undefined {
  return test?.kind === 'compare' && test.operator === '=' ? test.value : undefined
}

/** Encoded values are prefix-free, so all entries of one value lie from its encoding to the
 * encoding's successor. */
function sortRange(prefix: string, test: KeyTest): StorageRange {
  const start = prefix
  const end = successor(prefix)
  switch (test.kind) {
    case 'between':
      return {
        start: prefix + encodeKeyValue(test.low),
        end: successor(prefix + encodeKeyValue(test.high)),
      }
    case 'begins_with': {
      const first = prefix + encodeKeyPrefix(test.prefix)
      return { start: first, end: successor(first) }
    }
    case 'compare': {
      const value = prefix + encodeKeyValue(test.value)
      switch (test.operator) {
        case '<':
          return { start, end: value }
        case '<=':
          return { start, end: successor(value) }
        case '>':
          return { start: successor(value), end }
        default:
          return { start: value, end }
      }
    }
  }
}
