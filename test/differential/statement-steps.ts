import type { AttributeValue, Item } from 'singletable/engine'
import { type Step, TABLE } from './program.ts'
import type { Random } from './random.ts'
import { ATTRIBUTES, randomItem, randomKey, randomValue, type ValueType } from './random-value.ts'
import type { TableDesign } from './table-design.ts'

/** Attributes whose names PartiQL takes in double quotes, with types of which literals are
 * simple. */
const SIMPLE: readonly (readonly [name: string, type: ValueType])[] = ATTRIBUTES.filter(
  ([name, type]) => /^\w+$/.test(name) && ['N', 'S', 'BOOL', 'L', 'M', 'SS', 'NS'].includes(type),
)

/** A PartiQL statement with all values as parameters. */
export function statementStep(random: Random, design: TableDesign): Step {
  const parameters: AttributeValue[] = []
  const parameter = (value: AttributeValue): string => {
    parameters.push(value)
    return '?'
  }
  const statement = randomStatement(random, design, parameter)
  return {
    operation: 'ExecuteStatement',
    request: {
      Statement: statement,
      ...(parameters.length === 0 ? {} : { Parameters: parameters }),
    },
  }
}

type Parameter = (value: AttributeValue) => string

function randomStatement(random: Random, design: TableDesign, parameter: Parameter): string {
  switch (random.below(4)) {
    case 0: {
      const item: Item = randomItem(random, design)
      const members = Object.entries(item).map(([name, value]) => `'${name}': ${parameter(value)}`)
      return `INSERT INTO "${TABLE}" VALUE {${members.join(', ')}}`
    }
    case 1: {
      const [name, type] = random.pick(SIMPLE)
      const change = random.chance(0.75)
        ? `SET "${name}" = ${parameter(randomValue(random, type))}`
        : `REMOVE "${name}"`
      const returning = random.chance(0.4)
        ? ` RETURNING ${random.pick(['ALL', 'MODIFIED'])} ${random.pick(['OLD', 'NEW'])} *`
        : ''
      return `UPDATE "${TABLE}" ${change} WHERE ${where(random, design, parameter)}${returning}`
    }
    case 2: {
      const returning = random.chance(0.4) ? ' RETURNING ALL OLD *' : ''
      return `DELETE FROM "${TABLE}" WHERE ${where(random, design, parameter)}${returning}`
    }
    default: {
      const list = random.chance(0.6)
        ? '*'
        : random
            .sample(SIMPLE, 2)
            .map(([name]) => `"${name}"`)
            .join(', ')
      return `SELECT ${list} FROM "${TABLE}" WHERE ${where(random, design, parameter)}`
    }
  }
}

function where(random: Random, design: TableDesign, parameter: Parameter): string {
  const parts = Object.entries(randomKey(random, design)).map(
    ([name, value]) => `"${name}" = ${parameter(value)}`,
  )
  if (random.chance(0.4)) parts.push(comparison(random, parameter))
  return parts.join(' AND ')
}

function comparison(random: Random, parameter: Parameter): string {
  const [name, type] = random.pick(SIMPLE)
  switch (random.below(4)) {
    case 0:
      return `"${name}" IS ${random.chance(0.5) ? 'NOT ' : ''}MISSING`
    case 1:
      return `attribute_type("${name}", ${parameter({ S: type })})`
    default:
      return `"${name}" ${random.pick(['=', '<>', '<', '>='])} ${parameter(randomValue(random, type))}`
  }
}
