import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type ts from 'typescript-5-9'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitDeclarations } from './emit-declarations.ts'
import { createService } from './language-service.ts'

/**
 * What an editor offers inside access patterns, as the language service of TypeScript 5.9 gives it
 * on the declaration files.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-completion-'))
const file = path.join(folder, 'program.ts')

let service: ts.LanguageService
let program = ''

const PROGRAM = (pattern: string): string => `
import { defineSchema } from './singletable/index.js'
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#\${username}', sk: 'PROFILE' },
      attributes: { username: { type: String, required: true }, email: { type: String } },
    },
    Post: {
      key: { pk: 'USER#\${username}', sk: 'POST#\${postId}' },
      index: { gsi1pk: 'STATUS#\${status}', gsi1sk: 'POST#\${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        status: { type: String, enum: ['draft', 'live'], default: 'draft' },
      },
    },
  },
  patterns: {
    other: { op: 'get', entity: 'User', by: ['username'] },
    asked: ${pattern},
  },
})
`

beforeAll(() => {
  emitDeclarations(folder)
  writeFileSync(file, '')
  service = createService(folder, file, () => program)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Of all models: to offer those of one alone would cost each pattern a third more. */
const ATTRIBUTES = ['email', 'postId', 'status', 'username']

test.each<readonly [pattern: string, offered: readonly string[]]>([
  [
    "{ op: '|' }",
    [
      'batchGet',
      'count',
      'create',
      'delete',
      'exists',
      'external',
      'get',
      'getByUnique',
      'put',
      'query',
      'scan',
      'transact',
      'transactGet',
      'update',
      'upsert',
    ],
  ],
  ["{ op: 'query', entity: '|', by: ['username'] }", ['Post', 'User']],
  ["{ op: 'query', entity: ['User', '|'], by: ['username'] }", ['Post', 'User']],
  ["{ op: 'query', entity: 'Post', index: '|', by: ['status'] }", ['byStatus', 'primary']],
  ["{ op: 'query', entity: 'Post', by: ['|'] }", ATTRIBUTES],
  ["{ op: 'query', entity: 'Post', by: ['username', '|'] }", ATTRIBUTES],
  ["{ op: 'query', entity: 'Post', by: ['username'], range: '|' }", ATTRIBUTES],
  ["{ op: 'query', entity: 'Post', by: ['username'], select: ['|'] }", ATTRIBUTES],
  ["{ op: 'get', entity: 'User', by: ['|'] }", ATTRIBUTES],
  ["{ op: 'update', entity: 'User', by: ['username'], set: ['|'] }", ATTRIBUTES],
  ["{ op: 'query', entity: 'Post', by: ['username'], where: { |} }", ATTRIBUTES],
  ["{ op: 'create', entity: '|' }", ['Post', 'User']],
])('editors offer the names of the schema at %s', (pattern, offered) => {
  const marked = PROGRAM(pattern)
  const position = marked.indexOf('|')
  program = marked.replace('|', '')
  const found = service.getCompletionsAtPosition(file, position, {})
  expect(found?.entries.map(({ name }) => name).toSorted()).toEqual(offered)
})
