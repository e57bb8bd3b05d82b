import { ExpressionError } from './expression-error.ts'
import type { CallSyntax, OperandSyntax } from './syntax.ts'
import { TokenCursor } from './token-cursor.ts'

interface GroupFrame {
  readonly kind: 'group'
  readonly operandOnly: boolean
}
export interface CallFrame {
  readonly kind: 'call'
  readonly name: string
  readonly at: number
  readonly arguments: OperandSyntax[]
  /** True where something other than an operand is allowed too. */
  readonly undecided: boolean
}

/** Frames behind which a whole condition is expected. */
const BEFORE_CONDITIONS: ReadonlySet<string> = new Set(['not', 'and', 'or'])

/**
 * What the parsers of conditions and updates have in common: paths, values, calls and parentheses.
 * `TFrame` is what waits, besides parentheses and calls, for the unit that is being read.
 *
 * It keeps its own stack: 4096 bytes can open more parentheses than JavaScript's stack has room
 * for.
 *
 * DynamoDB's parser looks ahead until it knows whether a parenthesis or a call is an operand or
 * more than that, and only then reports doubled parentheses. A syntax error in the part that it had
 * to look through comes first. Hence the two counts of what is undecided.
 */
export abstract class OperandParser<TFrame extends { readonly kind: string }> {
  protected readonly cursor: TokenCursor
  protected readonly stack: (TFrame | GroupFrame | CallFrame)[] = []
  protected undecidedGroups = 0
  protected redundant = false
  /** Whether the unit just read came in parentheses. */
  protected grouped = false
  protected operators = 0
  #undecidedCall = false

  constructor(text: string, options: { readonly reportsSize: boolean }) {
    this.cursor = new TokenCursor(text, options)
  }

  protected get top(): TFrame | GroupFrame | CallFrame | undefined {
    return this.stack[this.stack.length - 1]
  }

  /** Reads up to and with the next path or value. */
  protected begin(): OperandSyntax {
    const { cursor } = this
    for (;;) {
      switch (cursor.kind) {
        case '(': {
          const operandOnly = this.expectsOperand()
          this.stack.push({ kind: 'group', operandOnly })
          if (!operandOnly) this.undecidedGroups++
          cursor.skip()
          break
        }
        case 'name':
          if (cursor.kindAfter === '(') {
            this.#beginCall()
            break
          }
          this.grouped = false
          return cursor.takePath()
        case '#':
          this.grouped = false
          return cursor.takePath()
        case ':':
          this.grouped = false
          return { kind: 'value', placeholder: cursor.take() }
        default:
          this.beginOther()
      }
    }
  }

  /** Takes what else can be before an operand. */
  protected beginOther(): void {
    this.cursor.fail()
  }

  #beginCall(): void {
    const undecided = !this.expectsOperand()
    if (undecided) this.#undecidedCall = true
    const { at } = this.cursor
    const name = this.cursor.take()
    this.stack.push({ kind: 'call', name, at, arguments: [], undecided })
    this.cursor.skip()
  }

  /** Adds an argument to the call that waits for it. Undefined: more must be read first. */
  protected addArgument(call: CallFrame, argument: OperandSyntax): CallSyntax | undefined {
    call.arguments.push(argument)
    if (this.continuesList()) return undefined
    this.stack.pop()
    if (call.undecided) this.#undecidedCall = false
    return { kind: 'call', name: call.name, at: call.at, arguments: call.arguments }
  }

  /** A comma: more comes. A closing parenthesis: the list is complete. */
  protected continuesList(): boolean {
    if (this.cursor.kind === ',') {
      this.cursor.skip()
      return true
    }
    this.cursor.expect(')')
    this.grouped = false
    return false
  }

  protected closeGroup(): void {
    this.cursor.expect(')')
    this.stack.pop()
    if (this.grouped) {
      if (this.undecidedGroups === 0 && !this.#undecidedCall) throw redundantParentheses()
      this.redundant = true
    }
    this.grouped = true
  }

  /** An operator and its left operand wait for what follows. */
  protected pushOperator(frame: TFrame): void {
    this.operators++
    this.stack.push(frame)
    this.cursor.skip()
  }

  /** From here on it is clear that no open parenthesis holds only an operand, and that what was
   * read last is an operand or not. */
  protected decide(): void {
    if (this.redundant) throw redundantParentheses()
    this.undecidedGroups = 0
  }

  protected expectsOperand(): boolean {
    const { top } = this
    if (top === undefined) return false
    return isGroup(top) ? top.operandOnly : !BEFORE_CONDITIONS.has(top.kind)
  }
}

function isGroup(frame: { readonly kind: string }): frame is GroupFrame {
  return frame.kind === 'group'
}

export function redundantParentheses(): ExpressionError {
  return new ExpressionError({ kind: 'redundant-parentheses' })
}
