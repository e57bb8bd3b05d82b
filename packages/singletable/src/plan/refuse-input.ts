import { InputError, type InputIssue } from '../errors/input-error.ts'
import { describeIssues } from '../schema/input-issues.ts'

/** Throws what is wrong with the values of a call, all at once, and what to do in this place. */
export function refuseInput(issues: readonly InputIssue[], place: string, fix: string): never {
  const cause = issues.find((issue) => issue.cause !== undefined)?.cause
  throw new InputError(
    'INPUT_INVALID',
    { what: describeIssues(issues), where: place, fix },
    issues,
    cause === undefined ? undefined : { cause },
  )
}
