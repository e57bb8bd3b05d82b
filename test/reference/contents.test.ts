import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONTENTS, type TextContents } from './contents.ts'

/** How much of the reference documents is tested: every heading and every code block has a test
 * that is named for it. */

const TITLE = /\b(?:test|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g

function titlesOf(file: string): readonly string[] {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  return [...source.matchAll(TITLE)].map(([, single, double]) => single ?? double ?? '')
}

function testsOf([heading, blocks, ...tests]: TextContents['parts'][number]): readonly string[] {
  return tests.length > 0 ? tests : Array.from({ length: Math.max(1, blocks) }, () => heading)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

describe('the reference documents', () => {
  for (const { file, parts } of CONTENTS) {
    test(`${file} has a test for each heading and each code block`, () => {
      const titles = titlesOf(file)
      const missing = parts.flatMap((part) =>
        testsOf(part).filter((name) => !titles.some((title) => title.startsWith(name))),
      )
      expect(missing).toEqual([])
      for (const part of parts) expect(testsOf(part).length).toBeGreaterThanOrEqual(part[1])
    })
  }

  test('have this many headings and code blocks', () => {
    const figures = CONTENTS.map(({ file, parts, prose }) => {
      const titles = titlesOf(file)
      const covered = parts.filter((part) =>
        testsOf(part).every((name) => titles.some((title) => title.startsWith(name))),
      )
      const count = (of: typeof parts) => sum(of.map(([, blocks]) => blocks))
      return {
        text: file.slice(0, 1),
        headings: `${covered.length} of ${parts.length}`,
        prose: prose.length,
        blocks: `${count(covered)} of ${count(parts)}`,
      }
    })
    // The totals are those of the documents themselves, which are not part of this repository.
    expect(figures).toEqual([
      { text: '1', headings: '31 of 31', prose: 1, blocks: '23 of 23' },
      { text: '2', headings: '11 of 11', prose: 2, blocks: '9 of 9' },
      { text: '3', headings: '22 of 22', prose: 1, blocks: '15 of 15' },
      { text: '4', headings: '33 of 33', prose: 1, blocks: '24 of 24' },
      { text: '5', headings: '44 of 44', prose: 3, blocks: '25 of 25' },
    ])
    console.table(figures)
  })
})
