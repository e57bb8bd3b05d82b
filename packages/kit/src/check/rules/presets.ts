import type { Rule, Severity } from './rule.ts'

/** `recommended` as the rules themselves say, `strict` for new designs, `legacy` for taking over a
 * table that exists. */
export const PRESETS = ['recommended', 'strict', 'legacy'] as const

export type PresetName = (typeof PRESETS)[number]

/** What `strict` takes one level more seriously. */
const RAISED: readonly string[] = ['K02', 'P07', 'W05']

/** Families of rules that a table which exists has to do with, whatever is thought of its
 * design. */
const LEGACY = /^[DM]/

/** The rules of a preset. */
export function rulesOf(preset: PresetName, rules: readonly Rule[]): readonly Rule[] {
  return preset === 'legacy' ? rules.filter(({ code }) => LEGACY.test(code)) : rules
}

/** How much a notice of a rule counts. */
export function severityIn(preset: PresetName, code: string, severity: Severity): Severity {
  if (preset !== 'strict' || !RAISED.includes(code)) return severity
  return severity === 'info' ? 'warning' : 'error'
}
