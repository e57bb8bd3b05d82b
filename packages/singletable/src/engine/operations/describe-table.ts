import type { DescribeTableResponse, TableRequest } from '../../wire/table-operations.ts'
import { structure, text } from '../shapes/shape.ts'
import { describeTable as describe } from '../tables/describe-table.ts'
import { requireTableByName } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

export const describeTable: Operation<TableRequest, DescribeTableResponse> = {
  shape: structure({ TableName: text() }),
  run(context, request) {
    return { Table: describe(context, requireTableByName(context, request.TableName).record) }
  },
}
