import { TransferError } from '../transfer/transfer-error.ts'

/** What an application asks of a table: rows with given values of these columns. */
export interface Question {
  /** Empty if it has none. */
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /** Calls a second. */
  readonly rps: number
  readonly isNewestFirst: boolean
}

/** `-- getUser, 20 a second` before a statement. */
const COMMENT = /^--\s*(\w+)(?:\s*,\s*([\d.]+)\s*a second)?\s*$/
/** What a log of PostgreSQL has before a statement. */
const LOGGED = /^.*?(?:statement|execute [^:]*):\s*/

/**
 * The questions in a list of SELECT statements, or in a log of PostgreSQL: what is asked several
 * times is one question. `seconds` is the time that a log covers.
 */
export async function readQuestions(
  text: string,
  file: string,
  seconds: number | undefined,
): Promise<readonly Question[]> {
  const { parse } = (await import('pgsql-ast-parser')).default
  const questions = new Map<string, Question>()
  let name = ''
  let rps: number | undefined
  let held = ''
  for (const [at, line] of text.split('\n').entries()) {
    const comment = held === '' ? COMMENT.exec(line.trim()) : null
    if (comment) {
      name = comment[1] ?? ''
      rps = comment[2] === undefined ? undefined : Number(comment[2])
      continue
    }
    const statement = line.replace(LOGGED, '').trim()
    if (held === '' && !/^select\b/i.test(statement)) continue
    held = `${held} ${statement}`.trim()
    // Statements of a log end with their line.
    if (!held.endsWith(';') && !LOGGED.test(line)) continue
    let parsed: Asked | undefined
    try {
      parsed = askedBy(parse(held)[0])
    } catch (cause) {
      throw new TransferError("The question can't be read.", {
        where: `${file}:${at + 1}`,
        fix: 'write one SELECT … FROM one table WHERE column = $1, ended by a semicolon',
        cause,
      })
    }
    held = ''
    if (parsed) {
      const key = JSON.stringify([name, parsed])
      const each = rps ?? (seconds === undefined ? 1 : 1 / seconds)
      const known = questions.get(key)
      const sum = known && seconds !== undefined ? known.rps + each : each
      questions.set(key, { name, ...parsed, rps: sum })
    }
    name = ''
    rps = undefined
  }
  return [...questions.values()]
}

type Asked = Pick<Question, 'table' | 'columns' | 'isNewestFirst'>

/** The part of the parser's tree that is looked at. */
interface Expression {
  readonly type: string
  readonly op?: string
  readonly name?: string
  readonly left?: Expression
  readonly right?: Expression
}

function askedBy(statement: unknown): Asked | undefined {
  const { type, from, where, orderBy } = Object(statement) as {
    readonly type?: string
    readonly from?: readonly { readonly type: string; readonly name?: { readonly name: string } }[]
    readonly where?: Expression
    readonly orderBy?: readonly { readonly order?: string }[]
  }
  const [table] = from ?? []
  if (type !== 'select' || table?.name === undefined) return undefined
  return {
    table: table.name.name,
    columns: equalities(where),
    isNewestFirst: orderBy?.[0]?.order === 'DESC',
  }
}

function equalities(expression: Expression | undefined): readonly string[] {
  if (expression?.type !== 'binary') return []
  const { op, left, right } = expression
  if (op === 'AND') return [...equalities(left), ...equalities(right)]
  return op === '=' && left?.type === 'ref' && left.name !== undefined ? [left.name] : []
}
