import { allOf, partsOf } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { encodeKeyValue } from '../../values/key-encoding.ts'
import type { Index, KeyAttribute } from '../catalog/table.ts'
import { keyAttributeType } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { type KeyTest, testValues } from '../read/key-condition.ts'
import { type KeyRange, keyRange } from '../read/key-range.ts'
import { alternativesOf, equalityOf, keyTestOf } from './key-equalities.ts'

/** Where the items of a SELECT are looked for. */
export interface SelectRanges {
  /** One for each item collection, in the order of their partition keys; undefined if the whole
   * index has to be read. */
  readonly ranges: readonly KeyRange[] | undefined
  /** What the ranges don't answer. */
  readonly filter: Condition | undefined
}

/** Takes from a WHERE clause what the key schema can answer: the partition key first, then as much
 * of the sort key as fits a range. */
export function selectRanges(index: Index, condition: Condition | undefined): SelectRanges {
  const parts = new Set(partsOf('and', condition))
  const partitions = takePartitions(index, parts)
  if (partitions === undefined) return { ranges: undefined, filter: condition }
  const sortTests = takeSortTests(index, parts)
  const ranges = partitions.map((tests) => keyRange(index, new Map([...tests, ...sortTests])))
  return { ranges, filter: allOf([...parts]) }
}

type Tests = [string, KeyTest][]

/** The tests that fix each wanted partition; parts that they answer are taken out. */
function takePartitions(index: Index, parts: Set<Condition>): Tests[] | undefined {
  const fixed: Tests = []
  const answered: Condition[] = []
  for (const attribute of index.partition) {
    const found = findPart(parts, (part) => {
      const equality = equalityOf(part)
      return equality?.name === attribute.name ? equality.value : undefined
    })
    if (found === undefined) return takeAlternatives(index, parts)
    answered.push(found.part)
    fixed.push(equalTo(attribute, found.result))
  }
  for (const part of answered) parts.delete(part)
  return [fixed]
}

function takeAlternatives(index: Index, parts: Set<Condition>): Tests[] | undefined {
  const [attribute, ...others] = index.partition
  if (attribute === undefined || others.length > 0) return undefined
  const found = findPart(parts, (part) => {
    const alternatives = alternativesOf(part)
    return alternatives?.name === attribute.name ? alternatives.values : undefined
  })
  if (found === undefined) return undefined
  parts.delete(found.part)
  const byKey = new Map<string, Tests>()
  for (const value of found.result) {
    const test = equalTo(attribute, value)
    byKey.set(encodeKeyValue(value), [test])
  }
  return [...byKey.keys()].sort().map((key) => byKey.get(key)!)
}

/** Equalities on the first sort attributes and one test of any kind on the next. */
function takeSortTests(index: Index, parts: Set<Condition>): Tests {
  const tests: Tests = []
  for (const attribute of index.sort) {
    const found =
      findPart(parts, (part) => {
        const equality = equalityOf(part)
        return equality?.name === attribute.name ? keyTestOf(part)?.test : undefined
      }) ??
      findPart(parts, (part) => {
        const candidate = keyTestOf(part)
        return candidate?.name === attribute.name && isUsable(attribute, candidate.test)
          ? candidate.test
          : undefined
      })
    if (found === undefined) break
    checkType(attribute, found.result)
    parts.delete(found.part)
    tests.push([attribute.name, found.result])
    if (found.result.kind !== 'compare' || found.result.operator !== '=') break
  }
  return tests
}

/** An empty text bounds nothing that a key could be, so a range can't use it; the filter can. */
function isUsable(attribute: KeyAttribute, test: KeyTest): boolean {
  if (test.kind === 'begins_with') return attribute.type !== 'N'
  return !testValues(test).some((value) => value.S === '' || value.B === '')
}

function checkType({ name, type }: KeyAttribute, test: KeyTest): void {
  for (const value of testValues(test)) {
    if (value[type] === undefined) throw validationError(keyAttributeType(name))
  }
}

function equalTo(attribute: KeyAttribute, value: AttributeValue): [string, KeyTest] {
  const test: KeyTest = { kind: 'compare', operator: '=', value }
  checkType(attribute, test)
  return [attribute.name, test]
}

function findPart<TResult>(
  parts: ReadonlySet<Condition>,
  look: (part: Condition) => TResult | undefined,
): { readonly part: Condition; readonly result: TResult } | undefined {
  for (const part of parts) {
    const result = look(part)
    if (result !== undefined) return { part, result }
  }
  return undefined
}
