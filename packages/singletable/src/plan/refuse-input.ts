import { InputError, type InputIssue } from '../errors/input-error.ts'

/** Of all issues so many are told in the message; the error has the rest. */
const ISSUES_SHOWN = 3

/** Throws what is wrong with the values of a call, all at once. */
export function refuseInput(issues: readonly InputIssue[], place: string, fix: string): never {
  const shown = issues
    .slice(0, ISSUES_SHOWN)
    .map(({ path, message }) => (path.length === 0 ? message : `"${path.join('.')}" ${message}`))
  const more = issues.length - shown.length
  throw new InputError(
    'INPUT_INVALID',
    { what: `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`, where: place, fix },
    issues,
  )
}
