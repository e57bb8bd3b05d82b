import { expect, test } from 'vitest'
import { HandledRecords } from './handled-records.ts'

test('of more records than the limit the oldest are forgotten', () => {
  const handled = new HandledRecords(2)
  for (const id of ['a', 'b']) handled.add(id)
  expect(['a', 'b'].map((id) => handled.has(id))).toEqual([true, true])
  handled.add('c')
  expect(['a', 'b', 'c'].map((id) => handled.has(id))).toEqual([false, true, true])
})
