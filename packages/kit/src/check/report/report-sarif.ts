import type { Report } from '../check-design.ts'
import { printPlace } from '../rules/compare-findings.ts'
import { findRule } from '../rules/explain-rule.ts'
import type { Finding, Severity } from '../rules/rule.ts'

/** SARIF's words for how bad it is. */
const LEVELS: { readonly [TSeverity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

export interface SarifOptions {
  /** Of the command. */
  readonly version: string
  /** Relative to the project: where findings are that have no file of their own. */
  readonly schemaFile: string
}

/** SARIF 2.1.0, which code scanning services and editors read. */
export function reportSarif(
  { findings, suppressed }: Report,
  { version, schemaFile }: SarifOptions,
): string {
  const all = [...findings, ...suppressed]
  const codes = [...new Set(all.map(({ code }) => code))].sort()
  const rules = codes.map((code) => describe(code, all))
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'singletable', version, rules } },
        columnKind: 'utf16CodeUnits',
        results: all.map((finding) => resultOf(finding, codes, schemaFile)),
      },
    ],
  }
  return JSON.stringify(log, undefined, 2)
}

/** What the library refuses has its own code, and is not a rule of the catalogue. */
function describe(code: string, all: readonly Finding[]): object {
  const rule = findRule(code)
  const name = rule?.name ?? all.find((finding) => finding.code === code)?.name
  const title = rule?.title ?? 'The library refuses it.'
  return {
    id: code,
    name,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: rule?.explanation ?? `See docs/errors.md#${code.toLowerCase()}.` },
    defaultConfiguration: { level: LEVELS[rule?.severity ?? 'error'] },
  }
}

function resultOf(finding: Finding, codes: readonly string[], schemaFile: string): object {
  const { code, severity, message, fix, place, position, suppressed } = finding
  const isInSchema = place.file === undefined && position !== undefined
  const { file = schemaFile, line } = isInSchema ? position : place
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: `${message} Fix: ${fix}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(file), uriBaseId: '%SRCROOT%' },
          region: { startLine: line ?? 1, ...(isInSchema && { startColumn: position.column }) },
        },
        logicalLocations: [{ fullyQualifiedName: printPlace(place) }],
      },
    ],
    // The same finding in the next run, though its line or figures have changed.
    partialFingerprints: { place: `${code}:${printPlace({ ...place, line: undefined })}` },
    ...(suppressed && {
      suppressions: [{ kind: 'inSource', justification: suppressed.reason }],
    }),
  }
}
