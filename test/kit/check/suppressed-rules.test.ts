import type { LintDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { checkDesign, type Report } from '../../../packages/kit/src/check/check-design.ts'
import type { Design } from '../../../packages/kit/src/check/design/design.ts'
import { ALL_RULES } from '../../../packages/kit/src/check/rules/all-rules.ts'
import { namesOf } from '../../../packages/kit/src/check/rules/suppressions.ts'
import { ALL_FIXTURES } from './all-fixtures.ts'

const TODAY = '2026-11-16'

/** About the whole schema, and no part of it. */
const WITHOUT_PLACE = ['K06', 'K14', 'I02', 'I06', 'D01', 'M02']

function check(design: Design, code: string, lint: LintDefinition): Report {
  const definition = { ...design.definition, lint: { [code]: lint } }
  return checkDesign({ ...design, definition }, { today: TODAY, only: [code] })
}

describe.each(ALL_RULES.map(({ code }) => code))('%s', (code) => {
  const fixtures = ALL_FIXTURES.filter((fixture) => fixture.code === code)
  const all = fixtures.flatMap(({ fires }) => {
    const design = fires()
    const { findings } = checkDesign(design, { today: TODAY, only: [code] })
    return findings.map((finding) => ({ design, finding }))
  })

  test('is suppressed by a reason, and by one that has not expired', () => {
    for (const { design, finding } of all) {
      for (const until of [undefined, TODAY]) {
        const { findings, suppressed } = check(design, code, {
          off: 'on purpose',
          ...(until && { until }),
        })
        expect(findings).toEqual([])
        expect(suppressed.map(({ message }) => message)).toContain(finding.message)
      }
    }
  })

  test('counts again when the reason is over', () => {
    for (const { design, finding } of all) {
      const { findings } = check(design, code, { off: 'on purpose', until: '2026-11-15' })
      expect(findings.map(({ message }) => message)).toContain(finding.message)
    }
  })

  test('is suppressed at every place that it names, and at no other', () => {
    for (const { design, finding } of all) {
      const names = namesOf(finding.place)
      if (!WITHOUT_PLACE.includes(code)) expect(names).not.toEqual([])
      for (const at of names) {
        const { suppressed } = check(design, code, { off: 'on purpose', at })
        expect(suppressed.map(({ message }) => message)).toContain(finding.message)
      }
      const { findings } = check(design, code, { off: 'on purpose', at: 'somewhere else' })
      expect(findings.map(({ message }) => message)).toContain(finding.message)
    }
  })
})
