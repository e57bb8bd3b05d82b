import type { ListTablesRequest, ListTablesResponse } from '../../wire/table-operations.ts'
import {
  LIST_TABLES_LIMIT_MAX,
  TABLE_NAME_MAX_LENGTH,
  TABLE_NAME_MIN_LENGTH,
} from '../limits/table-limits.ts'
import { NAME_PATTERN } from '../shapes/name-pattern.ts'
import { integer, structure, text } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

export const listTables: Operation<ListTablesRequest, ListTablesResponse> = {
  shape: structure({
    ExclusiveStartTableName: text({
      lengthMin: TABLE_NAME_MIN_LENGTH,
      lengthMax: TABLE_NAME_MAX_LENGTH,
      pattern: NAME_PATTERN,
    }),
    Limit: integer({ min: 1, max: LIST_TABLES_LIMIT_MAX }),
  }),
  run(context, request) {
    const { ExclusiveStartTableName: start, Limit: limit = LIST_TABLES_LIMIT_MAX } = request
    const names = context.catalog
      .tables()
      .map((table) => table.name)
      .filter((name) => start === undefined || name > start)
      // Names are ASCII, where the order of UTF-16 units is the order of bytes.
      .sort()
    const page = names.slice(0, limit)
    const last = page.at(-1)
    return names.length > page.length && last !== undefined
      ? { TableNames: page, LastEvaluatedTableName: last }
      : { TableNames: page }
  },
}
