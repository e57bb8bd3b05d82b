import { expect, test } from 'vitest'
import type { Row } from './row.ts'
import { chunksOf } from './stage-rows.ts'

async function sizesOf(count: number, cells: Row['cells']): Promise<readonly number[]> {
  async function* rows(): AsyncGenerator<Row> {
    for (let at = 0; at < count; at++) yield { cells, where: `rows.csv:${at}` }
  }
  const sizes: number[] = []
  for await (const chunk of chunksOf(rows())) sizes.push(chunk.length)
  return sizes
}

test('small rows are worked on 500 at a time', async () => {
  expect(await sizesOf(1_001, { id: '1', note: null })).toEqual([500, 500, 1])
})

test('of large rows there are never more than 4 MB and a row in a chunk', async () => {
  const large = 'x'.repeat(1024 * 1024)
  expect(await sizesOf(9, { text: large })).toEqual([4, 4, 1])
  expect(await sizesOf(9, { nested: [{ text: large }] })).toEqual([4, 4, 1])
})
