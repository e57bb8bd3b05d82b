import { partsOf } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import { TRANSACTION_ACTIONS_MAX } from '../../values/limits.ts'
import type {
  ExecuteTransactionRequest,
  ExecuteTransactionResponse,
} from '../../wire/item-operations.ts'
import type { ServiceError } from '../../wire/service-error.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns, mapInSteps } from '../context/turns.ts'
import { TOKEN_LENGTH_MAX } from '../limits/transaction-limits.ts'
import {
  EXISTS_NOT_SINGLE,
  statementMessage,
  TRANSACTION_INDEX,
  TRANSACTION_MIXED,
  TRANSACTION_RETURNING,
  TRANSACTION_SELECT_INDEX,
  TRANSACTION_SELECT_KEY,
  transactionStatement,
} from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_SAME_ITEM } from '../messages/write-messages.ts'
import { returnConsumedCapacity } from '../shapes/item-shapes.ts'
import { list, structure, text } from '../shapes/shape.ts'
import { parameterizedStatementMembers } from '../shapes/statement-shapes.ts'
import {
  type BoundSelect,
  type BoundStatement,
  type BoundWrite,
  bindStatement,
} from '../statements/bind-statement.ts'
import { equalityOf } from '../statements/key-equalities.ts'
import { selectColumns } from '../statements/select-list.ts'
import { singleItemKey } from '../statements/single-select.ts'
import { statementWrite } from '../statements/statement-write.ts'
import { copyForCaller, type StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { prepareEach } from '../transactions/prepare-each.ts'
import { readTransaction } from '../transactions/read-transaction.ts'
import { writeTransaction } from '../transactions/write-transaction.ts'
import type { ItemWrite } from '../write/write.ts'
import type { Operation } from './operation.ts'

export const executeTransaction: Operation<ExecuteTransactionRequest, ExecuteTransactionResponse> =
  {
    shape: structure({
      TransactStatements: {
        required: list(structure(parameterizedStatementMembers), {
          lengthMin: 1,
          lengthMax: TRANSACTION_ACTIONS_MAX,
        }),
      },
      ClientRequestToken: text({ lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }),
      ReturnConsumedCapacity: returnConsumedCapacity,
    }),
    async run(context, request) {
      const steps = mapInSteps(request.TransactStatements, (statement, position) =>
        bindMember(context, statement, position),
      )
      const statements = await inTurns(context, steps)
      const reads = statements.filter((statement) => statement.kind === 'select')
      const writes = statements.filter((statement) => statement.kind !== 'select')
      if (reads.length > 0 && writes.length > 0) throw validationError(TRANSACTION_MIXED)
      return reads.length > 0
        ? runReads(context, request, reads)
        : runWrites(context, request, writes)
    },
  }

/** AWS names the statement where the number of parameters is wrong, but not where its text is. */
function bindMember(
  context: EngineContext,
  statement: ExecuteTransactionRequest['TransactStatements'][number],
  position: number,
): BoundStatement {
  return bindStatement(context, statement, (problem) => {
    const message = statementMessage(problem)
    return problem.kind === 'parameter-count' ? transactionStatement(position, message) : message
  })
}

function refusal(position: number, reason: string): ServiceError {
  return validationError(transactionStatement(position, reason))
}

function runReads(
  context: EngineContext,
  request: ExecuteTransactionRequest,
  selects: readonly BoundSelect[],
): ExecuteTransactionResponse | Promise<ExecuteTransactionResponse> {
  for (const [position, { source }] of selects.entries()) {
    if (source.index !== undefined) throw refusal(position, TRANSACTION_SELECT_INDEX)
  }
  const tables = selects.map(({ source }) => requireTable(context, source.table))
  const storageKeys = prepareEach(selects, (select, position) =>
    singleItemKey(tables[position]!, select),
  )
  const items = storageKeys.map((storageKey, position) => {
    if (storageKey === undefined) throw refusal(position, TRANSACTION_SELECT_KEY)
    const show = (stored: StoredItem) =>
      selectColumns(selects[position]!.columns, copyForCaller(stored))
    return { table: tables[position]!, storageKey, show }
  })
  refuseSameItem(storageKeys)
  return inTurns(context, readTransaction(context, items, request.ReturnConsumedCapacity))
}

async function runWrites(
  context: EngineContext,
  request: ExecuteTransactionRequest,
  statements: readonly BoundWrite[],
): Promise<ExecuteTransactionResponse> {
  for (const [position, statement] of statements.entries()) {
    if (statement.returning !== undefined) throw refusal(position, TRANSACTION_RETURNING)
    if (statement.source.index !== undefined) throw refusal(position, TRANSACTION_INDEX)
  }
  const { capacity } = await writeTransaction(context, {
    namespace: 'statements',
    token: request.ClientRequestToken,
    request: request.TransactStatements,
    payloadBytes: statements.reduce((sum, statement) => sum + statement.payloadBytes, 0),
    writes: () => toWrites(context, statements),
  })
  const response: ExecuteTransactionResponse = { Responses: [] }
  const consumed = capacity(request.ReturnConsumedCapacity)
  if (consumed !== undefined) response.ConsumedCapacity = consumed
  return response
}

function toWrites(context: EngineContext, statements: readonly BoundWrite[]): ItemWrite[] {
  const tables = statements.map(({ source }) => requireTable(context, source.table))
  for (const [position, statement] of statements.entries()) {
    if (
      statement.kind === 'exists' &&
      !isSingleWithCondition(tables[position]!, statement.condition)
    ) {
      throw refusal(position, EXISTS_NOT_SINGLE)
    }
  }
  const writes = prepareEach(statements, (statement, position) =>
    statementWrite(tables[position]!, statement),
  )
  refuseSameItem(writes.map((write) => write.storageKey))
  return writes
}

/** EXISTS must fix the whole key and ask something more of the item. */
function isSingleWithCondition(table: Table, condition: Condition | undefined): boolean {
  const names = new Set<string>()
  let more = false
  for (const part of partsOf('and', condition)) {
    const name = equalityOf(part)?.name
    if (name !== undefined && table.keyNames.includes(name)) names.add(name)
    else more = true
  }
  return more && names.size === table.keyNames.length
}

function refuseSameItem(storageKeys: readonly (string | undefined)[]): void {
  if (new Set(storageKeys).size < storageKeys.length) throw validationError(TRANSACTION_SAME_ITEM)
}
