import type { Table } from '../catalog/table.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { resourceNotFound, tableNotFound } from '../messages/resource-messages.ts'

/** The table for an operation on items: one that is being created or deleted counts as missing. */
export function requireTable(context: EngineContext, nameOrArn: string): Table {
  const table = context.catalog.find(tableNameOf(nameOrArn))
  if (table === undefined) throw resourceNotFound()
  const { transition, filling } = table.record
  if (filling) throw resourceNotFound()
  if (
    transition !== undefined &&
    transition.status !== 'UPDATING' &&
    context.environment.now() < transition.endsMs
  ) {
    throw resourceNotFound()
  }
  return table
}

/** The table for an operation on tables, in whatever state. */
export function requireTableByName(context: EngineContext, nameOrArn: string): Table {
  const name = tableNameOf(nameOrArn)
  const table = context.catalog.find(name)
  if (table === undefined) throw tableNotFound(name)
  return table
}
