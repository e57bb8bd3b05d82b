import type { AttributeValue } from 'singletable/engine'
import type { Placeholders } from './placeholders.ts'
import type { Random } from './random.ts'
import {
  ATTRIBUTES,
  INNER,
  indexKeyValue,
  keyValue,
  randomValue,
  usually,
  type ValueType,
} from './random-value.ts'
import {
  type IndexDesign,
  type KeyAttribute,
  keyAttributes,
  type TableDesign,
  tableKey,
} from './table-design.ts'

/** What an expression is made from. */
export interface Source {
  readonly random: Random
  readonly placeholders: Placeholders
  readonly design: TableDesign
}

interface Path {
  readonly text: string
  readonly type: ValueType
  /** Of a key attribute, for values that can be equal to it. */
  readonly key?: KeyAttribute
}

const MUTATION_CHANCE = 0.2
const TOKENS = [
  'AND',
  'OR',
  'NOT',
  'and',
  '(',
  ')',
  ',',
  '=',
  '<>',
  '<',
  '>=',
  'BETWEEN',
  'IN',
  ':v0',
  ':v1',
  '#n0',
  'size',
  'contains',
  'begins_with',
  'attribute_exists',
  'attribute_type',
  'if_not_exists',
  'list_append',
  '.',
  '[0]',
  '[',
  '1',
  '+',
  '-',
  'SET',
  'REMOVE',
  'ADD',
  'DELETE',
  'num',
  'list',
  ':missing',
  '#missing',
  '!',
  'status',
  '_x',
  '"',
  'Size',
]

/** The expression, or (one time in five) the expression with one token dropped, doubled, replaced,
 * swapped or added. */
