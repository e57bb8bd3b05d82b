import { ServiceError, SingletableError } from 'singletable'
import { FailureError } from './usage-error.ts'

/** Runs an action on a table, and reports a missing table as an error of the command. */
export async function requireTable<T>(
  name: string,
  place: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isMissingTable(error)) throw error
    throw new FailureError(
      `There is no table "${name}".`,
      place,
      'make it with singletable table create, or check --table and --endpoint',
      { cause: error },
    )
  }
}

/** Also if a batch failed as a whole for that reason. */
function isMissingTable(error: unknown): boolean {
  if (error instanceof ServiceError) return error.name === 'ResourceNotFoundException'
  if (!SingletableError.is(error)) return false
  return error.code === 'TABLE_NOT_FOUND' || isMissingTable(error.cause)
}
