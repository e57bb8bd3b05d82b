import { ExpressionError, type UpdateSection } from './expression-error.ts'
import { isKnownFunction, UPDATE_FUNCTIONS } from './functions.ts'
import type {
  CallSyntax,
  OperandSyntax,
  PathSyntax,
  UpdateAction,
  UpdateSyntax,
  UpdateValueSyntax,
} from './syntax.ts'
import { TokenCursor } from './token-cursor.ts'

/**
 * Reads an UpdateExpression.
 *
 * @throws ExpressionError for everything that is wrong in the text itself
 */
export function parseUpdate(text: string): UpdateSyntax {
  return new UpdateParser(text).parse()
}

/** What waits for the value that is being read. */
type Frame =
  | { readonly kind: 'group'; readonly operandOnly: boolean }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly at: number
      readonly arguments: OperandSyntax[]
      /** True where a sum could stand as well as an operand. */
      readonly undecided: boolean
    }
  | { readonly kind: 'arithmetic'; readonly operator: '+' | '-'; readonly left: OperandSyntax }

/** Keeps its own stack and defers the complaint about doubled parentheses, for the reasons given at the condition parser. */
class UpdateParser {
  readonly #cursor: TokenCursor
  readonly #actions: UpdateAction[] = []
  readonly #stack: Frame[] = []
  #undecidedGroups = 0
  #undecidedCall = false
  #redundant = false
  #grouped = false
  #operators = 0

  constructor(text: string) {
    this.#cursor = new TokenCursor(text, { tellsSize: false })
  }

  parse(): UpdateSyntax {
    const cursor = this.#cursor
    const sections = new Set<UpdateSection>()
    do {
      const section = cursor.kind
      if (!isSection(section)) return cursor.fail()
      do {
        cursor.skip()
        this.#actions.push(this.#takeAction(section))
      } while (cursor.kind === ',')
      if (sections.has(section)) cursor.note({ kind: 'section-repeated', section }, cursor.at)
      sections.add(section)
    } while (cursor.kind !== 'end')
    cursor.throwNoted()
    return { actions: this.#actions, operators: this.#operators }
  }

  #takeAction(section: UpdateSection): UpdateAction {
    const cursor = this.#cursor
    const path: PathSyntax = cursor.takePath()
    if (section === 'REMOVE') return { section, path }
    if (section === 'SET') {
      cursor.expect('=')
      return { section, path, value: this.#takeValue() }
    }
    if (cursor.kind !== ':') cursor.fail()
    return { section, path, value: { kind: 'value', placeholder: cursor.take() } }
  }

  #takeValue(): UpdateValueSyntax {
    for (;;) {
      const value = this.#finish(this.#begin())
      if (value !== undefined) return value
    }
  }

  /** Reads up to and with the next path or value. */
  #begin(): OperandSyntax {
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
    this.#noteFunction(name, at)
    this.#stack.push({ kind: 'call', name, at, arguments: [], undecided })
    this.#cursor.skip()
  }

  /** Joins the operand with what waits for it. Undefined: more must be read first. */
  #finish(first: OperandSyntax): UpdateValueSyntax | undefined {
    const cursor = this.#cursor
    let unit: UpdateValueSyntax = first
    for (;;) {
      const top = this.#stack[this.#stack.length - 1]
      if (top?.kind === 'arithmetic') {
        this.#stack.pop()
        this.#grouped = false
        unit = {
          kind: 'arithmetic',
          operator: top.operator,
          left: top.left,
          right: this.#asOperand(unit),
        }
      } else if (top?.kind === 'call') {
        top.arguments.push(this.#asOperand(unit))
        if (cursor.kind === ',') {
          cursor.skip()
          return undefined
        }
        cursor.expect(')')
        this.#stack.pop()
        if (top.undecided) this.#undecidedCall = false
        this.#grouped = false
        unit = { kind: 'call', name: top.name, at: top.at, arguments: top.arguments }
      } else if (top?.operandOnly === true) {
        this.#closeGroup()
      } else {
        const operator = cursor.kind
        if ((operator === '+' || operator === '-') && unit.kind !== 'arithmetic') {
          this.#decide()
          this.#operators++
          this.#stack.push({ kind: 'arithmetic', operator, left: this.#asOperand(unit) })
          cursor.skip()
          return undefined
        }
        if (this.#redundant && this.#undecidedGroups === 0) throw redundantParentheses()
        if (top === undefined) return unit
        this.#closeGroup()
      }
    }
  }

  #closeGroup(): void {
    this.#cursor.expect(')')
    const frame = this.#stack.pop()
    const undecided = frame?.kind === 'group' && !frame.operandOnly && this.#undecidedGroups > 0
    if (this.#grouped) {
      if (this.#undecidedGroups === 0 && !this.#undecidedCall) throw redundantParentheses()
      this.#redundant = true
    }
    if (undecided) this.#undecidedGroups--
    this.#grouped = true
  }

  #decide(): void {
    if (this.#redundant) throw redundantParentheses()
    this.#undecidedGroups = 0
  }

  #expectsOperand(): boolean {
    const top = this.#stack[this.#stack.length - 1]
    return top !== undefined && (top.kind !== 'group' || top.operandOnly)
  }

  /** A list can't be added to or be an argument, so `list_append` stands only as a whole value. */
  #asOperand(unit: UpdateValueSyntax): OperandSyntax {
    if (unit.kind === 'arithmetic') return this.#cursor.fail()
    if (unit.kind === 'call' && unit.name === 'list_append') this.#noteMisuse(unit)
    return unit
  }

  #noteMisuse({ name, at }: CallSyntax): void {
    this.#cursor.note({ kind: 'misused-function', name }, at)
  }

  #noteFunction(name: string, at: number): void {
    if (UPDATE_FUNCTIONS.has(name)) return
    this.#cursor.note(
      isKnownFunction(name)
        ? { kind: 'foreign-function', name, expression: 'update' }
        : { kind: 'unknown-function', name },
      at,
    )
  }
}

function isSection(kind: string): kind is UpdateSection {
  return kind === 'SET' || kind === 'REMOVE' || kind === 'ADD' || kind === 'DELETE'
}

function redundantParentheses(): ExpressionError {
  return new ExpressionError({ kind: 'redundant-parentheses' })
}
