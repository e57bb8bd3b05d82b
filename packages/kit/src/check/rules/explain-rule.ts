import { didYouMean } from 'singletable/tools'
import { ALL_RULES } from './all-rules.ts'
import type { Source } from './rule.ts'
import { type RuleDescription, SUPPRESSION_RULES } from './suppression-rules.ts'

/** What a rule needs besides the schema, by the option that gives it. */
export const SOURCE_OPTIONS: { readonly [TSource in Source]: string } = {
  schema: '',
  data: '--sample',
  code: '--code <directory>',
  recording: '--recording <file>',
  before: '--before <file>',
  run: '--run',
  document: '--docs',
}

/** All rules there are something to say about. */
export const DESCRIPTIONS: readonly RuleDescription[] = [...ALL_RULES, ...SUPPRESSION_RULES]

/** A rule by its code or name, in whatever case. */
export function findRule(word: string): RuleDescription | undefined {
  const wanted = word.toLowerCase()
  return DESCRIPTIONS.find(
    ({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase() === wanted,
  )
}

/** For a word that is not a rule: ` (did you mean "K01"?)`. */
export function nearestRule(word: string): string {
  return didYouMean(
    word.toUpperCase(),
    DESCRIPTIONS.map(({ code }) => code),
  )
}

/** What `--explain` prints. */
export function explainRule({
  code,
  name,
  severity,
  source,
  title,
  explanation,
}: RuleDescription): string {
  const needs = SOURCE_OPTIONS[source]
  return [
    `${code} ${name} (${severity})`,
    '',
    title,
    '',
    explanation.trim(),
    '',
    ...(needs === '' ? [] : [`Runs only with ${needs}.`]),
    `Suppress it where the design is intended: lint: { ${code}: { off: 'the reason', until: '2027-06-01', at: 'what it is about' } }`,
  ].join('\n')
}
