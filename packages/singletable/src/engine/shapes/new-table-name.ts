import { TABLE_NAME_MAX_LENGTH, TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TABLE_NAME_REQUIRED } from '../messages/table-messages.ts'
import { checkMember } from './check-constraints.ts'
import { NAME_PATTERN_OR_EMPTY } from './name-pattern.ts'
import { text } from './shape.ts'

const newTableName = text({
  lengthMin: TABLE_NAME_MIN_LENGTH,
  lengthMax: TABLE_NAME_MAX_LENGTH,
  pattern: NAME_PATTERN_OR_EMPTY,
})

/** Refuses a bad name of a table to be made. AWS reports it alone, whatever else is wrong with the
 * request. */
export function validateNewTableName(
  name: string | undefined,
  path = 'tableName',
): asserts name is string {
  if (name === undefined) throw validationError(TABLE_NAME_REQUIRED)
  checkMember(newTableName, name, path)
}
