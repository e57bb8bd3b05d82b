import type { OperationName } from '../wire/operations.ts'

const READS: readonly OperationName[] = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'TransactGetItems',
]
const WRITES: readonly OperationName[] = [
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]

interface Statement {
  readonly Statement?: string
}

/** Which capacity an operation consumes; `undefined` if none. Statements in one request are all of
 * one kind. */
export function capacityKind(
  operation: OperationName,
  request: object,
): 'read' | 'write' | undefined {
  if (READS.includes(operation)) return 'read'
  if (WRITES.includes(operation)) return 'write'
  // Only requests with statements have these members.
  const { Statement, Statements, TransactStatements } = request as Statement & {
    readonly Statements?: readonly Statement[]
    readonly TransactStatements?: readonly Statement[]
  }
  const text = Statement ?? (Statements ?? TransactStatements)?.[0]?.Statement
  if (text === undefined) return undefined
  return /^\s*SELECT\b/i.test(text) ? 'read' : 'write'
}

interface Metered {
  readonly ConsumedCapacity?:
    | { readonly CapacityUnits?: number }
    | readonly { readonly CapacityUnits?: number }[]
}

/** The units that an answer reports; `undefined` if it reports none. */
export function consumedUnits(response: unknown): number | undefined {
  const { ConsumedCapacity } = Object(response) as Metered
  if (ConsumedCapacity === undefined) return undefined
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
}
