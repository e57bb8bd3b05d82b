/**
 * Finds where the statements of a dump end. It knows quotes and comments, and nothing of SQL: what
 * is between them is read by a parser.
 */
export class DumpStatements {
  readonly #escapes: boolean
  #text = ''
  /**
   * What ends the quote or comment that is open: `'`, `"`, a backtick, `$tag$` or that of a
   * comment.
   */
  #closing = ''
  #hasEscapes = false

  /** `escapes`: a backslash inside quotes escapes what follows it, as in MySQL. */
  constructor(escapes: boolean) {
    this.#escapes = escapes
  }

  /** Nothing is open: the next line begins a statement. */
  get isBetween(): boolean {
    return this.#text.trim() === '' && this.#closing === ''
  }

  /** How much of a statement is held. */
  get heldCharacters(): number {
    return this.#text.length
  }

  /** Takes a line, and gives the statements that end in it. */
  take(line: string): readonly string[] {
    const statements: string[] = []
    let from = 0
    let at = 0
    const keep = (to: number): void => {
      this.#text += line.slice(from, to)
      from = to
    }
    while (at < line.length) {
      if (this.#closing !== '') {
        const isComment = this.#closing === '*/'
        at = this.#close(line, at)
        if (isComment) from = at
        continue
      }
      OPENING.lastIndex = at
      const found = OPENING.exec(line)
      if (found === null) break
      const [token] = found
      at = found.index + token.length
      if (token === ';') {
        keep(found.index)
        from = at
        if (this.#text.trim() !== '') statements.push(this.#text.trim())
        this.#text = ''
      } else if (token === '--') {
        keep(found.index)
        from = line.length
        break
      } else if (token === '/*') {
        keep(found.index)
        this.#closing = '*/'
      } else {
        this.#closing = token.endsWith("'") ? "'" : token
        this.#hasEscapes = this.#escapes || /^e'/i.test(token)
      }
    }
    if (this.#closing !== '*/') this.#text += `${line.slice(from)}\n`
    return statements
  }

  /** The position after the end of what is open, or the end of the line. */
  #close(line: string, start: number): number {
    for (let at = start; ; ) {
      const end = line.indexOf(this.#closing, at)
      const escaped = this.#hasEscapes && this.#closing === "'" ? line.indexOf('\\', at) : -1
      if (escaped >= 0 && (end < 0 || escaped < end)) {
        at = escaped + 2
        if (at > line.length) return line.length
        continue
      }
      if (end < 0) return line.length
      const after = end + this.#closing.length
      // A doubled quote opens again at once, with the same rules.
      this.#closing = ''
      return after
    }
  }
}

const OPENING = /;|--|\/\*|\bE'|'|"|`|\$(?:[A-Za-z_]\w*)?\$/gi
