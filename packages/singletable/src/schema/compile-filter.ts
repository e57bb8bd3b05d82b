import type { InputIssue } from '../errors/input-error.ts'
import type { FilterOperand, FilterTest, Model } from './model.ts'
import { FILTER_OPERATORS, type FilterOperator } from './pattern-definition.ts'
import type { PatternProblems } from './pattern-problems.ts'

/**
 * Reads the filter of a pattern: `{ likes: { gte: '$minLikes' }, status: 'open' }`. A value alone
 * means equality; a text that begins with `$` names a member of the input, which need not be given
 * if it ends with `?`; `$$` stands for the sign itself.
 */
export function compileFilter(
  filter: object,
  { attributes }: Model,
  { refuse, requireName }: PatternProblems,
): readonly FilterTest[] {
  return Object.entries(filter).flatMap(([attribute, condition]) => {
    requireName('attribute', attribute, attributes.keys())
    // It was just found.
    const { codec } = attributes.get(attribute)!
    if (codec.unstored) {
      refuse(
        `its where asks for "${attribute}", which is computed and not stored`,
        'ask for it in by, with an index whose key has it; or leave out stored: false',
      )
    }
    const comparisons = isPlain(condition)
      ? Object.entries(condition)
      : [['eq', condition] as const]
    const invalid = (name: string, fix: string): never =>
      refuse(`its where gives ${name} of "${attribute}" a value that it can't use`, fix)
    if (comparisons.length === 0) {
      refuse(`its where has no operator for "${attribute}"`, `use ${FILTER_OPERATORS.join(', ')}`)
    }
    return comparisons.map(([name, given]): FilterTest => {
      requireName('operator', name, FILTER_OPERATORS)
      // One of the list just asked.
      const operator = name as FilterOperator
      const isList = operator === 'between' || (operator === 'in' && Array.isArray(given))
      if (
        isList &&
        !(Array.isArray(given) && (operator === 'in' ? given.length > 0 : given.length === 2))
      ) {
        invalid(name, 'give a list: two values for between, one or more for in')
      }
      const operands = (isList ? given : [given]).map(operandOf)
      if (operator === 'in' && !isList && operands[0]?.input === undefined) {
        invalid(name, 'give a list, or the name of a member of the input after $')
      }
      for (const operand of operands) {
        if (operator === 'exists') {
          if (typeof operand.value !== 'boolean') invalid(name, 'give true or false')
        } else if (operand.input === undefined && operator !== 'contains') {
          const issues: InputIssue[] = []
          codec.encode(operand.value, issues)
          if (issues[0]) invalid(name, `correct the value: it ${issues[0].message}`)
        }
      }
      return { attribute, operator, operands, whole: operator === 'in' && !isList }
    })
  })
}

/**
 * Adds what conditions take from the input to its members: needed, unless it is optional
 * everywhere.
 */
export function addMembers(input: Map<string, boolean>, filter: readonly FilterTest[]): void {
  for (const { operands } of filter) {
    for (const { input: name, optional } of operands) {
      if (name !== undefined) input.set(name, input.get(name) === true || !optional)
    }
  }
}

function operandOf(value: unknown): FilterOperand {
  if (typeof value !== 'string' || !value.startsWith('$')) return { value }
  if (value.startsWith('$$')) return { value: value.slice(1) }
  const optional = value.endsWith('?')
  return { input: value.slice(1, optional ? -1 : undefined), optional, value: undefined }
}

/** An object that is written out, as opposed to a date, a set or bytes. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
