import { unitsToRead } from '../../values/units.ts'
import type {
  BatchExecuteStatementRequest,
  BatchExecuteStatementResponse,
  BatchStatementResponse,
  ParameterizedStatement,
} from '../../wire/item-operations.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { allInTurns, inTurns, mapInSteps } from '../context/turns.ts'
import { KEYS_DUPLICATED } from '../messages/item-messages.ts'
import {
  BATCH_MIXED,
  EXISTS_OUTSIDE_TRANSACTION,
  SELECT_SINGLE_ONLY,
} from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { Returning } from '../partiql/statement.ts'
import { returnConsumedCapacity } from '../shapes/item-shapes.ts'
import { list, structure } from '../shapes/shape.ts'
import { parameterizedStatementMembers } from '../shapes/statement-shapes.ts'
import {
  type BoundSelect,
  type BoundStatement,
  bindStatement,
} from '../statements/bind-statement.ts'
import { readSingleItem, singleItemKey } from '../statements/single-select.ts'
import { statementWrite } from '../statements/statement-write.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { ItemWrite } from '../write/write.ts'
import { returnValuesOf } from './execute-statement.ts'
import type { Operation } from './operation.ts'
import { writeResponse } from './write-item.ts'

export const BATCH_STATEMENTS_MAX = 25

/** A statement ready to run, or the error that answers it. */
type Member =
  | { readonly kind: 'error'; readonly error: ServiceError }
  | {
      readonly kind: 'read'
      readonly table: Table
      readonly select: BoundSelect
      readonly storageKey: string
      readonly consistent: boolean
    }
  | {
      readonly kind: 'write'
      readonly table: Table
      readonly write: ItemWrite
      readonly storageKey: string
      readonly returning: Returning | undefined
    }

export const batchExecuteStatement: Operation<
  BatchExecuteStatementRequest,
  BatchExecuteStatementResponse
> = {
  shape: structure({
    Statements: {
      required: list(structure(parameterizedStatementMembers), {
        lengthMin: 1,
        lengthMax: BATCH_STATEMENTS_MAX,
      }),
    },
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
  async run(context, request) {
    const steps = mapInSteps(request.Statements, (statement) =>
      attempt(() => bindStatement(context, statement)),
    )
    const bound = await inTurns(context, steps)
    refuseMixed(bound)
    const members = bound.map((statement, position): Member => {
      if (statement instanceof ServiceError) return { kind: 'error', error: statement }
      const member = attempt(() => prepare(context, statement, request.Statements[position]!))
      return member instanceof ServiceError ? { kind: 'error', error: member } : member
    })
    refuseDuplicates(members)
    const capacity = new CapacityByTable()
    const response: BatchExecuteStatementResponse = {
      Responses: await allInTurns(context, members, (member) =>
        runMember(context, member, capacity),
      ),
    }
    if (wantsCapacity(request.ReturnConsumedCapacity)) {
      response.ConsumedCapacity = capacity.show(request.ReturnConsumedCapacity)
    }
    return response
  },
}

function refuseMixed(bound: readonly (BoundStatement | ServiceError)[]): void {
  let reads = false
  let writes = false
  for (const statement of bound) {
    if (statement instanceof ServiceError) continue
    if (statement.kind === 'select') reads = true
    else writes = true
  }
  if (reads && writes) throw validationError(BATCH_MIXED)
}

function prepare(
  context: EngineContext,
  statement: BoundStatement,
  request: ParameterizedStatement,
): Member {
  if (statement.kind === 'exists') throw validationError(EXISTS_OUTSIDE_TRANSACTION)
  const table = requireTable(context, statement.source.table)
  if (statement.kind === 'select') {
    const storageKey = singleItemKey(table, statement)
    if (storageKey === undefined) throw validationError(SELECT_SINGLE_ONLY)
    const consistent = request.ConsistentRead === true
    return { kind: 'read', table, select: statement, storageKey, consistent }
  }
  const write = statementWrite(table, statement)
  const { returning } = statement
  return { kind: 'write', table, write, storageKey: write.storageKey, returning }
}

function refuseDuplicates(members: readonly Member[]): void {
  const seen = new Set<string>()
  for (const member of members) {
    if (member.kind === 'error') continue
    if (seen.has(member.storageKey)) throw validationError(KEYS_DUPLICATED)
    seen.add(member.storageKey)
  }
}

async function runMember(
  context: EngineContext,
  member: Member,
  capacity: CapacityByTable,
): Promise<BatchStatementResponse> {
  if (member.kind === 'error') return { Error: memberError(member.error) }
  const { table } = member
  const meter = capacity.of(table)
  if (member.kind === 'read') {
    const { item, sizeBytes } = readSingleItem(context, member.select, member.storageKey)
    meter.addTable(unitsToRead(sizeBytes, member.consistent ? 'strong' : 'eventual'))
    return { TableName: table.name, ...(item === undefined ? {} : { Item: item }) }
  }
  try {
    const applied = await applyWrite(context, member.write)
    meter.addWrite(applied, 1)
    const { Attributes: item } = writeResponse(
      context,
      { ReturnValues: returnValuesOf(member.returning) },
      applied,
    )
    return { TableName: table.name, ...(item === undefined ? {} : { Item: item }) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { Error: memberError(error), TableName: table.name }
  }
}

/** AWS's codes for members are the names of the exceptions without their ending, but for this
 * one. */
function memberError(error: ServiceError): NonNullable<BatchStatementResponse['Error']> {
  const code =
    error.name === 'ValidationException' ? 'ValidationError' : error.name.replace(/Exception$/, '')
  return {
    Code: code,
    Message: error.message,
    ...(error.Item === undefined ? {} : { Item: error.Item }),
  }
}

function attempt<TResult>(action: () => TResult): TResult | ServiceError {
  try {
    return action()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
