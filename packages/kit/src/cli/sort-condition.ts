import { UsageError } from './usage-error.ts'

/** A condition on a sort key as it is typed. */
export interface SortCondition {
  readonly values: readonly string[]
  /** With placeholders for the attribute and the values. */
  expression(name: string, values: readonly string[]): string
}

/**
 * Reads `POST#1` (equal), `POST#*` (begins with), `A..B` (between) and `>=A`; `=A*` is equal to
 * `A*`.
 *
 * @example
 * parseSortCondition('POST#*').values // => ['POST#']
 */
export function parseSortCondition(text: string): SortCondition {
  const [, operator, operand = ''] = /^(<=|>=|<|>|=)(.*)$/s.exec(text) ?? []
  if (operator !== undefined) {
    return {
      values: [required(operand)],
      expression: (name, [value]) => `${name} ${operator} ${value}`,
    }
  }
  const range = text.split('..')
  if (range.length === 2) {
    return {
      values: range.map(required),
      expression: (name, [from, to]) => `${name} BETWEEN ${from} AND ${to}`,
    }
  }
  if (text.endsWith('*')) {
    return {
      values: [required(text.slice(0, -1))],
      expression: (name, [value]) => `begins_with(${name}, ${value})`,
    }
  }
  return { values: [required(text)], expression: (name, [value]) => `${name} = ${value}` }
}

function required(text: string): string {
  if (text !== '') return text
  throw new UsageError('--sk has an empty value.', "write 'POST#1', 'POST#*', 'A..B' or '>=A'")
}
