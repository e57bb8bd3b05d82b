import type { Item } from '../../values/attribute-value.ts'
import { tableNameOf } from '../arn.ts'

/** A table a request speaks of, with the key or item it names there, if any. */
export interface FaultTarget {
  readonly table: string
  readonly key?: Item
}

/** All tables and items that a request names, as far as that can be told before it is checked. */
export function requestTargets(request: unknown): FaultTarget[] {
  const targets: FaultTarget[] = []
  if (!isObject(request)) return targets
  addTarget(targets, request)
  if (isObject(request.RequestItems)) {
    for (const [table, members] of Object.entries(request.RequestItems)) {
      const name = tableNameOf(table)
      const list = Array.isArray(members) ? members : isObject(members) ? members.Keys : undefined
      if (!Array.isArray(list)) continue
      for (const member of list) targets.push({ table: name, key: memberKey(member) })
    }
  }
  if (Array.isArray(request.TransactItems)) {
    for (const action of request.TransactItems) {
      if (!isObject(action)) continue
      for (const inner of Object.values(action)) if (isObject(inner)) addTarget(targets, inner)
    }
  }
  addStatements(targets, [request])
  if (Array.isArray(request.Statements)) addStatements(targets, request.Statements)
  if (Array.isArray(request.TransactStatements)) addStatements(targets, request.TransactStatements)
  return targets
}

/** Where a PartiQL statement names its table. Its keys stand in conditions and aren't looked for. */
const STATEMENT_TABLE = /\b(?:from|into|update)\s+"?([a-z0-9_.-]+)/i

function addStatements(targets: FaultTarget[], members: readonly unknown[]): void {
  for (const member of members) {
    if (!isObject(member) || typeof member.Statement !== 'string') continue
    const table = STATEMENT_TABLE.exec(member.Statement)?.[1]
    if (table !== undefined) targets.push({ table })
  }
}

function addTarget(targets: FaultTarget[], request: Record<string, unknown>): void {
  if (typeof request.TableName !== 'string') return
  const table = tableNameOf(request.TableName)
  const key = isObject(request.Key) ? request.Key : request.Item
  targets.push(isObject(key) ? { table, key: key as Item } : { table })
}

function memberKey(member: unknown): Item {
  if (!isObject(member)) return {}
  const inner = isObject(member.PutRequest)
    ? member.PutRequest.Item
    : isObject(member.DeleteRequest)
      ? member.DeleteRequest.Key
      : member
  return (isObject(inner) ? inner : {}) as Item
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
