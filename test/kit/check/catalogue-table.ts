import { DESCRIPTIONS, SOURCE_OPTIONS } from '../../../packages/kit/src/check/rules/explain-rule.ts'

/** The table of docs/check-rules.md. To update the page, run all-rules.test.ts and copy what it
 * expects. */
export function catalogueTable(): string {
  const rows = DESCRIPTIONS.map(({ code, name, severity, source, title }) => {
    const needs = SOURCE_OPTIONS[source]
    const sentence = title.replaceAll('|', '\\|')
    return `| ${code} | ${name} | ${severity} | ${sentence} | ${needs === '' ? '' : `\`${needs}\``} |`
  })
  return [
    '| rule | name | severity | finds | needs |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
