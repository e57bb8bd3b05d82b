import type { AttributeValue, Item } from 'singletable/engine'
import type { Random } from './random.ts'
import {
  type KeyAttribute,
  type KeyType,
  keyAttributes,
  type TableDesign,
  tableKey,
} from './table-design.ts'

export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M'

const TYPES: readonly ValueType[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']

/** Attributes outside keys and the type they usually have, so that operations often fit what is
 * stored. */
export const ATTRIBUTES: readonly (readonly [name: string, type: ValueType])[] = [
  ['num', 'N'],
  ['n2', 'N'],
  ['str', 'S'],
  ['s2', 'S'],
  ['bin', 'B'],
  ['flag', 'BOOL'],
  ['nothing', 'NULL'],
  ['list', 'L'],
  ['map', 'M'],
  ['ss', 'SS'],
  ['ns', 'NS'],
  ['bs', 'BS'],
  ['a.b', 'N'],
  ['size', 'N'],
  ['toString', 'S'],
  ['__proto__', 'M'],
]

// Spellings of one number are together: as keys, set elements and operands they are one value.
const PARTITION_KEYS: Record<KeyType, readonly (readonly string[])[]> = {
  S: [['p'], ['q\u{10000}'], ['q\uFFFD']],
  N: [
    ['1', '1.0', '01'],
    ['-2.5', '-25e-1'],
    ['1000', '1e3', '+1E+3'],
  ],
  B: [['AA=='], ['/w=='], ['AP8=']],
}
const SORT_KEYS: Record<KeyType, readonly (readonly string[])[]> = {
  S: [['a'], ['aa'], ['a\u{10000}'], ['a\uFFFD'], ['b'], ['Z']],
  N: [
    ['0', '-0', '0e5'],
    ['-100', '-1e2'],
    ['0.5', '.5', '5e-1'],
    ['1000', '1e3'],
    ['12345678901234567890123456789012345678'],
    ['1e-130'],
  ],
  B: [['AA=='], ['AAA='], ['AAAB'], ['f4A='], ['gA=='], ['/w==']],
}

const NUMBERS = [
  '0',
  '1',
  '-1',
  '2.50',
  '1e3',
  '1000',
  '0.1',
  '3',
  '10',
  '99999999999999999999999999999999999999',
  '9.9999999999999999999999999999999999999e125',
  '-9.9999999999999999999999999999999999999e125',
  '1e-130',
  '-1e-130',
  '123456789012345678901234567890.12345678',
]
const BAD_NUMBERS = [
  '1e126',
  '-1e126',
  '1e-131',
  '123456789012345678901234567890123456789',
  'abc',
  ' 1',
  '1_0',
  '0x1',
  '',
]
const STRINGS = ['', 'a', 'ab', 'abc', 'b', '\u{10000}', '\uFFFD', 'é', 'a\u0000', 'S', 'N', 'L']
const BINARIES = ['', 'AA==', '/w==', 'YWI=', 'YWJj', 'YQ==']

/** A value of the type, by preference one that is often got wrong. */
export function randomValue(random: Random, type: ValueType, depth = 0): AttributeValue {
  switch (type) {
    case 'S':
      return { S: random.pick(STRINGS) }
    case 'N':
      return { N: random.chance(0.01) ? random.pick(BAD_NUMBERS) : random.pick(NUMBERS) }
    case 'B':
      return { B: random.pick(BINARIES) }
    case 'BOOL':
      return { BOOL: random.chance(0.5) }
    case 'NULL':
      return { NULL: true }
    case 'SS':
      return { SS: elements(random, STRINGS) }
    case 'NS':
      return { NS: elements(random, NUMBERS) }
    case 'BS':
      return { BS: elements(random, BINARIES) }
    case 'L':
      return {
        L: Array.from({ length: random.below(depth > 1 ? 2 : 4) }, () =>
          randomValue(random, random.pick(['N', 'N', 'S', 'M', 'L', 'SS']), depth + 1),
        ),
      }
    case 'M':
      return {
        M: Object.fromEntries(
          random
            .sample(depth > 1 ? INNER.slice(0, 2) : INNER, random.below(4))
            .map(([name, inner]) => [name, randomValue(random, usually(random, inner), depth + 1)]),
        ),
      }
  }
}

/** Members of maps and the type they usually have. */
export const INNER: readonly (readonly [name: string, type: ValueType])[] = [
  ['x', 'N'],
  ['y', 'S'],
  ['list', 'L'],
  ['map', 'M'],
  ['a.b', 'N'],
  ['__proto__', 'S'],
]

function elements(random: Random, choices: readonly string[]): string[] {
  if (random.chance(0.005)) return []
  // Two spellings of one number may meet, which is a duplicate, but not often.
  const distinct = random.chance(0.03) ? choices : choices.filter((choice) => choice !== '1e3')
  const chosen = random.sample(distinct, 1 + random.below(4))
  return random.chance(0.005) ? [...chosen, ...chosen.slice(0, 1)] : chosen
}

/** The type, or now and then another one. */
export function usually(random: Random, type: ValueType): ValueType {
  return random.chance(0.1) ? random.pick(TYPES) : type
}

/** A value for a key attribute out of few, so that keys of different operations meet. */
export function keyValue(
  random: Random,
  attribute: KeyAttribute,
  role: 'partition' | 'sort',
): AttributeValue {
  if (random.chance(0.004)) return randomValue(random, random.pick(TYPES))
  const universe = role === 'partition' ? PARTITION_KEYS : SORT_KEYS
  const text = random.pick(random.pick(universe[attribute.type]))
  return scalar(attribute.type, text)
}

function scalar(type: KeyType, text: string): AttributeValue {
  switch (type) {
    case 'S':
      return { S: text }
    case 'N':
      return { N: text }
    case 'B':
      return { B: text }
  }
}

/** A key of the table; now and then one that is not a key of it. */
export function randomKey(random: Random, design: TableDesign): Item {
  const key = Object.fromEntries(
    tableKey(design).map((attribute) => [
      attribute.name,
      keyValue(random, attribute, attribute === design.partition ? 'partition' : 'sort'),
    ]),
  )
  if (random.chance(0.005)) return { ...key, num: { N: '1' } }
  if (random.chance(0.005)) return Object.fromEntries(Object.entries(key).slice(1))
  return key
}

/** An item: a key, most of the index keys, a few other attributes. */
export function randomItem(random: Random, design: TableDesign): Item {
  const entries: [string, AttributeValue][] = Object.entries(randomKey(random, design))
  const own = new Set(tableKey(design).map(({ name }) => name))
  for (const attribute of keyAttributes(design)) {
    if (!own.has(attribute.name) && random.chance(0.7)) {
      entries.push([attribute.name, indexKeyValue(random, attribute)])
    }
  }
  for (const [name, type] of random.sample(ATTRIBUTES, random.below(7))) {
    if (!own.has(name)) entries.push([name, randomValue(random, usually(random, type))])
  }
  return Object.fromEntries(entries)
}

/** A value for a key attribute of an index, seldom one that the index cannot take. */
export function indexKeyValue(random: Random, attribute: KeyAttribute): AttributeValue {
  if (random.chance(0.015)) return randomValue(random, random.pick(TYPES))
  return keyValue(random, attribute, random.chance(0.7) ? 'partition' : 'sort')
}
