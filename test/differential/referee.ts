import { localTarget, type Target } from '../conformance/targets.ts'
import { withPlainNumbers } from './plain-number.ts'

/** DynamoDB Local, but with plain numbers: it gives back those in documents and updates in the spelling they came in. */
export function referee(port: number): Target {
  const local = localTarget(port)
  return {
    ...local,
    async send(operation, request) {
      try {
        return withPlainNumbers(await local.send(operation, request))
      } catch (error) {
        if (error instanceof Error) Object.assign(error, withPlainNumbers({ ...error }))
        throw error
      }
    },
  }
}
