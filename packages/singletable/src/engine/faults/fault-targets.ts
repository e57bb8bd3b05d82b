import type { Item } from '../../values/attribute-value.ts'
import { requestTargets } from '../../wire/request-targets.ts'
import { tableNameOf } from '../context/arn.ts'
import { parseStatement } from '../partiql/parse-statement.ts'
import { StatementError } from '../partiql/statement-error.ts'

/** A table a request names, with the key or item it names there, if any. */
export interface FaultTarget {
  readonly table: string
  readonly item?: Item
}

interface Statement {
  readonly Statement: string
}

/** All tables and items that a request names. */
export function faultTargets(request: object): readonly FaultTarget[] {
  const { Statement, Statements, TransactStatements } = request as Partial<Statement> & {
    readonly Statements?: readonly Statement[]
    readonly TransactStatements?: readonly Statement[]
  }
  const statements = Statement === undefined ? [] : [Statement]
  for (const each of Statements ?? TransactStatements ?? []) statements.push(each.Statement)
  return [
    ...requestTargets(request).map((target) => ({ ...target, table: tableNameOf(target.table) })),
    ...statements.flatMap(statementTargets),
  ]
}

/** The table of a PartiQL statement; its keys are in conditions, and are not searched. One that
 * cannot be read names none. */
function statementTargets(text: string): readonly FaultTarget[] {
  try {
    const statement = parseStatement(text)
    const { source } = statement.kind === 'exists' ? statement.select : statement
    return [{ table: tableNameOf(source.table) }]
  } catch (error) {
    if (error instanceof StatementError) return []
    throw error
  }
}
