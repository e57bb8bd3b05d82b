import type { Report } from '../check-design.ts'
import type { Finding, Severity } from '../rules/rule.ts'

const COMMANDS: { readonly [TSeverity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
}

/** Commands of GitHub's workflows, which show the findings next to the code: a line for each. */
export function reportGithub({ findings }: Report, schemaFile: string): string {
  return findings.map((finding) => commandOf(finding, schemaFile)).join('\n')
}

function commandOf(finding: Finding, schemaFile: string): string {
  const { severity, code, name, message, fix, place, position } = finding
  const { file = schemaFile, line } = place.file === undefined && position ? position : place
  const properties = [
    ['file', file],
    ...(line === undefined ? [] : [['line', String(line)]]),
    ...(place.file === undefined && position ? [['col', String(position.column)]] : []),
    ['title', `${code} ${name}`],
  ]
  const text = properties.map(([key, value = '']) => `${key}=${escapeProperty(value)}`).join(',')
  return `::${COMMANDS[severity]} ${text}::${escapeData(`${message}\nFix: ${fix}`)}`
}

/** What would end the line, or be read as an escape. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** And what would end the property. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
