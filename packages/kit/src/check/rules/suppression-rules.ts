import type { Rule } from './rule.ts'

/** What can be said about a rule without running it. */
export type RuleDescription = Omit<Rule, 'check'>

/** What the check says about the schema's `lint` itself. Nothing can suppress these. */
export const EXPIRED: RuleDescription = {
  code: 'L01',
  name: 'suppression-expired',
  severity: 'warning',
  source: 'schema',
  title: 'An entry of lint has expired.',
  explanation: [
    'A finding can be suppressed for a reason, and the reason can have a last day. After that day the finding counts again, and this one says why it is back.',
    "Wrong after June 2027:\n\n  lint: { H01: { off: 'one tenant until the launch', until: '2027-06-01' } }",
    'Fix the design, or give the reason a later day if it still holds.',
  ].join('\n\n'),
}

export const INVALID: RuleDescription = {
  code: 'L02',
  name: 'suppression-invalid',
  severity: 'warning',
  source: 'schema',
  title: 'An entry of lint is not valid.',
  explanation: [
    'An entry of lint has the code of a rule and gives a reason; it may name a last day and what it is about. One that does not is left out, and the findings it was meant for count.',
    "Wrong:\n\n  lint: { H1: { off: 'small table' }, K05: { off: '' } }",
    "Right:\n\n  lint: { H01: { off: 'small table', until: '2027-06-01', at: 'Post' } }",
  ].join('\n\n'),
}

export const UNUSED: RuleDescription = {
  code: 'L03',
  name: 'suppression-unused',
  severity: 'info',
  source: 'schema',
  title: 'An entry of lint suppresses no finding.',
  explanation: [
    'The rule has checked everything it needs and found nothing that this entry would suppress: the design was fixed, or the names in at are not those of the finding.',
    'Remove it, so that the next finding of this kind is not suppressed for a reason that was given for another.',
  ].join('\n\n'),
}

export const SUPPRESSION_RULES: readonly RuleDescription[] = [EXPIRED, INVALID, UNUSED]
