import type { AttributeValue } from '../values/attribute-value.ts'
import type { Condition, Operand, Path, Projection, Update, UpdateValue } from './tree.ts'

/** Placeholders are made once: as member names, strings that are built again each time are slow. */
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

/** How names and values are written in a text. */
export interface Writing {
  name(name: string): string
  value(value: AttributeValue): string
}

/** For people: names and values as they are, as in `pk = "USER#alice" AND begins_with(sk,
 * "POST#")`. */
export const READABLE: Writing = { name: (name) => name, value: readableValue }

export function readableValue(value: AttributeValue): string {
  if (value.N !== undefined) return value.N
  const text = JSON.stringify(value.S ?? value.BOOL ?? (value.NULL ? null : value))
  // The end of ranges is a character that can't be seen.
  return text.replaceAll('\u{10FFFF}', '\\u{10ffff}')
}

/**
 * The placeholders of one request, given out while its expressions are printed. A name has one
 * placeholder, however often it is used; so no name needs to be checked against the reserved words.
 */
export class PrintedPlaceholders implements Writing {
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

  /** ExpressionAttributeNames; `undefined` if there are none, because the service refuses an empty
   * map. */
  names(): Record<string, string> | undefined {
    return this.#placeholders.size === 0 ? undefined : this.#names
  }

  /** ExpressionAttributeValues; `undefined` if there are none. */
  values(): Record<string, AttributeValue> | undefined {
    return this.#valueCount === 0 ? undefined : this.#values
  }
}

/**
 * The text of a condition, with parentheses around what is combined inside of another combination:
 * DynamoDB refuses doubled ones.
 *
 * @example
 * const placeholders = new PrintedPlaceholders()
 * printCondition({ kind: 'exists', path: ['name'], negated: true }, placeholders) // => 'attribute_not_exists(#n0)'
 */
export function printCondition(condition: Condition, writing: Writing): string {
  switch (condition.kind) {
    case 'or':
    case 'and': {
      const { kind } = condition
      const left = printInside(condition.left, kind, writing)
      // Both operators group to the left, so an equal one on the right is kept apart.
      const right = printInside(condition.right, undefined, writing)
      return `${left} ${kind === 'or' ? 'OR' : 'AND'} ${right}`
    }
    case 'not':
      return `NOT ${printInside(condition.condition, undefined, writing)}`
    case 'compare': {
      const left = printOperand(condition.left, writing)
      return `${left} ${condition.operator} ${printOperand(condition.right, writing)}`
    }
    case 'between': {
      const operand = printOperand(condition.operand, writing)
      const low = printOperand(condition.low, writing)
      return `${operand} BETWEEN ${low} AND ${printOperand(condition.high, writing)}`
    }
    case 'in': {
      const operand = printOperand(condition.operand, writing)
      const list = condition.list.map((other) => printOperand(other, writing))
      return `${operand} IN (${list.join(', ')})`
    }
    case 'exists': {
      const name = condition.negated ? 'attribute_not_exists' : 'attribute_exists'
      return `${name}(${printPath(condition.path, writing)})`
    }
    case 'attribute_type':
      return printCall('attribute_type', condition.operand, condition.type, writing)
    case 'begins_with':
      return printCall('begins_with', condition.operand, condition.prefix, writing)
    case 'contains':
      return printCall('contains', condition.operand, condition.search, writing)
  }
}

/** The text of an update. An update that changes nothing has no text: DynamoDB wants the parameter
 * left out then. */
export function printUpdate(update: Update, writing: Writing): string {
  let text = ''
  // The section that the text ends with.
  let last = ''
  const add = (section: string, action: string): void => {
    if (section === last) text += `, ${action}`
    else text += `${text && ' '}${section} ${action}`
    last = section
  }
  for (const { path, value } of update.set) {
    const target = printPath(path, writing)
    add('SET', `${target} = ${printUpdateValue(value, writing)}`)
  }
  for (const path of update.remove) add('REMOVE', printPath(path, writing))
  for (const section of ['ADD', 'DELETE'] as const) {
    for (const { path, value } of section === 'ADD' ? update.add : update.delete) {
      add(section, `${printPath(path, writing)} ${writing.value(value)}`)
    }
  }
  return text
}

export function printProjection(projection: Projection, writing: Writing): string {
  return printPaths(projection, writing).join(', ')
}

export function printPath(path: Path, writing: Writing): string {
  if (path.length === 1) return writing.name(path[0])
  let text = ''
  for (const component of path) {
    if (typeof component === 'number') text += `[${component}]`
    else text += `${text === '' ? '' : '.'}${writing.name(component)}`
  }
  return text
}

/** In parentheses, unless it is not a combination, or one that continues that around it. AND inside
 * of OR needs none, and is easier to read with them. */
function printInside(
  condition: Condition,
  around: 'and' | 'or' | undefined,
  writing: Writing,
): string {
  const { kind } = condition
  const text = printCondition(condition, writing)
  return (kind === 'or' || kind === 'and') && kind !== around ? `(${text})` : text
}

function printPaths(paths: readonly Path[], writing: Writing): string[] {
  return paths.map((path) => printPath(path, writing))
}

function printCall(name: string, first: Operand, second: Operand, writing: Writing): string {
  const left = printOperand(first, writing)
  return `${name}(${left}, ${printOperand(second, writing)})`
}

function printOperand(operand: Operand, writing: Writing): string {
  switch (operand.kind) {
    case 'path':
      return printPath(operand.path, writing)
    case 'value':
      return writing.value(operand.value)
    case 'size':
      return `size(${printOperand(operand.operand, writing)})`
  }
}

function printUpdateValue(value: UpdateValue, writing: Writing): string {
  switch (value.kind) {
    case 'path':
      return printPath(value.path, writing)
    case 'value':
      return writing.value(value.value)
    case 'if_not_exists': {
      const path = printPath(value.path, writing)
      return `if_not_exists(${path}, ${printUpdateValue(value.otherwise, writing)})`
    }
    case 'list_append': {
      const left = printUpdateValue(value.left, writing)
      return `list_append(${left}, ${printUpdateValue(value.right, writing)})`
    }
    case 'arithmetic': {
      const left = printUpdateValue(value.left, writing)
      return `${left} ${value.operator} ${printUpdateValue(value.right, writing)}`
    }
  }
}
