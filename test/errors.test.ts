import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../packages/singletable/src/errors/codes.ts'

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
const sections = page.split(/^## /m).slice(1)

test('every error code has a section in docs/errors.md, and every section is the section of a code', () => {
  const titles = sections.map((section) => section.slice(0, section.indexOf('\n')))
  expect(titles).toEqual([...ERROR_CODES].sort())
})

test('every section says more than its title', () => {
  for (const section of sections) {
    expect(section.slice(section.indexOf('\n')).trim().length).toBeGreaterThan(80)
  }
})
