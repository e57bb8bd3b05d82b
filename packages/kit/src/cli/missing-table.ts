import { ServiceError, SingletableError } from 'singletable'
import { FailureError } from './usage-error.ts'

/** Does something with a table; that there is none is told in the words of the command. */
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
      'make it with singletable table create, or look at --table and --endpoint',
      { cause: error },
    )
  }
}

/** Also where a batch tells that nothing of it was processed, because of that. */
function isMissingTable(error: unknown): boolean {
  if (error instanceof ServiceError) return error.name === 'ResourceNotFoundException'
  if (!SingletableError.is(error)) return false
  return error.code === 'TABLE_NOT_FOUND' || isMissingTable(error.cause)
}
