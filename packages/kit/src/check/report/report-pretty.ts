import { countOf, formatCount } from '../../text/counts.ts'
import { listNames } from '../../text/list-names.ts'
import { type Colors, oneLine } from '../../text/terminal-text.ts'
import { wrapLines } from '../../text/wrap-text.ts'
import type { Report } from '../check-design.ts'
import type { Exercise } from '../evidence/exercise.ts'
import { headingOf } from '../rules/compare-findings.ts'
import type { Finding, Severity } from '../rules/rule.ts'

export interface PrettyOptions {
  readonly colors: Colors
  /** How wide the terminal is; lines are left as they are where there is none. */
  readonly columns?: number | undefined
  /** Rules that there are, whether they could look or not. */
  readonly rules: number
  readonly exercise?: Exercise | undefined
  /** How long the patterns ran. */
  readonly exerciseMs?: number | undefined
}

const LABEL_WIDTH = 'warning'.length
const INDENT = ' '.repeat(2 + LABEL_WIDTH + 2)

/** The report for people: grouped by what it is about, the worst first, with a line at the end that
 * sums it up. */
export function reportPretty(report: Report, options: PrettyOptions): string {
  const { colors, columns } = options
  const groups = new Map<string, Finding[]>()
  for (const finding of report.findings) {
    const heading = headingOf(finding.place)
    groups.set(heading, [...(groups.get(heading) ?? []), finding])
  }
  const sections = [...groups].map(([heading, findings]) =>
    [
      colors.bold(oneLine(heading)),
      ...findings.map((finding) => printFinding(finding, options)),
    ].join('\n'),
  )
  const text = [...sections, ...exerciseLines(options), summary(report, options)].join('\n\n')
  return columns === undefined ? text : wrapLines(text, columns)
}

function printFinding(
  { severity, code, message, fix, name, position }: Finding,
  { colors }: PrettyOptions,
): string {
  const label = paint(severity, colors)(severity.padEnd(LABEL_WIDTH))
  return [
    `  ${label}  ${colors.bold(code)} ${oneLine(message)}`,
    `${INDENT}${colors.dim('fix:')} ${oneLine(fix)} ${colors.dim(`(${name})`)}`,
    ...(position
      ? [`${INDENT}${colors.dim(`at:  ${position.file}:${position.line}:${position.column}`)}`]
      : []),
  ].join('\n')
}

function paint(severity: Severity, colors: Colors): (text: string) => string {
  return { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity]
}

function exerciseLines({ exercise, exerciseMs, colors }: PrettyOptions): readonly string[] {
  if (exercise === undefined) return []
  if (exercise.patterns.length === 0) return [`${colors.bold('run')}: there are no patterns to run`]
  const ran = exercise.patterns.filter(({ skipped }) => skipped === undefined)
  const failed = ran.filter(({ failures }) => failures.length > 0).length
  const runs = ran.reduce((sum, each) => sum + each.runs, 0)
  const items = ran.reduce((sum, { matching, others }) => sum + matching + others, 0)
  // One reason can keep many from being run, and is said once.
  const reasons = new Map<string, string[]>()
  for (const { pattern, skipped: reason } of exercise.patterns) {
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), pattern])
  }
  const skipped = [...reasons].map(
    ([reason, names]) => `  ${colors.dim(`not run: ${oneLine(`${listNames(names)}: ${reason}`)}`)}`,
  )
  const done = failed === 0 ? '' : `${formatCount(ran.length - failed)} of `
  const elapsed = exerciseMs === undefined ? '' : ` in ${printElapsed(exerciseMs)}`
  return [
    [
      `${colors.bold('run')}: ${done}${countOf(ran.length, 'pattern')} passed in ${countOf(runs, 'run')} on ${countOf(items, 'item')}${elapsed} (seed ${exercise.seed})`,
      ...skipped,
    ].join('\n'),
  ]
}

function printElapsed(ms: number): string {
  const whole = Math.round(ms)
  return whole < 1000 ? `${whole} ms` : `${(whole / 1000).toFixed(1)} s`
}

function summary({ counts, suppressed, rulesRun }: Report, options: PrettyOptions): string {
  const { colors, rules } = options
  const parts = [
    ...(counts.error > 0 ? [colors.red(countOf(counts.error, 'error'))] : []),
    ...(counts.warning > 0 ? [colors.yellow(countOf(counts.warning, 'warning'))] : []),
    ...(counts.info > 0 ? [countOf(counts.info, 'note')] : []),
  ]
  const found = parts.length > 0 ? parts.join(', ') : colors.green('nothing found')
  const hidden = suppressed.length > 0 ? `, ${suppressed.length} suppressed` : ''
  return `${found}${hidden} (${rulesRun} of ${rules} rules ran)`
}
