import type { PatternPlan } from 'singletable/tools'
import { expect, test } from 'vitest'
import type { PatternReport } from '../dev/run-pattern.ts'
import { printPatterns } from './pattern-text.ts'
import { colorsFor } from './terminal.ts'

const ID = '01KDVDNBYG17J9Z6SK03CZXXXQ'
const report = {
  name: 'posts',
  plan: {
    op: 'Query',
    index: 'primary',
    key: {},
    alsoReads: [],
    requests: 1,
  } as never as PatternPlan,
  outcome: {
    kind: 'answered',
    input: { userId: ID, postId: ID },
    groups: new Map([['Post', [{ authorId: ID, title: 'A title of many words', tags: 'x' }]]]),
    itemsRead: 1,
  },
} as never as PatternReport
const print = (width: number, wide = false): string =>
  printPatterns([report], { colors: colorsFor({} as never), width, wide })

test('ids are whole on a narrow terminal, and long sentences are cut', () => {
  const text = print(60)
  expect(text.split(ID)).toHaveLength(4)
  expect(text).toContain('…')
  expect(text).not.toContain('many words')
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
})

test('--wide shows everything in full', () => {
  expect(print(60, true)).toContain('title="A title of many words"  tags=x')
})
