import { localTarget, RefereeUnavailable, type Target } from '../conformance/targets.ts'
import { withPlainNumbers } from './plain-number.ts'

/**
 * DynamoDB Local, but with plain numbers: it gives back those in documents and updates in the
 * spelling they came in. And now and then, busy with several tables, it fails to change one; after
 * that there is nothing to compare.
 */
export function referee(port: number): Target {
  const local = localTarget(port)
  return {
    ...local,
    async send(operation, request) {
      try {
        return withPlainNumbers(await local.send(operation, request))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        if (operation.endsWith('Table') && error.name === 'InternalFailure') {
          throw new RefereeUnavailable(`${operation}: ${error.message}`)
        }
        throw Object.assign(error, withPlainNumbers({ ...error }))
      }
    },
  }
}
