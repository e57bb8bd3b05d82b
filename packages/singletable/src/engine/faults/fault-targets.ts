import type { Item } from '../../values/attribute-value.ts'
import { requestTargets } from '../../wire/request-targets.ts'
import { tableNameOf } from '../context/arn.ts'

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
  const texts = Statement === undefined ? [] : [Statement]
  for (const each of Statements ?? TransactStatements ?? []) texts.push(each.Statement)
  return [
    ...requestTargets(request).map((target) => ({ ...target, table: tableNameOf(target.table) })),
    ...texts.flatMap((text) => statementTable(text) ?? []),
  ]
}

/** Where a PartiQL statement names its table; statements that don't parse come here too. Its keys are in conditions, and are not searched. */
const STATEMENT_TABLE = /\b(?:from|into|update)\s+"?([a-z0-9_.-]+)/i

function statementTable(text: string): FaultTarget | undefined {
  const table = STATEMENT_TABLE.exec(text)?.[1]
  return table === undefined ? undefined : { table }
}
