import type { DescribeTableResponse, TableRequest } from '../../wire/table-operations.ts'
import { describeTable as describe } from '../catalog/describe-table.ts'
import { requireTableByName } from '../catalog/require-table.ts'
import { structure, text } from '../validation/shape.ts'
import { validateTableName } from '../validation/table-name.ts'
import type { Operation } from './operation.ts'

export const describeTable: Operation<TableRequest, DescribeTableResponse> = {
  shape: structure({ TableName: text() }),
  run(context, request) {
    validateTableName(request.TableName)
    return { Table: describe(context, requireTableByName(context, request.TableName).record) }
  },
}
