import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_RULES } from '../../../packages/kit/src/check/rules/all-rules.ts'
import {
  DESCRIPTIONS,
  explainRule,
  findRule,
} from '../../../packages/kit/src/check/rules/explain-rule.ts'
import type { Rule } from '../../../packages/kit/src/check/rules/rule.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { ALL_FIXTURES } from './all-fixtures.ts'
import { catalogueTable } from './catalogue-table.ts'

/** How many rules each family has. */
const FAMILIES = { K: 17, P: 18, I: 12, S: 5, H: 6, W: 7, D: 4, M: 7 }

const CODES = Object.entries(FAMILIES).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}${String(at + 1).padStart(2, '0')}`),
)

test('there are 76 rules, in the order of the catalogue', () => {
  expect(CODES).toHaveLength(76)
  expect(ALL_RULES.map(({ code }) => code)).toEqual(CODES)
})

test('each rule has one name, which is its own', () => {
  const names = DESCRIPTIONS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

describe.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, rule: Rule) => {
  const fixtures = ALL_FIXTURES.filter((fixture) => fixture.code === code)

  test('has a design that it fires on, with its messages in full', () => {
    expect(fixtures.length).toBeGreaterThan(0)
    for (const { fires, messages } of fixtures) {
      const notices = [...rule.check(fires())]
      expect(messages.length).toBeGreaterThan(0)
      expect(notices.map(({ message }) => message)).toEqual(messages)
      for (const { fix } of notices) expect(fix).toMatch(/\S/)
    }
  })

  test('has a design that it is silent on', () => {
    for (const { silent } of fixtures) expect([...rule.check(silent())]).toEqual([])
  })

  test('is found by code and name, and explains itself', () => {
    expect(findRule(code.toLowerCase())).toBe(rule)
    expect(findRule(rule.name)).toBe(rule)
    expect(rule.title).toMatch(/^[A-Z][^\n]+\.$/)
    expect(rule.explanation.length).toBeGreaterThan(200)
    expect(explainRule(rule)).toContain(rule.title)
  })
})

test('the guide lists every rule as the rules describe themselves', () => {
  const guide = readFileSync(path.join(ROOT, 'docs/check-rules.md'), 'utf8')
  expect(guide).toContain(catalogueTable())
})
