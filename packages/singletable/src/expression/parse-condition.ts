import { ExpressionError } from './expression-error.ts'
import { CONDITION_FUNCTIONS, isKnownFunction, OPERAND_FUNCTIONS } from './functions.ts'
import type { CallSyntax, ConditionNode, ConditionSyntax, OperandSyntax } from './syntax.ts'
import { TokenCursor } from './token-cursor.ts'
import type { Comparator } from './tree.ts'

/**
 * Reads a ConditionExpression, FilterExpression or KeyConditionExpression.
 *
 * @throws ExpressionError for everything that is wrong in the text itself
 */
export function parseCondition(text: string): ConditionSyntax {
  return new ConditionParser(text).parse()
}

/** What waits for the unit that is being read. */
type Frame =
  | { readonly kind: 'group'; readonly operandOnly: boolean }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly at: number
      readonly arguments: OperandSyntax[]
      /** True where a condition could stand as well as an operand. */
      readonly undecided: boolean
    }
  | { readonly kind: 'not' }
  | { readonly kind: 'and' | 'or'; readonly left: ConditionNode }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: OperandSyntax }
  | { readonly kind: 'between'; readonly operand: OperandSyntax; low: OperandSyntax | undefined }
  | { readonly kind: 'in'; readonly operand: OperandSyntax; readonly list: OperandSyntax[] }

/** A path or value is an operand, a call may be an operand or a condition, the rest are conditions. */
type Unit = OperandSyntax | ConditionNode

/**
 * Keeps its own stack: 4096 bytes can open more parentheses than JavaScript's stack has room for.
 *
 * DynamoDB's parser looks ahead until it knows whether a parenthesis or a call is an operand or a condition, and only then
 * complains about doubled parentheses. A syntax error in the part that it had to look through comes first. Hence the two
 * counts of what is undecided.
 */
class ConditionParser {
  readonly #cursor: TokenCursor
  readonly #stack: Frame[] = []
  #undecidedGroups = 0
  #undecidedCall = false
  #redundant = false
  /** Whether the unit just read came in parentheses. */
  #grouped = false
  #operators = 0

  constructor(text: string) {
    this.#cursor = new TokenCursor(text, { tellsSize: true })
  }

