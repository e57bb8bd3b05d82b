import { type Token, tokenise } from './lexer.ts'
import { RESERVED_WORDS } from './reserved-words.ts'
import type { Position } from './statement.ts'
import type { StatementProblem } from './statement-error.ts'
import { StatementError } from './statement-error.ts'

/**
 * How deep parentheses, brackets, NOT and functions may be nested. DynamoDB's documents end at 32
 * levels; this only keeps a hostile statement from exhausting the stack.
 */
const DEPTH_MAX = 100

/** Walks over the tokens of one statement, for a parser that looks one or two of them ahead. */
export class TokenCursor {
  readonly #statement: string
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0
  #parameters = 0
  #unsupported: StatementProblem | undefined

  constructor(statement: string) {
    this.#statement = statement
    const tokens = tokenise(statement)
    if (tokens === undefined) throw this.malformed()
    this.#tokens = tokens
  }

  get token(): Token {
    return this.#tokens[this.#index]!
  }

  get next(): Token {
    return this.#tokens[this.#index + 1] ?? this.token
  }

  get at(): Position {
    return this.token.at
  }

  advance(): Token {
    const { token } = this
    if (token.kind !== 'end') this.#index++
    return token
  }

  isWord(...words: readonly string[]): boolean {
    return words.includes(this.token.word)
  }

  isSymbol(symbol: string): boolean {
    const { token } = this
    return token.kind === 'symbol' && token.text === symbol
  }

  takeWord(...words: readonly string[]): boolean {
    if (this.token.word === '' || !words.includes(this.token.word)) return false
    this.#index++
    return true
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false
    this.#index++
    return true
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.malformed()
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.malformed()
  }

  /** Whether a name comes next: a quoted one, or a word that is not reserved. */
  get isName(): boolean {
    const { kind, word } = this.token
    return kind === 'name' || (kind === 'word' && !RESERVED_WORDS.has(word))
  }

  takeName(): string {
    if (!this.isName) throw this.malformed()
    return this.advance().text
  }

  /** A name behind one of the words, or alone, gives something another name, which DynamoDB doesn't
   * support. */
  takeAlias(...words: readonly string[]): void {
    if (!this.takeWord(...words)) {
      if (!this.isName) return
    } else if (this.token.kind !== 'name' && this.token.kind !== 'word') throw this.malformed()
    this.advance()
    this.refuseLater({ kind: 'aliasing' })
  }

  /** The position of the `?` just met, from 0. */
  takeParameter(): number {
    this.advance()
    return this.#parameters++
  }

  /** Runs the parser of something nested, or refuses the statement when it is too deep. */
  nested<TResult>(parse: () => TResult): TResult {
    if (++this.#depth > DEPTH_MAX) throw this.malformed()
    const result = parse()
    this.#depth--
    return result
  }

  /** Remembers what DynamoDB doesn't support: reported only if the rest of the statement is well
   * formed. */
  refuseLater(problem: StatementProblem): void {
    this.#unsupported ??= problem
  }

  /** To be called when the statement has been read. */
  finish(): void {
    this.takeSymbol(';')
    if (this.token.kind !== 'end') throw this.malformed()
    if (this.#unsupported !== undefined) throw new StatementError(this.#unsupported)
  }

  malformed(): StatementError {
    return new StatementError({ kind: 'malformed', statement: this.#statement })
  }
}
