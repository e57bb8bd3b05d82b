import type { DefinitionIssue } from 'singletable/tools'
import type { Design } from '../design/design.ts'
import type { Finding, Notice } from './rule.ts'

/** What the library refuses for the reason that a rule is about. */
export function noticesOf({ issues }: Design, rule: string): readonly Notice[] {
  return issues.filter((issue) => issue.rule === rule).map(noticeOf)
}

function noticeOf({ subject, severity, what, where, fix }: DefinitionIssue): Notice {
  return { message: `${what.replace(/\.$/, '')} (${where}).`, fix, place: subject, severity }
}

/** What the library refuses and no rule reports, under the library's own code. */
export function issueFindings(
  issues: readonly DefinitionIssue[],
  findings: readonly Finding[],
): readonly Finding[] {
  return issues
    .filter((issue) => !isReported(issue, findings))
    .map((issue) => {
      const { code, severity } = issue
      return { ...noticeOf(issue), severity, code, name: code.toLowerCase().replaceAll('_', '-') }
    })
}

/** A rule reports an error of the same model or pattern. */
function isReported({ subject, rule }: DefinitionIssue, findings: readonly Finding[]): boolean {
  const { model, attribute, pattern } = subject
  return findings.some(({ code, place, severity }) => {
    if (severity !== 'error') return false
    if (pattern !== undefined) return place.pattern === pattern
    if (model === undefined || place.model !== model || place.pattern !== undefined) return false
    // Another rule may report another mistake of the model.
    return code === rule || place.attribute === attribute || place.attribute === undefined
  })
}
