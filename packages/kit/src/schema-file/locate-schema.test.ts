import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { IssueSubject } from 'singletable/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadDefinition } from './load-schema.ts'
import { locateSchema } from './locate-schema.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-locate-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

/** Where each subject is found, as `file:line:column` and the text there. */
async function located(
  files: { readonly [name: string]: string },
  subjects: readonly IssueSubject[],
): Promise<readonly string[]> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const loaded = await loadDefinition('schema.ts', { directory })
  const locate = locateSchema({ ...loaded, directory })
  return subjects.map((subject) => {
    const { file, line, column } = locate(subject)
    const text = files[file]?.split('\n')[line - 1]?.slice(column - 1) ?? '?'
    return `${file}:${line}:${column} ${text.split(/[:,(]/)[0]}`
  })
}

const SUBJECTS: readonly IssueSubject[] = [
  { model: 'User' },
  { model: 'User', attribute: 'name' },
  { model: 'User', attribute: 'pk', index: 'primary' },
  { index: 'gsi1' },
  { pattern: 'users' },
  { pattern: 'save.first' },
  { model: 'Short', attribute: 'sk' },
  { model: 'Short', attribute: 'name' },
]

test('attributes, models, indexes, patterns and copies are found where they are written', async () => {
  const schema = `import { defineSchema } from 'singletable'

export const blog = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk' },
  },
  models: {
    User: {
      key: { pk: 'USER#\${name}', sk: 'USER' },
      attributes: {
        name: { type: String },
      },
      copies: {
        Short: { key: { pk: 'S', sk: '\${name}' } },
      },
    },
  },
  patterns: {
    users: { op: 'get', entity: 'User', by: ['name'] },
    save: { op: 'transact', steps: {
      first: { op: 'create', entity: 'User' },
    } },
  },
})
`
  expect(await located({ 'schema.ts': schema }, [...SUBJECTS, {}])).toEqual([
    'schema.ts:9:5 User',
    'schema.ts:12:9 name',
    'schema.ts:10:14 pk',
    'schema.ts:6:5 gsi1',
    'schema.ts:20:5 users',
    'schema.ts:22:7 first',
    'schema.ts:15:34 sk',
    'schema.ts:12:9 name',
    'schema.ts:3:21 defineSchema',
  ])
})

test('also in a schema of several files and constants', async () => {
  const files = {
    'schema.ts': `import { User as Account } from './models/user.js'
import * as patterns from './patterns.ts'
const indexes = { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk' } }
const schema = { indexes, models: { User: { ...Account } }, patterns: { ...patterns.all } } as const
export default schema
`,
    'models/user.ts': `import { named } from './shared.ts'
export const User = {
  key: { pk: 'USER#\${name}', sk: 'USER' },
  attributes: { ...named },
  copies: { Short: { key: { pk: 'S', sk: '\${name}' } } },
} as const
`,
    'models/shared.ts': 'const name = { type: String } as const\nexport const named = { name }\n',
    'patterns.ts': `export const all = {
  users: { op: 'get', entity: 'User', by: ['name'] },
  save: { op: 'transact', steps: { first: { op: 'create', entity: 'User' } } },
} as const
`,
  }
  expect(await located(files, SUBJECTS)).toEqual([
    'schema.ts:4:37 User',
    'models/shared.ts:2:24 name }',
    'models/user.ts:3:10 pk',
    'schema.ts:3:56 gsi1',
    'patterns.ts:2:3 users',
    'patterns.ts:3:36 first',
    'models/user.ts:5:38 sk',
    'models/shared.ts:2:24 name }',
  ])
})

test('what the source does not say is found at the nearest part that it does', async () => {
  const schema = `const attributes = () => ({ name: { type: String } })
export const made = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: Object.fromEntries(['User'].map((name) => [name, { key: { pk: 'A#\${name}', sk: 'B' }, attributes: attributes() }])),
}
`
  expect(await located({ 'schema.ts': schema }, [{ model: 'User', attribute: 'name' }])).toEqual([
    'schema.ts:2:21 {',
  ])
})

test('a schema that defineSchema() refuses is found by its call', async () => {
  const schema = `import { defineSchema } from 'singletable'
export const blog = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'USER#\${nam}' },
      attributes: { name: { type: String } },
    },
  },
})
`
  expect(await located({ 'schema.ts': schema }, [{ model: 'User', attribute: 'pk' }])).toEqual([
    'schema.ts:6:14 pk',
  ])
})
