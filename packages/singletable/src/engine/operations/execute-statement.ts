import type {
  ExecuteStatementRequest,
  ExecuteStatementResponse,
  ReturnValues,
} from '../../wire/item-operations.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineContext } from '../context/context.ts'
import { after, inTurns } from '../context/turns.ts'
import { EXISTS_OUTSIDE_TRANSACTION } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { Returning } from '../partiql/statement.ts'
import { returnConsumedCapacity } from '../shapes/item-shapes.ts'
import { integer, structure, text } from '../shapes/shape.ts'
import { parameterizedStatementMembers } from '../shapes/statement-shapes.ts'
import { type BoundSelect, type BoundWrite, bindStatement } from '../statements/bind-statement.ts'
import { decodeNextToken, encodeNextToken } from '../statements/next-token.ts'
import { type SelectPage, selectPage } from '../statements/select-page.ts'
import { statementWrite } from '../statements/statement-write.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { Operation } from './operation.ts'
import { writeResponse } from './write-item.ts'

export const NEXT_TOKEN_LENGTH_MAX = 32_768

export const executeStatement: Operation<ExecuteStatementRequest, ExecuteStatementResponse> = {
  shape: structure({
    ...parameterizedStatementMembers,
    NextToken: text({ lengthMin: 1, lengthMax: NEXT_TOKEN_LENGTH_MAX }),
    Limit: integer({ min: 1 }),
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
  run(context, request) {
    const statement = bindStatement(context, request)
    if (statement.kind === 'select') return runSelect(context, request, statement)
    if (statement.kind === 'exists') throw validationError(EXISTS_OUTSIDE_TRANSACTION)
    return runWrite(context, request, statement)
  },
}

function runSelect(
  context: EngineContext,
  request: ExecuteStatementRequest,
  select: BoundSelect,
): ExecuteStatementResponse | Promise<ExecuteStatementResponse> {
  const steps = selectPage(context, select, {
    consistent: request.ConsistentRead,
    limit: request.Limit,
    startKey: decodeNextToken(request),
  })
  return after(inTurns(context, steps), (page) => selectResponse(request, page))
}

function selectResponse(
  request: ExecuteStatementRequest,
  page: SelectPage,
): ExecuteStatementResponse {
  const response: ExecuteStatementResponse = { Items: page.items }
  if (page.lastEvaluatedKey !== undefined) {
    response.NextToken = encodeNextToken(request, page.lastEvaluatedKey)
    response.LastEvaluatedKey = page.lastEvaluatedKey
  }
  if (wantsCapacity(request.ReturnConsumedCapacity)) {
    response.ConsumedCapacity = page.capacity.show(request.ReturnConsumedCapacity)
  }
  return response
}

async function runWrite(
  context: EngineContext,
  request: ExecuteStatementRequest,
  statement: BoundWrite,
): Promise<ExecuteStatementResponse> {
  const table = requireTable(context, statement.source.table)
  const write = statementWrite(table, statement)
  const applied = await applyWrite(context, write)
  const { Attributes: attributes, ConsumedCapacity: capacity } = writeResponse(
    context,
    {
      ReturnValues: returnValuesOf(statement.returning),
      ...(request.ReturnConsumedCapacity === undefined
        ? {}
        : { ReturnConsumedCapacity: request.ReturnConsumedCapacity }),
    },
    applied!,
  )
  const response: ExecuteStatementResponse = { Items: attributes === undefined ? [] : [attributes] }
  if (capacity !== undefined) response.ConsumedCapacity = capacity
  return response
}

/** RETURNING says what ReturnValues says elsewhere. */
export function returnValuesOf(returning: Returning | undefined): ReturnValues {
  if (returning === undefined) return 'NONE'
  return `${returning.scope === 'ALL' ? 'ALL' : 'UPDATED'}_${returning.version}`
}
