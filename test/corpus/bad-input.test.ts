import { afterAll, describe, expect, test } from 'vitest'
import { batchCases } from './batch-cases.ts'
import { binaryCases } from './binary-cases.ts'
import { controlCases } from './control-cases.ts'
import { type CorpusCase, runCase } from './corpus-case.ts'
import { documentCases } from './document-cases.ts'
import { CORPUS_SIZES, ELSEWHERE, range } from './elsewhere.ts'
import { expressionCases } from './expression-cases.ts'
import { indexCases } from './index-cases.ts'
import { jsonCases } from './json-cases.ts'
import { libraryBatchCases } from './library-batch-cases.ts'
import { libraryKeyCases } from './library-key-cases.ts'
import { libraryLifeCases } from './library-life-cases.ts'
import { libraryNameCases } from './library-name-cases.ts'
import { libraryQueryCases } from './library-query-cases.ts'
import { libraryValueCases } from './library-value-cases.ts'
import { lifeCases } from './life-cases.ts'
import { nameCases } from './name-cases.ts'
import { numberCases } from './number-cases.ts'
import { queryCases } from './query-cases.ts'
import { stringCases } from './string-cases.ts'
import { wireCases } from './wire-cases.ts'

const cases: readonly CorpusCase[] = [
  ...wireCases,
  ...jsonCases,
  ...numberCases,
  ...stringCases,
  ...binaryCases,
  ...documentCases,
  ...nameCases,
  ...expressionCases,
  ...queryCases,
  ...indexCases,
  ...batchCases,
  ...controlCases,
  ...lifeCases,
  ...libraryValueCases,
  ...libraryKeyCases,
  ...libraryNameCases,
  ...libraryQueryCases,
  ...libraryBatchCases,
  ...libraryLifeCases,
]

afterAll(() => {
  // A vitest hook that throws fails the file.
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})

describe('bad input', () => {
  test.each(cases.map((corpusCase) => ({ ...corpusCase, corpusCase })))(
    '$id: $name',
    ({ corpusCase }) => runCase(corpusCase),
  )
})

describe('the corpus of bad input', () => {
  const tested = new Set(cases.map(({ id }) => id))
  const all = Object.entries(CORPUS_SIZES).flatMap(([letter, size]) => range(letter, 1, size))

  test('has 422 inputs', () => {
    expect(all).toHaveLength(422)
  })

  test('has a row here for every input, or names who else must refuse it', () => {
    const forgotten = all.filter((id) => !tested.has(id) && !Object.hasOwn(ELSEWHERE, id))
    expect(forgotten).toEqual([])
  })

  test('sends nothing elsewhere that has a row here', () => {
    expect(Object.keys(ELSEWHERE).filter((id) => tested.has(id))).toEqual([])
  })

  test('has no row for an input that it does not list', () => {
    expect([...tested, ...Object.keys(ELSEWHERE)].filter((id) => !all.includes(id))).toEqual([])
  })

  test('distinguishes its rows by id and name', () => {
    const titles = cases.map(({ id, name }) => `${id}: ${name}`)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})
