import { TABLE_NAME_MAX_LENGTH, TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import {
  constraintErrors,
  constraintFailure,
  mustHaveLengthAtLeast,
  mustHaveLengthAtMost,
  mustMatch,
  validationError,
} from '../messages/request-messages.ts'
import { TABLE_NAME_REQUIRED } from '../messages/table-messages.ts'
import { dump } from './dump.ts'
import { NAME_PATTERN } from './name-pattern.ts'
import { text } from './shape.ts'

/** Refuses a bad name of a table to be made. AWS reports it alone, whatever else is wrong with the request. */
export function validateNewTableName(
  name: string | undefined,
  path = 'tableName',
): asserts name is string {
  if (name === undefined) throw validationError(TABLE_NAME_REQUIRED)
  const rules: string[] = []
  if (name.length < TABLE_NAME_MIN_LENGTH) rules.push(mustHaveLengthAtLeast(TABLE_NAME_MIN_LENGTH))
  if (name.length > TABLE_NAME_MAX_LENGTH) rules.push(mustHaveLengthAtMost(TABLE_NAME_MAX_LENGTH))
  // AWS says of an empty name only that it is too short.
  if (name !== '' && !NAME_PATTERN.test.test(name)) rules.push(mustMatch(NAME_PATTERN.text))
  if (rules.length === 0) return
  const value = dump(text(), name)
  throw validationError(
    constraintErrors(rules.map((rule) => constraintFailure({ value, path, rule }))),
  )
}
