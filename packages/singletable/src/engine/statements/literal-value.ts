import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { parseDecimal } from '../../values/decimal.ts'
import { NESTING_DEPTH_MAX } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import type { Expression, StructExpression } from '../partiql/statement.ts'
import { StatementError } from '../partiql/statement-error.ts'

/**
 * The attribute value that a literal stands for, or undefined if the expression isn't one. Lists,
 * structs and bags may hold only literals: DynamoDB takes a parameter for a whole value, never for
 * a part of one.
 */
export function literalValue(expression: Expression): AttributeValue | undefined {
  switch (expression.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'list':
    case 'bag':
    case 'struct':
      return nestedValue(expression, 'root', 1)
    default:
      return undefined
  }
}

/** The item of an INSERT: a struct whose members are literals or parameters. */
export function structItem(
  struct: StructExpression,
  memberValue: (expression: Expression) => AttributeValue,
): Item {
  const item: Record<string, AttributeValue> = {}
  for (const { key, value } of members(struct)) setOwn(item, key, memberValue(value))
  return item
}

function nestedValue(expression: Expression, place: string, depth: number): AttributeValue {
  if (depth > NESTING_DEPTH_MAX + 1) throw new StatementError({ kind: 'nesting' })
  switch (expression.kind) {
    case 'string':
      return { S: expression.value }
    case 'number':
      return { N: numberText(expression.text) }
    case 'boolean':
      return { BOOL: expression.value }
    case 'null':
      return { NULL: true }
    case 'list':
      return {
        L: expression.elements.map((element, position) =>
          nestedValue(element, `${place}.${position}`, depth + 1),
        ),
      }
    case 'struct': {
      const item: Record<string, AttributeValue> = {}
      for (const { key, value } of members(expression)) {
        setOwn(item, key, nestedValue(value, `${place}.${key}`, depth + 1))
      }
      return { M: item }
    }
    case 'bag':
      return bagValue(expression)
    default:
      throw new StatementError({
        kind: 'data-type',
        type: typeName(expression),
        key: place,
        at: expression.at,
      })
  }
}

function bagValue({ elements, at }: Extract<Expression, { kind: 'bag' }>): AttributeValue {
  const [first] = elements
  if (first === undefined) throw new StatementError({ kind: 'bag-empty', at })
  const contents = new Set<string>()
  for (const element of elements) {
    if (element.kind !== first.kind || (element.kind !== 'string' && element.kind !== 'number')) {
      throw new StatementError({ kind: 'bag-element', at: element.at })
    }
    contents.add(element.kind === 'string' ? element.value : numberText(element.text))
  }
  if (contents.size < elements.length) throw new StatementError({ kind: 'bag-duplicates' })
  return first.kind === 'string' ? { SS: [...contents] } : { NS: [...contents] }
}

function members(struct: StructExpression): { key: string; value: Expression }[] {
  const seen = new Set<string>()
  return struct.members.map(({ key, value }) => {
    if (key.kind !== 'string') {
      throw new StatementError({ kind: 'tuple-key-type', type: typeName(key), at: key.at })
    }
    if (key.value === '') throw new StatementError({ kind: 'path-component-empty' })
    if (seen.has(key.value)) {
      throw new StatementError({ kind: 'tuple-key-duplicate', key: key.value, at: key.at })
    }
    seen.add(key.value)
    return { key: key.value, value }
  })
}

function numberText(text: string): string {
  const { text: canonical, problem } = parseDecimal(text)
  if (problem === undefined) return canonical
  if (problem === 'overflow') throw new StatementError({ kind: 'number-overflow' })
  if (problem === 'underflow') throw new StatementError({ kind: 'number-underflow' })
  throw new StatementError({ kind: 'number-precision' })
}

/** What AWS calls this kind of expression. */
export function typeName(expression: Expression): string {
  switch (expression.kind) {
    case 'path':
      return expression.path.length === 1 ? 'VariableReference' : 'Path'
    case 'parameter':
      return 'Parameter'
    case 'missing':
      return 'LiteralMissing'
    case 'call':
      return 'Call'
    case 'list':
      return 'List'
    case 'bag':
      return 'Bag'
    case 'struct':
      return 'Struct'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return 'Literal'
    default:
      return 'NAry'
  }
}
