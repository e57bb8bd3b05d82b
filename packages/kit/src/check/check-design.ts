import type { Locate } from '../schema-file/locate-schema.ts'
import type { Design } from './design/design.ts'
import { ALL_RULES } from './rules/all-rules.ts'
import { compareFindings } from './rules/compare-findings.ts'
import { issueFindings } from './rules/issue-findings.ts'
import { type PresetName, rulesOf, severityIn } from './rules/presets.ts'
import type { Finding, Rule, Severity, Source } from './rules/rule.ts'
import { applySuppressions } from './rules/suppressions.ts'

export interface CheckOptions {
  readonly preset?: PresetName | undefined
  /** The day it is, as `2026-11-16`: reasons in `lint` can have a last one. */
  readonly today: string
  /** All rules unless given. */
  readonly rules?: readonly Rule[] | undefined
  /** Finds where the schema is written. */
  readonly locate?: Locate | undefined
  /** Codes of the rules that count; all unless given. */
  readonly only?: readonly string[] | undefined
}

/** What a check found. */
export interface Report {
  /** What counts: the worst first, then by place and code. */
  readonly findings: readonly Finding[]
  /** What the schema's `lint` gives a reason for. */
  readonly suppressed: readonly Finding[]
  readonly counts: { readonly [TSeverity in Severity]: number }
  /** How many rules could look at all they need. */
  readonly rulesRun: number
}

/** Looks at a design with every rule of the preset. */
export function checkDesign(design: Design, options: CheckOptions): Report {
  const { preset = 'recommended', today, rules = ALL_RULES, only, locate } = options
  const chosen = rulesOf(preset, rules).filter(({ code }) => !only || only.includes(code))
  const found = chosen.flatMap((rule) => findingsOf(rule, design, preset))
  const ran = chosen.filter(({ source }) => isGiven(source, design)).map(({ code }) => code)
  const { findings, suppressed } = applySuppressions(found, {
    lint: design.definition.lint,
    comments: design.code?.suppressions,
    today,
    known: rules.map(({ code }) => code),
    ran,
  })
  const faults = issueFindings(design.issues, findings)
  const all = [...findings, ...faults]
    .filter(({ code }) => !only || only.includes(code))
    .sort(compareFindings)
  // What is in other code has its line there.
  const placed = (finding: Finding): Finding =>
    locate === undefined || finding.place.file !== undefined
      ? finding
      : { ...finding, position: locate(finding.place) }
  const count = (severity: Severity): number =>
    all.filter((finding) => finding.severity === severity).length
  return {
    findings: all.map(placed),
    suppressed: [...suppressed].sort(compareFindings).map(placed),
    counts: { error: count('error'), warning: count('warning'), info: count('info') },
    rulesRun: ran.length,
  }
}

function findingsOf(rule: Rule, design: Design, preset: PresetName): readonly Finding[] {
  const { code, name } = rule
  return Array.from(rule.check(design), (notice) => ({
    ...notice,
    code,
    name,
    severity: severityIn(preset, code, notice.severity ?? rule.severity),
  }))
}

/** Whether there is what a rule needs besides the schema. */
function isGiven(source: Source, design: Design): boolean {
  const evidence: { readonly [TSource in Source]: unknown } = {
    schema: design,
    data: design.sample,
    code: design.code,
    recording: design.recording,
    before: design.before,
    run: design.exercise,
    document: design.document,
  }
  return evidence[source] !== undefined
}
