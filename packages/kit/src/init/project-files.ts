/** What the files of a new project depend on. */
export interface ProjectFileOptions {
  readonly tableName: string
  readonly importEnding: 'ts' | 'js'
  readonly test: 'node:test' | 'vitest'
}

export const SCHEMA_FILE = 'src/schema.ts'
export const PROGRAM_FILE = 'src/main.ts'
export const TEST_FILE = 'src/schema.test.ts'
export const CONFIG_FILE = 'singletable.config.ts'
export const DATA_FOLDER = '.singletable/'

export function schemaText(): string {
  return `import { defineSchema } from 'singletable'

/** Two models in one table, and the questions it answers. */
export const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      // In lower case: Alice and alice are one.
      key: { pk: 'USER#\${username:lower}', sk: 'USER#\${username:lower}' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
      },
    },
    Note: {
      // Under its user; ulids sort by time.
      key: { pk: 'USER#\${username:lower}', sk: 'NOTE#\${noteId}' },
      // And under its tag.
      index: { gsi1pk: 'TAG#\${tag}', gsi1sk: 'NOTE#\${noteId}' },
      attributes: {
        username: { type: String, required: true },
        noteId: { type: String, generate: 'ulid' },
        tag: { type: String, required: true },
        text: { type: String, required: true },
      },
      // Expected sizes, which singletable check and cost use.
      stats: { itemBytes: 300, perPartition: { average: 20, max: 5_000 } },
    },
  },
  patterns: {
    register: { op: 'create', entity: 'User' },
    getUser: { op: 'get', entity: 'User', by: ['username'] },
    writeNote: { op: 'create', entity: 'Note' },
    notesOfUser: {
      op: 'query',
      entity: 'Note',
      by: ['username'],
      ignoreCase: ['username'],
      range: 'noteId',
      order: 'desc',
      limit: 20,
    },
    userWithNotes: {
      op: 'query',
      entity: ['User', 'Note'],
      by: ['username'],
      ignoreCase: ['username'],
    },
    notesByTag: { op: 'query', entity: 'Note', index: 'gsi1', by: ['tag'], limit: 20 },
  },
})
`
}

export function programText({ tableName, importEnding }: ProjectFileOptions): string {
  return `import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { schema } from './schema.${importEnding}'

async function main(): Promise<void> {
  // DynamoDB inside this process. On AWS it is: client: new DynamoDBClient({})
  const engine = createEngine()
  const table = new Table({ name: '${tableName}', schema, client: engine })
  await table.create()

  const { register, writeNote, userWithNotes, notesByTag } = table.patterns
  await register({ username: 'alice', name: 'Alice' })
  await writeNote({ username: 'alice', tag: 'home', text: 'Water the plants' })
  await writeNote({ username: 'alice', tag: 'work', text: 'Write the report' })

  const { groups } = await userWithNotes({ username: 'alice' })
  console.log(\`\${groups.User[0]?.name} has \${groups.Note.length} notes\`)
  const { items } = await notesByTag({ tag: 'home' })
  console.log(\`at home: \${items.map((note) => note.text).join(', ')}\`)
  await engine.close()
}

void main()
`
}

export function testText({ tableName, importEnding, test }: ProjectFileOptions): string {
  const imports =
    test === 'vitest'
      ? `import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'`
      : `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'`
  const same = (is: string, wanted: string): string =>
    test === 'vitest'
      ? `expect(${is}).toEqual(${wanted})`
      : `assert.deepEqual(
    ${is},
    ${wanted},
  )`
  const refused =
    test === 'vitest'
      ? `await expect(register(alice)).rejects.toMatchObject({ code: 'ITEM_EXISTS' })`
      : `await assert.rejects(register(alice), { code: 'ITEM_EXISTS' })`
  return `${imports}
import { schema } from './schema.${importEnding}'

/** Every test has a table of its own, on an engine of its own. */
async function createTable() {
  const table = new Table({ name: '${tableName}', schema, client: createEngine() })
  await table.create()
  return table
}

test('notes are found by their user, the newest first, and by their tag', async () => {
  const { writeNote, notesOfUser, notesByTag } = (await createTable()).patterns
  await writeNote({ username: 'alice', tag: 'home', text: 'One' })
  await writeNote({ username: 'alice', tag: 'work', text: 'Two' })
  await writeNote({ username: 'bob', tag: 'home', text: 'Three' })

  const notes = await notesOfUser({ username: 'alice' })
  ${same('notes.items.map(({ text }) => text)', "['Two', 'One']")}
  const atHome = await notesByTag({ tag: 'home' })
  ${same('atHome.items.map(({ text }) => text)', "['One', 'Three']")}
})

test('a name is taken once', async () => {
  const { register } = (await createTable()).patterns
  const alice = { username: 'alice', name: 'Alice' }
  await register(alice)
  ${refused}
})
`
}

/** What no command has to be given any more. */
export function configText(tableName: string, schema: string): string {
  return `import { defineConfig } from '@singletable/kit/config'

export default defineConfig({
  schema: '${schema}',
  table: '${tableName}',
  environments: {
    // What singletable dev and singletable serve listen on.
    dev: { endpoint: 'http://localhost:8000' },
    // Chosen by --env prod, which asks before it writes:
    // prod: { table: '${tableName}-prod', profile: 'prod', region: 'eu-central-1' },
  },
})
`
}

export function tsconfigText(): string {
  return `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src", "singletable.config.ts"]
}
`
}

/** What runs TypeScript on every supported Node, in both kinds of projects. */
const RUN = 'node --import @singletable/kit/register'

export function projectScripts({ test }: ProjectFileOptions): ReadonlyMap<string, string> {
  return new Map([
    ['start', `${RUN} ${PROGRAM_FILE}`],
    ['dev', 'singletable dev'],
    ['check', 'singletable check'],
    ['docs', 'singletable docs'],
    ['test', test === 'vitest' ? 'vitest run' : `${RUN} --test ${TEST_FILE}`],
  ])
}
