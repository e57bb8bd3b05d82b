import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readManifest } from '../../../../test/architecture/package-manifest.ts'
import { EnvironmentError } from './environment-error.ts'
import { loadDefinition, loadSchema } from './load-schema.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-schema-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const SCHEMA = `{
  indexes: { primary: { hash: 'pk' } },
  models: { User: { key: { pk: 'USER#\${id}' }, attributes: { id: { type: String, required: true } } } },
}`

function write(name: string, text: string): string {
  const file = path.join(directory, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

async function refusal(file?: string, exportName?: string): Promise<EnvironmentError> {
  try {
    await loadSchema(file, { directory, exportName })
  } catch (error) {
    if (error instanceof EnvironmentError) return error
    throw error
  }
  throw new Error('the schema was loaded')
}

test.each([
  [
    'TypeScript of a module',
    'schema.ts',
    `import { defineSchema } from 'singletable'\nexport const blog: object = defineSchema(${SCHEMA})`,
    'blog',
  ],
  [
    'a default export',
    'schema.mts',
    `const schema = ${SCHEMA} as const\nexport default schema`,
    'default',
  ],
  ['JavaScript', 'schema.mjs', `export const blog = ${SCHEMA}`, 'blog'],
  ['CommonJS', 'schema.cjs', `exports.blog = ${SCHEMA}`, 'blog'],
  ['CommonJS that exports it alone', 'schema.cjs', `module.exports = ${SCHEMA}`, 'default'],
  ['TypeScript for CommonJS', 'schema.cts', `exports.blog = ${SCHEMA}`, 'blog'],
])('a schema in %s is loaded', async (_, name, text, exportName) => {
  const file = write(name, text)
  const loaded = await loadSchema(name, { directory })
  expect(loaded).toMatchObject({ file, exportName, tableName: undefined })
  expect([...loaded.schema.models.keys()]).toEqual(['User'])
})

test('modules that the file imports may leave out extensions, or name them', async () => {
  write('models.ts', `export const models = ${SCHEMA}.models`)
  write('indexes.ts', `export const indexes = ${SCHEMA}.indexes`)
  write(
    'schema.ts',
    `import { models } from './models'\nimport { indexes } from './indexes.js'\nexport const blog = { indexes, models }`,
  )
  expect((await loadSchema(undefined, { directory })).exportName).toBe('blog')
})

test('without a file the schema is the one that package.json names, else one in the usual places', async () => {
  const usual = write('src/schema.ts', `export const blog = ${SCHEMA}`)
  expect((await loadSchema(undefined, { directory })).file).toBe(usual)
  const named = write('data/model.ts', `export const other = ${SCHEMA}`)
  write('package.json', '{ "singletable": { "schema": "data/model.ts" } }')
  expect((await loadSchema(undefined, { directory })).file).toBe(named)
})

test('a table can be passed as its schema, and gives its name', async () => {
  write(
    'schema.ts',
    `import { Table } from 'singletable'
     import { createEngine } from 'singletable/engine'
     export const schema = ${SCHEMA}
     export const table = new Table({ name: 'Blog', schema, client: createEngine() })`,
  )
  const loaded = await loadSchema(undefined, { directory })
  expect(loaded).toMatchObject({ exportName: 'schema', tableName: 'Blog' })
})

test('the file may use every entry of the library, installed or not', async () => {
  const { exports } = readManifest('singletable')
  const entries = Object.keys(exports ?? {}).filter((name) => !name.endsWith('.json'))
  const imports = entries.map((entry) => `import '${entry.replace('.', 'singletable')}'`)
  write('schema.ts', `${imports.join('\n')}\nexport const a = ${SCHEMA}`)
  expect((await loadSchema(undefined, { directory })).exportName).toBe('a')
})

test('of several schemas one has to be named', async () => {
  write('schema.ts', `export const a = ${SCHEMA}\nexport const b = ${SCHEMA}\nexport const c = 1`)
  expect(await refusal()).toMatchObject({
    message: 'The file exports 2 schemas.',
    fix: 'pass --export a or b',
  })
  expect((await loadSchema(undefined, { directory, exportName: 'b' })).exportName).toBe('b')
  expect((await refusal(undefined, 'c')).message).toBe('What is exported as "c" is not a schema.')
  expect((await refusal(undefined, 'd')).message).toBe('Nothing is exported as "d".')
})

test('a changed file is read again', async () => {
  write('schema.ts', `export const a = ${SCHEMA}`)
  expect((await loadSchema(undefined, { directory })).exportName).toBe('a')
  write('schema.ts', `export const b = ${SCHEMA}`)
  expect((await loadSchema(undefined, { directory })).exportName).toBe('b')
})

test('what keeps a schema from being loaded is said with the file and a fix', async () => {
  expect((await refusal()).message).toBe('No schema was found.')
  expect((await refusal('nowhere.ts')).message).toBe('There is no file "nowhere.ts".')
  const file = write('schema.ts', 'export const a = {')
  expect((await refusal()).message).toContain('The file does not parse')
  expect((await refusal()).where).toContain(file)
  write('schema.ts', '\nthrow new Error("no luck")')
  expect((await refusal()).message).toBe("The file can't be loaded: Error: no luck")
  expect((await refusal()).where).toBe(`${file}:2:7`)
  write('schema.ts', "import 'not-installed'\nexport {}")
  expect((await refusal()).message).toContain('not-installed')
  write('schema.ts', 'export const a = 1')
  expect(await refusal()).toMatchObject({
    message: 'The file exports no schema.',
    where: `${file}, which exports a`,
  })
  write('schema.ts', `export const a = { ...${SCHEMA}, modles: {} }`)
  const refused = await refusal()
  expect(refused.message).toMatch(/^SCHEMA_INVALID: .*"modles".*$/)
  expect(refused.where).toBe(`${file}, export "a": schema`)
  expect(refused.fix).not.toBe('')
  write('package.json', '{')
  expect((await refusal()).message).toContain("package.json can't be read")
})

test('a schema that ends the process is reported with its line', async () => {
  const { exit } = process
  const file = write('schema.ts', `\nprocess.exit(3)\nexport const blog = ${SCHEMA}`)
  const { message, where } = await refusal('schema.ts')
  expect(message).toContain('The file ends the process: it calls process.exit(3).')
  expect(where).toContain(`${file}:2`)
  expect(process.exit).toBe(exit)
})

test('a file that was changed is loaded as it is now', async () => {
  for (const name of ['First', 'Second']) {
    write('schema.ts', `export const blog = ${SCHEMA.replace('User', name)}`)
    const { schema } = await loadSchema('schema.ts', { directory })
    expect([...schema.models.keys()]).toEqual([name])
  }
})

test('the schema of an error of another copy of the library is loaded', async () => {
  write(
    'schema.ts',
    `const error = new Error('refused')
    error[Symbol.for('singletable.error')] = true
    error.definition = ${SCHEMA}
    throw error`,
  )
  const { definition } = await loadDefinition('schema.ts', { directory })
  expect(Object.keys(definition.models)).toEqual(['User'])
})
