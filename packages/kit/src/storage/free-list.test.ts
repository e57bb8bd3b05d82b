import { expect, test } from 'vitest'
import { repeatCommit } from './free-list.ts'

const lmdbError = (code: number): Error => Object.assign(new Error(`code ${code}`), { code })
const NOT_FOUND = -30798
const BAD_KEY_SIZE = -30781
const BAD_TRANSACTION = -30782
const MAP_FULL = -30792

/** Commits that fail with these codes one after the other, and then succeed. */
function commits(...codes: readonly number[]) {
  const made: string[] = []
  const of = (name: string, list: number[]) => async (): Promise<void> => {
    made.push(name)
    const code = list.shift()
    if (code !== undefined) throw lmdbError(code)
  }
  return { made, whole: of('whole', [...codes]), small: of('small', []), of }
}

test('a commit that succeeds is made once', async () => {
  const { made, whole, small } = commits()
  await repeatCommit(whole, small)
  expect(made).toEqual(['whole'])
})

test('a commit that fails in the list of free pages is made again after a small one', async () => {
  const { made, whole, small } = commits(NOT_FOUND, BAD_KEY_SIZE, BAD_TRANSACTION)
  await repeatCommit(whole, small)
  expect(made.join(' ')).toBe('whole small whole small whole small whole')
})

test('a commit that fails in the list of free pages four times has failed', async () => {
  const { made, whole, small } = commits(NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND)
  await expect(repeatCommit(whole, small)).rejects.toMatchObject({ code: NOT_FOUND })
  expect(made.filter((name) => name === 'whole')).toHaveLength(4)
})

test('any other failure is final, of the commit as of the small one', async () => {
  const full = commits(MAP_FULL)
  await expect(repeatCommit(full.whole, full.small)).rejects.toMatchObject({ code: MAP_FULL })
  expect(full.made).toEqual(['whole'])
  const { made, whole, of } = commits(NOT_FOUND)
  await expect(repeatCommit(whole, of('small', [MAP_FULL]))).rejects.toMatchObject({
    code: MAP_FULL,
  })
  expect(made).toEqual(['whole', 'small'])
  const again = commits(NOT_FOUND)
  await repeatCommit(again.whole, again.of('small', [NOT_FOUND]))
  expect(again.made).toEqual(['whole', 'small', 'whole'])
})
