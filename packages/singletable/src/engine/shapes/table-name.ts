import { TABLE_NAME_MAX_LENGTH } from '../limits/table-limits.ts'
import {
  constraintErrors,
  constraintFailure,
  MUST_NOT_BE_NULL,
  mustHaveLengthAtLeast,
  mustHaveLengthAtMost,
  mustMatch,
  validationError,
} from '../messages/request-messages.ts'
import { NAME_PATTERN } from './name-pattern.ts'

export const TABLE_ARN_MAX_LENGTH = 1024

/**
 * Checks the name of a table that is to be used; AWS reports a bad one alone, before anything else. Operations on items accept names that are
 * too short for a table and simply don't find it.
 */
export function validateTableName(name: string | undefined): asserts name is string {
  const rules = tableNameFailures(name)
  if (rules.length === 0) return
  const failures = rules.map((rule) =>
    constraintFailure({ value: name ?? null, path: 'tableName', rule }),
  )
  throw validationError(constraintErrors(failures))
}

const NO_FAILURES: readonly string[] = []

function tableNameFailures(name: string | undefined): readonly string[] {
  if (name === undefined) return [MUST_NOT_BE_NULL]
  if (name.startsWith('arn:')) {
    return name.length > TABLE_ARN_MAX_LENGTH
      ? [mustHaveLengthAtMost(TABLE_ARN_MAX_LENGTH)]
      : NO_FAILURES
  }
  if (name.length === 0) return [mustHaveLengthAtLeast(1)]
  if (name.length > TABLE_NAME_MAX_LENGTH) return [mustHaveLengthAtMost(TABLE_NAME_MAX_LENGTH)]
  return NAME_PATTERN.test.test(name) ? NO_FAILURES : [mustMatch(NAME_PATTERN.text)]
}
