import {
  DefinitionError,
  type DefinitionIssue,
  type IssueSubject,
} from '../errors/definition-error.ts'

/** What reading a schema has found so far. */
interface Findings {
  readonly issues: DefinitionIssue[]
  /**
   * Parts with a mistake: what depends on them is left out silently, so that one mistake is
   * reported once.
   */
  readonly faulty: Set<unknown>
}

/** Ends the reading of a part whose mistake is already among the issues. */
const LEFT_OUT = Symbol('left out')

/** A part of a schema while it is read: collects what is wrong with it, and says where. */
export class Place {
  readonly where: string
  readonly subject: IssueSubject
  readonly #findings: Findings

  constructor(where = 'schema', subject: IssueSubject = {}, findings?: Findings) {
    this.where = where
    this.subject = subject
    this.#findings = findings ?? { issues: [], faulty: new Set() }
  }

  get issues(): readonly DefinitionIssue[] {
    return this.#findings.issues
  }

  /** A part of this part. */
  at(name: string, subject?: IssueSubject): Place {
    return new Place(`${this.where}, ${name}`, { ...this.subject, ...subject }, this.#findings)
  }

  /** A part of this part that has a name of the user's own. */
  part(kind: keyof IssueSubject, name: string): Place {
    return this.at(`${kind} "${name}"`, { [kind]: name })
  }

  /** The same place, known to be about this. */
  in(subject: IssueSubject): Place {
    return new Place(this.where, { ...this.subject, ...subject }, this.#findings)
  }

  /** Reports a problem; reading continues. */
  report(
    what: string,
    fix: string,
    options: Partial<Pick<DefinitionIssue, 'code' | 'rule' | 'subject'>> = {},
  ): void {
    const { code = 'SCHEMA_INVALID', subject, rule } = options
    this.#findings.issues.push(
      Object.freeze({
        code,
        severity: 'error',
        subject: Object.freeze({ ...this.subject, ...subject }),
        what: what.endsWith('.') ? what : `${what}.`,
        where: this.where,
        fix,
        ...(rule !== undefined && { rule }),
      }),
    )
  }

  /** Adds what is wrong, and leaves this part out. */
  refuse(...issue: Parameters<Place['report']>): never {
    this.report(...issue)
    throw LEFT_OUT
  }

  /** Leaves this part out, because of a mistake in another. */
  leaveOut(): never {
    throw LEFT_OUT
  }

  /** What `read` gives, or `undefined` where it left the part out. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      // Templates are read without a place.
      if (error instanceof DefinitionError)
        this.report(error.what, error.fix, { code: error.code, rule: error.issues[0]?.rule })
      else if (error !== LEFT_OUT) throw error
      return undefined
    }
  }

  /** Whether `read` runs without a mistake. */
  isSound(read: () => void): boolean {
    const before = this.issues.length
    let isRead = false
    this.attempt(() => {
      read()
      isRead = true
    })
    return isRead && this.issues.length === before
  }

  markFaulty(part: unknown): void {
    this.#findings.faulty.add(part)
  }

  isFaulty(part: unknown): boolean {
    return this.#findings.faulty.has(part)
  }
}
