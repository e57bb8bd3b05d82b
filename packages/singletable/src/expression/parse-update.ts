import type { UpdateSection } from './expression-error.ts'
import { isKnownFunction, UPDATE_FUNCTIONS } from './functions.ts'
import { OperandParser, redundantParentheses } from './operand-parser.ts'
import type {
  CallSyntax,
  OperandSyntax,
  PathSyntax,
  UpdateAction,
  UpdateSyntax,
  UpdateValueSyntax,
} from './syntax.ts'

/**
 * Reads an UpdateExpression.
 *
 * @throws ExpressionError for everything that is wrong in the text itself
 */
export function parseUpdate(text: string): UpdateSyntax {
  return new UpdateParser(text, { reportsSize: false }).parse()
}

/** What waits for the value that is being read. */
interface Frame {
  readonly kind: 'arithmetic'
  readonly operator: '+' | '-'
  readonly left: OperandSyntax
}

class UpdateParser extends OperandParser<Frame> {
  parse(): UpdateSyntax {
    const { cursor } = this
    const actions: UpdateAction[] = []
    const sections = new Set<UpdateSection>()
    do {
      const section = cursor.kind
      if (!isSection(section)) return cursor.fail()
      do {
        cursor.skip()
        actions.push(this.#takeAction(section))
      } while (cursor.kind === ',')
      if (sections.has(section)) cursor.note({ kind: 'section-repeated', section }, cursor.at)
      sections.add(section)
    } while (cursor.kind !== 'end')
    cursor.throwNoted()
    return { actions, operators: this.operators }
  }

  #takeAction(section: UpdateSection): UpdateAction {
    const { cursor } = this
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
      const value = this.#finish(this.begin())
      if (value !== undefined) return value
    }
  }

  /** Joins the operand with what waits for it. Undefined: more must be read first. */
  #finish(first: OperandSyntax): UpdateValueSyntax | undefined {
    let unit: UpdateValueSyntax = first
    for (;;) {
      const { top } = this
      if (top?.kind === 'arithmetic') {
        this.stack.pop()
        this.grouped = false
        unit = { ...top, right: this.#asOperand(unit) }
      } else if (top?.kind === 'call') {
        const call = this.addArgument(top, this.#asOperand(unit))
        if (call === undefined) return undefined
        this.#noteFunction(call)
        unit = call
      } else if (top?.operandOnly === true) {
        this.closeGroup()
      } else {
        const operator = this.cursor.kind
        if ((operator === '+' || operator === '-') && unit.kind !== 'arithmetic') {
          this.decide()
          this.pushOperator({ kind: 'arithmetic', operator, left: this.#asOperand(unit) })
          return undefined
        }
        if (this.redundant && this.undecidedGroups === 0) throw redundantParentheses()
        if (top === undefined) return unit
        this.closeGroup()
        if (this.undecidedGroups > 0) this.undecidedGroups--
      }
    }
  }

  /** A list can't be added to or be an argument, so `list_append` can only be a whole value. */
  #asOperand(unit: UpdateValueSyntax): OperandSyntax {
    if (unit.kind === 'arithmetic') return this.cursor.fail()
    if (unit.kind === 'call' && unit.name === 'list_append') {
      this.cursor.note({ kind: 'misused-function', name: unit.name }, unit.at)
    }
    return unit
  }

  #noteFunction({ name, at }: CallSyntax): void {
    if (UPDATE_FUNCTIONS.has(name)) return
    this.cursor.note(
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
