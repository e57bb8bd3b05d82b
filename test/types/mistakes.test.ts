import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import ts from 'typescript-5-9'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitDeclarations } from './emit-declarations.ts'
import { createService } from './language-service.ts'
import { PROGRAM } from './program-of-a-user.ts'

/** What the compiler says of wrong calls in a user's program: golden files, by name of the
 * mistake. */
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-mistakes-'))
const file = path.join(folder, 'program.ts')

const MISTAKES = {
  'put-of-an-unknown-attribute': "Post.put({ username: 'a', title: 'x', titel: 'x' })",
  'put-without-a-required-attribute': "Post.put({ username: 'a' })",
  'put-of-another-type': "Post.put({ username: 'a', title: 7 })",
  'get-by-half-a-key': "Post.get({ username: 'a' })",
  'set-outside-the-enum': "liked.set({ status: 'x' })",
  'set-of-an-unknown-attribute': "liked.set('stats', 'draft')",
  'set-computed-from-another-type': 'liked.set({ likes: (attr) => attr.title })',
  'query-by-an-unknown-attribute': "Post.query({ titel: 'x' })",
  'query-that-no-index-answers': "Post.query({ title: 'x' })",
  'select-of-an-unknown-attribute': "drafts.select(['titel'])",
  'condition-on-an-unknown-attribute': "drafts.where((attr, op) => op.eq(attr.titel, 'x'))",
  'condition-with-another-type': "drafts.where((attr, op) => op.eq(attr.likes, 'x'))",
  'pattern-with-a-wrong-value': "table.patterns.byStatus({ status: 'x' })",
  'pattern-with-an-unknown-input': "table.patterns.byStatus({ stat: 'draft' })",
  'select-of-what-the-index-lacks': "byTeam.select(['team', 'title'])",
}

/** A schema with an index that holds only keys. */
const TASKS = `
const tasks = defineSchema({
  indexes: { primary: { hash: 'pk' }, byTeam: { hash: 'team', project: 'keys' } },
  models: {
    Task: {
      key: { pk: 'TASK#\${id}' },
      attributes: {
        id: { type: String, required: true },
        team: { type: String, required: true },
        title: { type: String, required: true },
      },
    },
  },
})
const { Task } = new Table({ name: 'tasks', schema: tasks, client }).entities
const byTeam = Task.query({ team: 'red' }).useIndex('byTeam')
`

const program = `${PROGRAM}${TASKS}\n${Object.values(MISTAKES).join('\n')}\n`
const said = new Map<number, string>()

beforeAll(() => {
  emitDeclarations(folder)
  writeFileSync(file, program)
  const service = createService(folder, file, () => program)
  for (const { start, messageText } of service.getSemanticDiagnostics(file)) {
    const line = program.slice(0, start).split('\n').length
    said.set(line, ts.flattenDiagnosticMessageText(messageText, '\n'))
  }
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('nothing else in the program is wrong', () => {
  expect(said.size).toBe(Object.keys(MISTAKES).length)
})

test.each(Object.entries(MISTAKES))('%s is explained without the schema', async (name, call) => {
  const message = said.get(program.slice(0, program.indexOf(call)).split('\n').length)
  // The schema is large: whatever comes after it is cut off.
  expect(message).not.toContain('readonly indexes')
  await expect(`${call}\n\n${message}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, '__golden__', `${name}.txt`),
  )
})
