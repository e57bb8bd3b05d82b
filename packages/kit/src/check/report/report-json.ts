import type { Report } from '../check-design.ts'
import type { Exercise } from '../evidence/exercise.ts'
import type { Finding } from '../rules/rule.ts'

/** The report as data, the same for the same design; with what running it has shown. */
export function reportJson(
  { findings, suppressed, counts, rulesRun }: Report,
  exercise?: Exercise | undefined,
): string {
  return JSON.stringify(
    {
      counts: { ...counts, suppressed: suppressed.length },
      rulesRun,
      findings: findings.map(plain),
      suppressed: suppressed.map(plain),
      exercise,
    },
    undefined,
    2,
  )
}

/** In an order of its own, whatever order the rule has. */
function plain(finding: Finding): object {
  const { code, name, severity, message, fix, place, position, suppressed } = finding
  return { code, name, severity, message, fix, place, position, suppressed }
}