export function perhapsMutated(random: Random, expression: string): string {
  if (!random.chance(MUTATION_CHANCE)) return expression
  const tokens: string[] = expression.match(/[#:]?\w+|<>|<=|>=|\s+|./gu) ?? []
  const solid = tokens.flatMap((token, place) => (token.trim() === '' ? [] : [place]))
  if (solid.length === 0) return expression
  const place = random.pick(solid)
  const token = tokens[place] ?? ''
  const other = random.pick(solid)
  switch (random.below(5)) {
    case 0:
      return tokens.toSpliced(place, 1).join('')
    case 1:
      return tokens.toSpliced(place, 0, token, ' ').join('')
    case 2:
      return tokens.with(place, random.pick(TOKENS)).join('')
    case 3:
      return tokens
        .with(place, tokens[other] ?? '')
        .with(other, token)
        .join('')
    default:
      return tokens.toSpliced(place, 0, random.pick(TOKENS), ' ').join('')
  }
}

/** A condition or filter. `avoid` names attributes it leaves out. */
export function condition(source: Source, avoid: ReadonlySet<string>, depth = 0): string {
  const { random } = source
  if (depth < 3 && random.chance(0.35)) {
    const inner = (): string => condition(source, avoid, depth + 1)
    switch (random.below(4)) {
      case 0:
        return `${inner()} AND ${inner()}`
      case 1:
        return `${inner()} OR ${inner()}`
      case 2:
        return `NOT ${inner()}`
      default:
        return `(${inner()})`
    }
  }
  const path = randomPath(source, avoid)
  const operand = (): string => conditionOperand(source, path, avoid)
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2: {
      const comparator = random.pick(['=', '<>', '<', '<=', '>', '>='])
      const sides: string[] = [path.text, operand()]
      if (random.chance(0.15)) sides.reverse()
      return sides.join(random.chance(0.1) ? comparator : ` ${comparator} `)
    }
    case 3:
      return `${path.text} BETWEEN ${operand()} AND ${operand()}`
    case 4:
      return `${path.text} IN (${Array.from({ length: 1 + random.below(3) }, operand).join(', ')})`
    case 5:
      return `${random.pick(['attribute_exists', 'attribute_not_exists'])}(${path.text})`
    case 6: {
      const type = random.pick([
        'S',
        'N',
        'B',
        'BOOL',
        'NULL',
        'SS',
        'NS',
        'BS',
        'L',
        'M',
        path.type,
      ])
      return `attribute_type(${path.text}, ${source.placeholders.value({ S: random.chance(0.03) ? 'X' : type })})`
    }
    case 7:
      return `begins_with(${path.text}, ${operand()})`
    default:
      return `contains(${path.text}, ${containedOperand(source, path, avoid)})`
  }
}

function conditionOperand(source: Source, path: Path, avoid: ReadonlySet<string>): string {
  const { random, placeholders } = source
  if (random.chance(0.1)) return randomPath(source, avoid).text
  if (random.chance(0.1)) return `size(${randomPath(source, avoid).text})`
  return placeholders.value(fittingValue(source, path))
}

function containedOperand(source: Source, path: Path, avoid: ReadonlySet<string>): string {
  const element: Partial<Record<ValueType, ValueType>> = { SS: 'S', NS: 'N', BS: 'B', L: 'N' }
  const type = element[path.type]
  return type === undefined
    ? conditionOperand(source, path, avoid)
    : source.placeholders.value(randomValue(source.random, usually(source.random, type)))
}

function fittingValue({ random }: Source, path: Path): AttributeValue {
  if (path.key !== undefined && random.chance(0.9)) return indexKeyValue(random, path.key)
  return randomValue(random, usually(random, path.type))
}

/** A path to an attribute, to a key or into a document. */
export function randomPath(source: Source, avoid: ReadonlySet<string>): Path {
  const { random, placeholders, design } = source
  if (random.chance(0.2)) {
    const keys = keyAttributes(design).filter(({ name }) => !avoid.has(name))
    if (keys.length > 0) {
      const key = random.pick(keys)
      return { text: placeholders.name(key.name), type: key.type, key }
    }
  }
  const [name, type] = random.pick(ATTRIBUTES.filter(([name]) => !avoid.has(name)))
  return extended(source, { text: placeholders.name(name), type }, 0)
}

function extended(source: Source, path: Path, depth: number): Path {
  const { random, placeholders } = source
  if (depth > 2) return path
  if (path.type === 'M' && random.chance(0.7)) {
    const [name, type] = random.pick(INNER)
    return extended(source, { text: `${path.text}.${placeholders.name(name)}`, type }, depth + 1)
  }
  if (path.type === 'L' && random.chance(0.6)) {
    const type = random.pick(['N', 'S', 'M'] as const)
    return extended(source, { text: `${path.text}[${random.below(4)}]`, type }, depth + 1)
  }
  if (random.chance(0.01)) return { text: `${path.text}[0]`, type: 'N' }
  if (random.chance(0.01)) return { text: `${path.text}.x`, type: 'N' }
  return path
}

/** An update of one to four clauses. */
export function update(source: Source): string {
  const { random, design } = source
  const keys = new Set(random.chance(0.97) ? tableKey(design).map(({ name }) => name) : [])
  const clauses = random.sample(
    ['SET', 'SET', 'SET', 'REMOVE', 'ADD', 'DELETE'],
    1 + random.below(3),
  )
  return [...new Set(clauses)]
    .map((clause) => {
      const actions = Array.from({ length: 1 + random.below(2) }, () =>
        action(source, clause, keys),
      )
      return `${random.chance(0.1) ? clause.toLowerCase() : clause} ${actions.join(', ')}`
    })
    .join(' ')
}

function action(source: Source, clause: string, avoid: ReadonlySet<string>): string {
  const { random, placeholders } = source
  if (clause === 'SET') {
    const path = randomPath(source, avoid)
    return `${path.text} = ${setValue(source, path)}`
  }
  if (clause === 'REMOVE') return randomPath(source, avoid).text
  const types = clause === 'ADD' ? ['N', 'N', 'SS', 'NS', 'BS'] : ['SS', 'NS', 'BS']
  const wanted = random.pick(types)
  const names = ATTRIBUTES.filter(([name, type]) => type === wanted && !avoid.has(name))
  const [name, type] = random.pick(names)
  const path = random.chance(0.1)
    ? randomPath(source, avoid)
    : { text: placeholders.name(name), type }
  return `${path.text} ${placeholders.value(randomValue(random, usually(random, path.type)))}`
}

function setValue(source: Source, path: Path): string {
  const { random, placeholders } = source
  const value = (type: ValueType): string =>
    placeholders.value(randomValue(random, usually(random, type)))
  if (path.type === 'N' && random.chance(0.5)) {
    const left = random.pick([
      () => path.text,
      () => randomPath(source, NOTHING).text,
      () => `if_not_exists(${path.text}, ${value('N')})`,
      () => value('N'),
    ])()
    return `${left} ${random.pick(['+', '-'])} ${value('N')}`
  }
  if (path.type === 'L' && random.chance(0.5)) {
    const left = random.chance(0.5) ? path.text : `if_not_exists(${path.text}, ${value('L')})`
    const parts = [left, value('L')]
    if (random.chance(0.5)) parts.reverse()
    return `list_append(${parts.join(', ')})`
  }
  if (random.chance(0.1)) return randomPath(source, NOTHING).text
  if (random.chance(0.1)) {
    return `if_not_exists(${randomPath(source, NOTHING).text}, ${value(path.type)})`
  }
  return placeholders.value(fittingValue(source, path))
}

const NOTHING: ReadonlySet<string> = new Set()

/** A list of one to four paths. */
export function projection(source: Source): string {
  const { random } = source
  const paths = Array.from({ length: 1 + random.below(4) }, () => randomPath(source, NOTHING).text)
  return [...new Set(paths)].join(random.chance(0.5) ? ', ' : ',')
}

/** A key condition for the table or an index. */
export function keyCondition(source: Source, index: IndexDesign | undefined): string {
  const { random, placeholders, design } = source
  const partition = index?.partition ?? [design.partition]
  const sort = index?.sort ?? (design.sort === undefined ? [] : [design.sort])
  const value = (attribute: KeyAttribute, role: 'partition' | 'sort'): string =>
    placeholders.value(keyValue(random, attribute, role))
  const parts = partition.map(
    (attribute) => `${placeholders.name(attribute.name)} = ${value(attribute, 'partition')}`,
  )
  const used = sort.slice(0, random.below(sort.length + 1))
  used.forEach((attribute, place) => {
    const role = index === undefined ? 'sort' : random.pick(['partition', 'sort'] as const)
    const name = placeholders.name(attribute.name)
    const last = place === used.length - 1
    parts.push(
      last
        ? sortCondition(random, name, () => value(attribute, role))
        : `${name} = ${value(attribute, role)}`,
    )
  })
  if (random.chance(0.1)) parts.reverse()
  return parts.join(random.chance(0.05) ? ' and ' : ' AND ')
}

function sortCondition(random: Random, name: string, value: () => string): string {
  switch (random.below(5)) {
    case 0:
      return `${name} = ${value()}`
    case 1:
      return `${name} BETWEEN ${value()} AND ${value()}`
    case 2:
      return `begins_with(${name}, ${value()})`
    case 3:
      return `${value()} ${random.pick(['<', '<=', '>', '>=', '='])} ${name}`
    default:
      return `${name} ${random.pick(['<', '<=', '>', '>='])} ${value()}`
  }
}
