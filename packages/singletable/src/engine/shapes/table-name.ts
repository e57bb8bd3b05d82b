import { TABLE_NAME_MAX_LENGTH } from '../limits/table-limits.ts'
import {
  constraintError,
  MUST_NOT_BE_NULL,
  mustHaveLengthAtLeast,
  mustHaveLengthAtMost,
  mustMatch,
} from '../messages/request-messages.ts'
import { NAME_PATTERN } from './name-pattern.ts'

export const TABLE_ARN_MAX_LENGTH = 1024

/**
 * Checks the name of a table that is to be used; AWS reports a bad one alone, before anything else.
 * Operations on items accept names that are too short for a table and simply don't find it.
 */
export function validateTableName(name: string | undefined): asserts name is string {
  const rule = brokenRule(name)
  if (rule !== undefined) throw constraintError({ value: name ?? null, path: 'tableName', rule })
}

function brokenRule(name: string | undefined): string | undefined {
  if (name === undefined) return MUST_NOT_BE_NULL
  if (name.length === 0) return mustHaveLengthAtLeast(1)
  const isArn = name.startsWith('arn:')
  const lengthMax = isArn ? TABLE_ARN_MAX_LENGTH : TABLE_NAME_MAX_LENGTH
  if (name.length > lengthMax) return mustHaveLengthAtMost(lengthMax)
  return isArn || NAME_PATTERN.test.test(name) ? undefined : mustMatch(NAME_PATTERN.text)
}
