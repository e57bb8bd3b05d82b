import type { Coverage } from '../recorder/coverage.ts'
import { countOf } from '../text/counts.ts'
import type { Colors } from '../text/terminal-text.ts'
import { printTable } from './print-table.ts'

export interface CoverageTextOptions {
  readonly colors: Colors
  readonly width: number | undefined
  readonly otherRequests: number
}

/** What tests ran, as it is read by people. */
export function coverageText(
  { run, neverRun, undeclared, expected, percent }: Coverage,
  { colors, width, otherRequests }: CoverageTextOptions,
): string {
  const sections: string[] = []
  if (run.length > 0) {
    const rows = run.map(({ pattern, requests, itemsRead, itemsReturned }) => [
      pattern,
      String(requests),
      itemsRead === 0 ? '–' : String(itemsRead),
      itemsRead === 0 ? '–' : String(itemsReturned),
      itemsRead > itemsReturned ? `${Math.round(100 * (1 - itemsReturned / itemsRead))}%` : '',
    ])
    const columns = ['requests', 'items read', 'returned', 'wasted'].map((title) => ({
      title,
      align: 'right' as const,
    }))
    const table = { colors, ...(width !== undefined && { width }) }
    sections.push(printTable([{ title: 'pattern' }, ...columns], rows, table))
  }
  // Parts of other calls, such as a read before a write, need no pattern.
  const open = undeclared.filter(({ snippet }) => snippet !== undefined)
  if (open.length > 0) {
    const lines = open.map(({ shape, snippet }) => {
      const { count, operation, entity, index, key, filter } = shape
      const what = [
        operation,
        ...(entity ? [entity] : []),
        ...(index !== null && index !== 'primary' ? [`in ${index}`] : []),
        ...(key === null ? [] : [`by ${key}`]),
        ...(filter === null ? [] : [`with filter ${filter}`]),
      ]
      return `  ${count}× ${what.join(' ')}\n     ${colors.dim(`${snippet}`)}`
    })
    sections.push(`Sent, but not declared as a pattern:\n${lines.join('\n')}`)
  }
  if (neverRun.length > 0) sections.push(`Never run: ${neverRun.join(', ')}`)
  if (otherRequests > 0) {
    sections.push(`${countOf(otherRequests, 'request was', 'requests were')} of other schemas.`)
  }
  if (run.length + undeclared.length === 0) {
    sections.push('No request of this schema was recorded: did the tests use the library?')
  }
  const done = `${expected - neverRun.length} of ${expected} declared patterns were run (${Math.floor(percent)}%)`
  sections.push(neverRun.length === 0 ? colors.green(done) : colors.bold(done))
  return sections.join('\n\n')
}
