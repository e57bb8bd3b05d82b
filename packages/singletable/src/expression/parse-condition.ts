import { CONDITION_FUNCTIONS, isKnownFunction, OPERAND_FUNCTIONS } from './functions.ts'
import { OperandParser, redundantParentheses } from './operand-parser.ts'
import type { CallSyntax, ConditionNode, ConditionSyntax, OperandSyntax } from './syntax.ts'
import type { Comparator } from './tree.ts'

/**
 * Reads a ConditionExpression, FilterExpression or KeyConditionExpression.
 *
 * @throws ExpressionError for everything that is wrong in the text itself
 */
export function parseCondition(text: string): ConditionSyntax {
  return new ConditionParser(text, { reportsSize: true }).parse()
}

/** What waits for the unit that is being read. */
type Frame =
  | { readonly kind: 'not' }
  | { readonly kind: 'and' | 'or'; readonly left: ConditionNode }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: OperandSyntax }
  | { readonly kind: 'between'; readonly operand: OperandSyntax; low: OperandSyntax | undefined }
  | { readonly kind: 'in'; readonly operand: OperandSyntax; readonly list: OperandSyntax[] }

/** A path or value is an operand, a call may be an operand or a condition, the rest are
 * conditions. */
type Unit = OperandSyntax | ConditionNode

class ConditionParser extends OperandParser<Frame> {
  parse(): ConditionSyntax {
    for (;;) {
      const root = this.#finish(this.begin())
      if (root === undefined) continue
      this.cursor.throwNoted()
      return { root, operators: this.operators }
    }
  }

  protected override beginOther(): void {
    if (this.cursor.kind !== 'NOT' || this.expectsOperand()) this.cursor.fail()
    this.decide()
    this.pushOperator({ kind: 'not' })
  }

  /** Joins the unit with what waits for it. Undefined: more must be read first. */
  #finish(first: Unit): ConditionNode | undefined {
    let unit = first
    for (;;) {
      const joined = this.#joinOperand(unit)
      if (joined === 'more') return undefined
      if (joined !== undefined) {
        unit = joined
        continue
      }
      if (isOperand(unit) && this.#beginComparison(unit)) return undefined
      if (unit.kind === 'path' || unit.kind === 'value') {
        this.#closeOperandGroup()
        continue
      }
      if (this.redundant && this.undecidedGroups === 0) throw redundantParentheses()
      if (this.top?.kind === 'not') {
        this.stack.pop()
        unit = { kind: 'not', condition: this.#asCondition(unit) }
        this.grouped = false
        continue
      }
      switch (this.cursor.kind) {
        case 'AND':
          this.decide()
          this.pushOperator({ kind: 'and', left: this.#join('and', this.#asCondition(unit)) })
          return undefined
        case 'OR':
          this.decide()
          this.pushOperator({ kind: 'or', left: this.#joinAll(this.#asCondition(unit)) })
          return undefined
        case ')':
          unit = this.#closeConditionGroup(unit)
          continue
        case 'end': {
          const root = this.#joinAll(this.#asCondition(unit))
          if (this.stack.length > 0) this.cursor.fail()
          return root
        }
        default:
          this.cursor.fail()
      }
    }
  }

  /** Where only an operand is allowed. `undefined`: a condition is allowed here. */
  #joinOperand(unit: Unit): Unit | 'more' | undefined {
    const { top } = this
    switch (top?.kind) {
      case 'group':
        if (!top.operandOnly) return undefined
        this.closeGroup()
        return unit
      case 'call':
        return this.addArgument(top, this.#asOperand(unit)) ?? 'more'
      case 'in':
        top.list.push(this.#asOperand(unit))
        if (this.continuesList()) return 'more'
        this.stack.pop()
        return { kind: 'in', operand: top.operand, list: top.list }
      case 'compare':
        this.stack.pop()
        this.grouped = false
        return {
          kind: 'compare',
          operator: top.operator,
          left: top.left,
          right: this.#asOperand(unit),
        }
      case 'between': {
        if (top.low === undefined) {
          top.low = this.#asOperand(unit)
          this.cursor.expect('AND')
          return 'more'
        }
        this.stack.pop()
        this.grouped = false
        return { kind: 'between', operand: top.operand, low: top.low, high: this.#asOperand(unit) }
      }
      default:
        return undefined
    }
  }

  #beginComparison(left: OperandSyntax): boolean {
    const { cursor } = this
    const operator = cursor.kind
    if (isComparator(operator)) {
      this.decide()
      this.pushOperator({ kind: 'compare', operator, left: this.#asOperand(left) })
      return true
    }
    if (operator === 'BETWEEN') {
      this.decide()
      this.pushOperator({ kind: 'between', operand: this.#asOperand(left), low: undefined })
      return true
    }
    if (operator === 'IN') {
      this.decide()
      this.pushOperator({ kind: 'in', operand: this.#asOperand(left), list: [] })
      cursor.expect('(')
      return true
    }
    return false
  }

  /** A lone operand is not a condition, but a parenthesis may close around it, if a comparison
   * follows at last. */
  #closeOperandGroup(): void {
    if (this.top?.kind !== 'group') this.cursor.fail()
    this.cursor.expect(')')
    this.stack.pop()
    this.undecidedGroups--
    if (this.grouped) this.redundant = true
    this.grouped = true
  }

  #closeConditionGroup(unit: CallSyntax | ConditionNode): Unit {
    const undecided = this.undecidedGroups > 0
    const inner = undecided ? unit : this.#joinAll(this.#asCondition(unit))
    if (this.top?.kind !== 'group') this.cursor.fail()
    this.cursor.skip()
    this.stack.pop()
    const doubled = this.grouped && inner === unit
    if (undecided) {
      // Only a call can be undecided still: everything else has shown itself to be a condition.
      this.undecidedGroups--
      if (doubled) this.redundant = true
    } else if (doubled) {
      throw redundantParentheses()
    }
    this.grouped = true
    return inner
  }

  #joinAll(condition: ConditionNode): ConditionNode {
    return this.#join('or', this.#join('and', condition))
  }

  /** Both operators group to the left, so at most one of each waits. */
  #join(kind: 'and' | 'or', right: ConditionNode): ConditionNode {
    const top = this.top
    if (top === undefined || top.kind !== kind) return right
    this.stack.pop()
    return { kind, left: top.left, right }
  }

  #asOperand(unit: Unit): OperandSyntax {
    if (!isOperand(unit)) return this.cursor.fail()
    if (unit.kind === 'call' && !OPERAND_FUNCTIONS.has(unit.name)) this.#noteFunction(unit)
    return unit
  }

  #asCondition(unit: CallSyntax | ConditionNode): ConditionNode {
    if (unit.kind === 'call' && !CONDITION_FUNCTIONS.has(unit.name)) this.#noteFunction(unit)
    return unit
  }

  #noteFunction({ name, at }: CallSyntax): void {
    const kind = !isKnownFunction(name)
      ? 'unknown-function'
      : OPERAND_FUNCTIONS.has(name) || CONDITION_FUNCTIONS.has(name)
        ? 'misused-function'
        : 'foreign-function'
    this.cursor.note(
      kind === 'foreign-function' ? { kind, name, expression: 'condition' } : { kind, name },
      at,
    )
  }
}

function isOperand(unit: Unit): unit is OperandSyntax {
  return unit.kind === 'path' || unit.kind === 'value' || unit.kind === 'call'
}

function isComparator(kind: string): kind is Comparator {
  return (
    kind === '=' || kind === '<>' || kind === '<' || kind === '<=' || kind === '>' || kind === '>='
  )
}
