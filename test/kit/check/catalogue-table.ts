import { DESCRIPTIONS, SOURCE_OPTIONS } from '../../../packages/kit/src/check/rules/explain-rule.ts'

/** The catalogue as it stands in docs/check.md. To make it anew, run the test of the rules and take what it expects. */
export function catalogueTable(): string {
  const rows = DESCRIPTIONS.map(({ code, name, severity, source, title }) => {
    const needs = SOURCE_OPTIONS[source]
    const sentence = title.replaceAll('|', '\\|')
    return `| ${code} | ${name} | ${severity} | ${sentence} | ${needs === '' ? '' : `\`${needs}\``} |`
  })
  return [
    '| rule | name | severity | finds | looks with |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