  parse(): ConditionSyntax {
    for (;;) {
      const root = this.#finish(this.#begin())
      if (root === undefined) continue
      this.#cursor.throwNoted()
      return { root, operators: this.#operators }
    }
  }

  /** Reads up to and with the next path or value. */
  #begin(): Unit {
    const cursor = this.#cursor
    for (;;) {
      switch (cursor.kind) {
        case '(': {
          const operandOnly = this.#expectsOperand()
          this.#stack.push({ kind: 'group', operandOnly })
          if (!operandOnly) this.#undecidedGroups++
          cursor.skip()
          break
        }
        case 'NOT':
          if (this.#expectsOperand()) cursor.fail()
          this.#decide()
          this.#push({ kind: 'not' })
          break
        case 'name':
          if (cursor.kindAfter === '(') {
            this.#beginCall()
            break
          }
          this.#grouped = false
          return cursor.takePath()
        case '#':
          this.#grouped = false
          return cursor.takePath()
        case ':':
          this.#grouped = false
          return { kind: 'value', placeholder: cursor.take() }
        default:
          cursor.fail()
      }
    }
  }

  #beginCall(): void {
    const undecided = !this.#expectsOperand()
    if (undecided) this.#undecidedCall = true
    const at = this.#cursor.at
    const name = this.#cursor.take()
    this.#push({ kind: 'call', name, at, arguments: [], undecided })
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
      if (this.#redundant && this.#undecidedGroups === 0) throw redundantParentheses()
      if (this.#top()?.kind === 'not') {
        this.#stack.pop()
        unit = { kind: 'not', condition: this.#asCondition(unit) }
        this.#grouped = false
        continue
      }
      switch (this.#cursor.kind) {
        case 'AND':
          this.#decide()
          this.#push({ kind: 'and', left: this.#join('and', this.#asCondition(unit)) })
          return undefined
        case 'OR':
          this.#decide()
          this.#push({ kind: 'or', left: this.#joinAll(this.#asCondition(unit)) })
          return undefined
        case ')':
          unit = this.#closeConditionGroup(unit)
          continue
        case 'end': {
          const root = this.#joinAll(this.#asCondition(unit))
          if (this.#stack.length > 0) this.#cursor.fail()
          return root
        }
        default:
          this.#cursor.fail()
      }
    }
  }

  /** Where only an operand can stand. `undefined`: a condition could stand here. */
  #joinOperand(unit: Unit): Unit | 'more' | undefined {
    const cursor = this.#cursor
    const top = this.#top()
    switch (top?.kind) {
      case 'group':
        if (!top.operandOnly) return undefined
        cursor.expect(')')
        this.#stack.pop()
        if (this.#grouped) this.#foundRedundant()
        this.#grouped = true
        return unit
      case 'call':
        top.arguments.push(this.#asOperand(unit))
        if (this.#continuesList()) return 'more'
        this.#stack.pop()
        if (top.undecided) this.#undecidedCall = false
        return { kind: 'call', name: top.name, at: top.at, arguments: top.arguments }
      case 'in':
        top.list.push(this.#asOperand(unit))
        if (this.#continuesList()) return 'more'
        this.#stack.pop()
        return { kind: 'in', operand: top.operand, list: top.list }
      case 'compare':
        this.#stack.pop()
        this.#grouped = false
        return {
          kind: 'compare',
          operator: top.operator,
          left: top.left,
          right: this.#asOperand(unit),
        }
      case 'between': {
        if (top.low === undefined) {
          top.low = this.#asOperand(unit)
          cursor.expect('AND')
          return 'more'
        }
        this.#stack.pop()
        this.#grouped = false
        return { kind: 'between', operand: top.operand, low: top.low, high: this.#asOperand(unit) }
      }
      default:
        return undefined
    }
  }

  /** A comma: more comes. A closing parenthesis: the list is complete. */
  #continuesList(): boolean {
    const cursor = this.#cursor
    if (cursor.kind === ',') {
      cursor.skip()
      return true
    }
    cursor.expect(')')
    this.#grouped = false
    return false
  }

  #beginComparison(left: OperandSyntax): boolean {
    const cursor = this.#cursor
    const operator = cursor.kind
    if (isComparator(operator)) {
      this.#decide()
      this.#push({ kind: 'compare', operator, left: this.#asOperand(left) })
      return true
    }
    if (operator === 'BETWEEN') {
      this.#decide()
      this.#push({ kind: 'between', operand: this.#asOperand(left), low: undefined })
      return true
    }
    if (operator === 'IN') {
      this.#decide()
      this.#push({ kind: 'in', operand: this.#asOperand(left), list: [] })
      cursor.expect('(')
      return true
    }
    return false
  }

  /** A lone operand is no condition, but a parenthesis may close around it, if a comparison follows at last. */
  #closeOperandGroup(): void {
    if (this.#top()?.kind !== 'group') this.#cursor.fail()
    this.#cursor.expect(')')
    this.#stack.pop()
    this.#undecidedGroups--
    if (this.#grouped) this.#redundant = true
    this.#grouped = true
  }

  #closeConditionGroup(unit: CallSyntax | ConditionNode): Unit {
    const undecided = this.#undecidedGroups > 0
    const inner = undecided ? unit : this.#joinAll(this.#asCondition(unit))
    if (this.#top()?.kind !== 'group') this.#cursor.fail()
    this.#cursor.skip()
    this.#stack.pop()
    const doubled = this.#grouped && inner === unit
    if (undecided) {
      // Only a call can be undecided still: everything else has shown itself to be a condition.
      this.#undecidedGroups--
      if (doubled) this.#redundant = true
    } else if (doubled) {
      throw redundantParentheses()
    }
    this.#grouped = true
    return inner
  }

  /** From here on it is clear that all open parentheses hold conditions, and that what was read last is an operand or not. */
  #decide(): void {
    if (this.#redundant) throw redundantParentheses()
    this.#undecidedGroups = 0
  }

  #foundRedundant(): void {
    if (this.#undecidedGroups === 0 && !this.#undecidedCall) throw redundantParentheses()
    this.#redundant = true
  }

  #joinAll(condition: ConditionNode): ConditionNode {
    return this.#join('or', this.#join('and', condition))
  }

  /** Both operators group to the left, so at most one of each waits. */
  #join(kind: 'and' | 'or', right: ConditionNode): ConditionNode {
    const top = this.#top()
    if (top === undefined || top.kind !== kind) return right
    this.#stack.pop()
    return { kind, left: top.left, right }
  }

  /** Counts an operator, which a call is not, and goes past the token that ends it: of a call that is the parenthesis. */
  #push(frame: Frame): void {
    if (frame.kind !== 'call') this.#operators++
    this.#stack.push(frame)
    this.#cursor.skip()
  }

  #top(): Frame | undefined {
    return this.#stack[this.#stack.length - 1]
  }

  #expectsOperand(): boolean {
    const top = this.#top()
    switch (top?.kind) {
      case 'group':
        return top.operandOnly
      case 'call':
      case 'compare':
      case 'between':
      case 'in':
        return true
      default:
        return false
    }
  }

  #asOperand(unit: Unit): OperandSyntax {
    if (!isOperand(unit)) return this.#cursor.fail()
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
    this.#cursor.note(
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

function redundantParentheses(): ExpressionError {
  return new ExpressionError({ kind: 'redundant-parentheses' })
}
