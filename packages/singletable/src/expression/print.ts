import type { AttributeValue } from '../values/attribute-value.ts'
import type { Condition, Operand, Path, Projection, Update, UpdateValue } from './tree.ts'

/** Placeholders are made once: as member names, texts that are put together anew each time are slow. */
const NAMES: string[] = []
const VALUES: string[] = []

function numbered(made: string[], prefix: string, number: number): string {
  let placeholder = made[number]
  if (placeholder === undefined) {
    placeholder = `${prefix}${number}`
    made[number] = placeholder
  }
  return placeholder
}

/**
 * The placeholders of one request, given out while its expressions are printed. A name has one placeholder, however often it
 * is used; so no name needs to be checked against the reserved words.
 */
export class PrintedPlaceholders {
  readonly #placeholders = new Map<string, string>()
  readonly #names: Record<string, string> = {}
  readonly #values: Record<string, AttributeValue> = {}
  #valueCount = 0

  name(name: string): string {
    let placeholder = this.#placeholders.get(name)
    if (placeholder === undefined) {
      placeholder = numbered(NAMES, '#n', this.#placeholders.size)
      this.#placeholders.set(name, placeholder)
      this.#names[placeholder] = name
    }
    return placeholder
  }

  value(value: AttributeValue): string {
    const placeholder = numbered(VALUES, ':v', this.#valueCount++)
    this.#values[placeholder] = value
    return placeholder
  }

  /** ExpressionAttributeNames; `undefined` if there are none, because the service refuses an empty map. */
  names(): Record<string, string> | undefined {
    return this.#placeholders.size === 0 ? undefined : this.#names
  }

  /** ExpressionAttributeValues; `undefined` if there are none. */
  values(): Record<string, AttributeValue> | undefined {
    return this.#valueCount === 0 ? undefined : this.#values
  }
}

/**
 * The text of a condition, with parentheses only where the tree needs them: DynamoDB refuses doubled ones.
 *
 * @example
 * const placeholders = new PrintedPlaceholders()
 * printCondition({ kind: 'exists', path: ['name'], negated: true }, placeholders) // => 'attribute_not_exists(#n0)'
 */
export function printCondition(condition: Condition, placeholders: PrintedPlaceholders): string {
  switch (condition.kind) {
    case 'or':
    case 'and': {
      const rank = RANKS[condition.kind]
      const left = printInside(condition.left, rank, placeholders)
      // Both operators group to the left, so an equal one on the right is kept apart.
      const right = printInside(condition.right, rank + 1, placeholders)
      return `${left} ${condition.kind === 'or' ? 'OR' : 'AND'} ${right}`
    }
    case 'not':
      return `NOT ${printInside(condition.condition, RANKS.not, placeholders)}`
    case 'compare': {
      const left = printOperand(condition.left, placeholders)
      return `${left} ${condition.operator} ${printOperand(condition.right, placeholders)}`
    }
    case 'between': {
      const operand = printOperand(condition.operand, placeholders)
      const low = printOperand(condition.low, placeholders)
      return `${operand} BETWEEN ${low} AND ${printOperand(condition.high, placeholders)}`
    }
    case 'in': {
      const operand = printOperand(condition.operand, placeholders)
      const list = condition.list.map((other) => printOperand(other, placeholders))
      return `${operand} IN (${list.join(', ')})`
    }
    case 'exists': {
      const name = condition.negated ? 'attribute_not_exists' : 'attribute_exists'
      return `${name}(${printPath(condition.path, placeholders)})`
    }
    case 'attribute_type':
      return printCall('attribute_type', condition.operand, condition.type, placeholders)
    case 'begins_with':
      return printCall('begins_with', condition.operand, condition.prefix, placeholders)
    case 'contains':
      return printCall('contains', condition.operand, condition.search, placeholders)
  }
}

/** The text of an update. An update that changes nothing has no text: DynamoDB wants the parameter left out then. */
export function printUpdate(update: Update, placeholders: PrintedPlaceholders): string {
  const sections: string[] = []
  const section = (name: string, actions: readonly string[]): void => {
    if (actions.length > 0) sections.push(`${name} ${actions.join(', ')}`)
  }
  const printChange = ({ path, value }: { path: Path; value: AttributeValue }): string =>
    `${printPath(path, placeholders)} ${placeholders.value(value)}`
  section(
    'SET',
    update.set.map(({ path, value }) => {
      const target = printPath(path, placeholders)
      return `${target} = ${printUpdateValue(value, placeholders)}`
    }),
  )
  section('REMOVE', printPaths(update.remove, placeholders))
  section('ADD', update.add.map(printChange))
  section('DELETE', update.delete.map(printChange))
  return sections.join(' ')
}

export function printProjection(projection: Projection, placeholders: PrintedPlaceholders): string {
  return printPaths(projection, placeholders).join(', ')
}

export function printPath(path: Path, placeholders: PrintedPlaceholders): string {
  let text = ''
  for (const component of path) {
    if (typeof component === 'number') text += `[${component}]`
    else text += `${text === '' ? '' : '.'}${placeholders.name(component)}`
  }
  return text
}

const RANKS = { or: 1, and: 2, not: 3 } as const

function printInside(
  condition: Condition,
  rank: number,
  placeholders: PrintedPlaceholders,
): string {
  const { kind } = condition
  const text = printCondition(condition, placeholders)
  return (kind === 'or' || kind === 'and') && RANKS[kind] < rank ? `(${text})` : text
}

function printPaths(paths: readonly Path[], placeholders: PrintedPlaceholders): string[] {
  return paths.map((path) => printPath(path, placeholders))
}

function printCall(
  name: string,
  first: Operand,
  second: Operand,
  placeholders: PrintedPlaceholders,
): string {
  const left = printOperand(first, placeholders)
  return `${name}(${left}, ${printOperand(second, placeholders)})`
}

function printOperand(operand: Operand, placeholders: PrintedPlaceholders): string {
  switch (operand.kind) {
    case 'path':
      return printPath(operand.path, placeholders)
    case 'value':
      return placeholders.value(operand.value)
    case 'size':
      return `size(${printOperand(operand.operand, placeholders)})`
  }
}

function printUpdateValue(value: UpdateValue, placeholders: PrintedPlaceholders): string {
  switch (value.kind) {
    case 'path':
      return printPath(value.path, placeholders)
    case 'value':
      return placeholders.value(value.value)
    case 'if_not_exists': {
      const path = printPath(value.path, placeholders)
      return `if_not_exists(${path}, ${printUpdateValue(value.otherwise, placeholders)})`
    }
    case 'list_append': {
      const left = printUpdateValue(value.left, placeholders)
      return `list_append(${left}, ${printUpdateValue(value.right, placeholders)})`
    }
    case 'arithmetic': {
      const left = printUpdateValue(value.left, placeholders)
      return `${left} ${value.operator} ${printUpdateValue(value.right, placeholders)}`
    }
  }
}
