import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findConstants } from './limits/find-constants.ts'
import { INTERNAL, LIMITS } from './limits/limits.ts'

const root = path.resolve(import.meta.dirname, '..')
const constants = findConstants(path.join(root, 'packages/singletable/src'))
const exported = constants.filter((constant) => constant.exported)
const hidden = constants.filter(({ exported, name }) => !exported && /_(MAX|MIN)(_|$)/.test(name))

const names = (list: readonly { readonly name: string }[]): string[] =>
  list.map(({ name }) => name).toSorted()

describe('limits', () => {
  test('are found in the source', () => {
    expect(names(exported)).toContain('ITEM_SIZE_MAX_BYTES')
    expect(names(hidden)).toContain('DUMP_LENGTH_MAX')
  })

  test('have one constant each, whose name is used once', () => {
    expect(names(exported).filter((name, index, all) => all.indexOf(name) !== index)).toEqual([])
  })

  test('are all on the list that says which test looks at their edges', () => {
    expect(names(exported)).toEqual(Object.keys(LIMITS).toSorted())
  })

  test('that no caller meets are on the list that says why', () => {
    expect([...new Set(names(hidden))]).toEqual(Object.keys(INTERNAL).toSorted())
  })

  test.each(
    exported.flatMap(({ name, value }) =>
      LIMITS[name] ? [{ name, value, place: LIMITS[name] }] : [],
    ),
  )('$name: $place.file looks at limit − 1, limit and limit + 1', ({ name, value, place }) => {
    const text = readFileSync(path.join(root, place.file), 'utf8')
    if (place.words === undefined) expect(speaksOfEdges(text, name, value)).toBe(true)
    else for (const words of place.words) expect(text).toContain(words)
  })
})

/** Whether the text has the constant's name, or the limit and its two neighbours. */
function speaksOfEdges(text: string, name: string, value: number): boolean {
  if (new RegExp(`\\b${name}\\b`).test(text)) return true
  const numbers = new Set(
    (text.match(/\d[\d_]*/g) ?? []).map((digits) => Number(digits.replaceAll('_', ''))),
  )
  return [value - 1, value, value + 1].every((edge) => numbers.has(Math.abs(edge)))
}
