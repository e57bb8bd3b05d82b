import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type SchemaEdit, suggestEdits } from './suggest-edits.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'suggest-'))
afterAll(() => rmSync(directory, { recursive: true }))

const file = path.join(directory, 'schema.ts')
writeFileSync(
  file,
  `const text = { type: String, required: true }
export const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#\${name}', sk: 'USER' },
      index: { gsi1pk: 'ALL', gsi1sk: 'USER#\${name}' },
      attributes: { name: text, email: { type: String } },
    },
  },
  patterns: {
    save: { op: 'put', entity: 'User' },
  },
})
`,
)

/** The lines that change, as in a diff. */
function diff(...edits: readonly SchemaEdit[]): readonly string[] | undefined {
  const hunks = suggestEdits({ file, exportName: 'schema', directory })(edits)
  return hunks?.flatMap(({ lines }) =>
    lines.flatMap(({ mark, text }) => (mark === ' ' ? [] : [`${mark}${text}`])),
  )
}

test('a value is replaced', () => {
  expect(diff({ path: ['patterns', 'save', 'op'], code: "'create'" })).toEqual([
    "-    save: { op: 'put', entity: 'User' },",
    "+    save: { op: 'create', entity: 'User' },",
  ])
})

test('a member is added in one line, and as a line of its own', () => {
  expect(diff({ path: ['models', 'User', 'attributes', 'email', 'unique'], code: 'true' })).toEqual(
    [
      '-      attributes: { name: text, email: { type: String } },',
      '+      attributes: { name: text, email: { type: String, unique: true } },',
    ],
  )
  expect(diff({ path: ['patterns', 'create'], code: "{ op: 'create', entity: 'User' }" })).toEqual([
    "+    create: { op: 'create', entity: 'User' },",
  ])
})

test('objects that are not there yet are added with the member', () => {
  expect(diff({ path: ['models', 'User', 'stats', 'growth'], code: "'bounded'" })).toEqual([
    "+      stats: { growth: 'bounded' },",
  ])
})

test('a constant that others share is spread, not changed', () => {
  expect(diff({ path: ['models', 'User', 'attributes', 'name', 'unique'], code: 'true' })).toEqual([
    '-      attributes: { name: text, email: { type: String } },',
    '+      attributes: { name: { ...text, unique: true }, email: { type: String } },',
  ])
})

test('members are removed with their comma, and with their line if they are alone in it', () => {
  expect(
    diff({ path: ['indexes', 'gsi1'] }, { path: ['models', 'User', 'index', 'gsi1pk'] }),
  ).toEqual([
    "-    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },",
    "-      index: { gsi1pk: 'ALL', gsi1sk: 'USER#${name}' },",
    "+      index: { gsi1sk: 'USER#${name}' },",
  ])
})

test('changes that are near each other are one hunk', () => {
  const edits = ['gsi1pk', 'gsi1sk'].map((name) => ({ path: ['models', 'User', 'index', name] }))
  const hunks = suggestEdits({ file, exportName: 'schema', directory })([
    ...edits,
    { path: ['models', 'User', 'key', 'sk'], code: "'U'" },
  ])
  expect(hunks?.map(({ line, lines }) => [line, lines.map(({ mark }) => mark).join('')])).toEqual([
    [7, '  -+-+  '],
  ])
})

test('what has no place in the file gives no suggestion', () => {
  expect(diff({ path: ['patterns', 'gone', 'op'] })).toBe(undefined)
})

test('a hunk names its file and its first line', () => {
  const [hunk] =
    suggestEdits({ file, exportName: 'schema', directory })([
      { path: ['patterns', 'save', 'op'], code: "'create'" },
    ]) ?? []
  expect(hunk).toMatchObject({ file: 'schema.ts', line: 13 })
  expect(hunk?.lines.map(({ mark }) => mark).join('')).toBe('  -+  ')
})
