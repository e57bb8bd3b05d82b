import { utf8Length } from '../values/utf8.ts'
import { ExpressionError, type ExpressionProblem } from './expression-error.ts'
import { type Token, tokenize } from './lexer.ts'
import { EXPRESSION_SIZE_MAX_BYTES, LIST_INDEX_MAX } from './limits.ts'
import { RESERVED_WORDS } from './reserved-words.ts'
import type { PathSyntax } from './syntax.ts'
import type { Path } from './tree.ts'

/**
 * Reads the tokens of one expression. Syntax errors are thrown at once; problems that DynamoDB
 * reports only for a text without syntax errors are noted, and the first of them in the text is
 * thrown at the end.
 */
export class TokenCursor {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #index = 0
  #problem: ExpressionProblem | undefined
  #problemAt = Number.POSITIVE_INFINITY

  constructor(text: string, options: { readonly reportsSize: boolean }) {
    if (text === '') throw new ExpressionError({ kind: 'empty' })
    const size = utf8Length(text)
    if (size > EXPRESSION_SIZE_MAX_BYTES) {
      throw new ExpressionError(
        options.reportsSize ? { kind: 'too-large', size } : { kind: 'too-large' },
      )
    }
    this.#text = text
    this.#tokens = tokenize(text)
  }

  /** The kind of the token that comes next. */
  get kind(): string {
    return this.#token(this.#index).kind
  }

  get kindAfter(): string {
    return this.#index + 1 < this.#tokens.length ? this.#token(this.#index + 1).kind : 'end'
  }

  /** The number of the token that comes next. */
  get at(): number {
    return this.#index
  }

  skip(): void {
    this.#index++
  }

  expect(kind: string): void {
    if (this.kind !== kind) this.fail()
    this.#index++
  }

  take(): string {
    const token = this.#token(this.#index++)
    return this.#text.slice(token.start, token.end)
  }

  /** A name or `#name`, followed by any number of `.name`, `.#name` and `[number]`. */
  takePath(): PathSyntax {
    const first = this.#takeName()
    let fixed = !first.startsWith('#')
    const components: [string, ...(string | number)[]] = [first]
    for (;;) {
      if (this.kind === '.') {
        this.#index++
        const name = this.#takeName()
        if (name.startsWith('#')) fixed = false
        components.push(name)
      } else if (this.kind === '[') {
        this.#index++
        components.push(this.#takeListIndex())
        this.expect(']')
      } else {
        const path: Path = components
        return { kind: 'path', components, bound: fixed ? { kind: 'path', path } : undefined }
      }
    }
  }

  /** The next token is not allowed here. */
  fail(): never {
    const tokens = this.#tokens
    const text = this.#text
    const token = this.#token(this.#index)
    const start = this.#index > 0 ? this.#token(this.#index - 1).start : 0
    if (token.kind === 'end') {
      throw new ExpressionError({ kind: 'syntax', token: '<EOF>', near: text.slice(start) })
    }
    const next = this.#token(Math.min(this.#index + 1, tokens.length - 1))
    const end = next.kind === 'end' ? text.length : next.end
    throw new ExpressionError({
      kind: 'syntax',
      token: text.slice(token.start, token.end),
      near: text.slice(start, end),
    })
  }

  /** Keeps the problem if it is before all others in the text; `at` is the number of its token. */
  note(problem: ExpressionProblem, at: number): void {
    if (at >= this.#problemAt) return
    this.#problem = problem
    this.#problemAt = at
  }

  throwNoted(): void {
    if (this.#problem !== undefined) throw new ExpressionError(this.#problem)
  }

  #takeName(): string {
    const kind = this.kind
    if (kind !== 'name' && kind !== '#') this.fail()
    const at = this.#index
    const name = this.take()
    if (kind === 'name' && RESERVED_WORDS.has(name.toUpperCase())) {
      this.note({ kind: 'reserved-word', word: name }, at)
    }
    return name
  }

  #takeListIndex(): number {
    if (this.kind !== 'number') this.fail()
    const at = this.#index
    const index = this.take()
    const value = Number(index)
    if (value > LIST_INDEX_MAX) this.note({ kind: 'list-index', index }, at)
    return value
  }

  #token(index: number): Token {
    const token = this.#tokens[index]
    if (token === undefined) throw new RangeError('read past the end of an expression')
    return token
  }
}
