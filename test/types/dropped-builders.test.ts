import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { emitDeclarations } from './emit-declarations.ts'

/** The rule of typescript-eslint that finds promises nobody waits for, with TypeScript 5.9 on the
 * declaration files: what a project gets that switches it on. */

const LINTERS = ['eslint@10.15.0', 'typescript-eslint@8.72.2']
/** typescript-eslint does not take the version of TypeScript that is installed here, so it can't be
 * a dependency. It is fetched when this test runs for the first time. */
const CACHE = path.join(ROOT, 'node_modules/.cache/linters', LINTERS.join('-').replaceAll('@', '-'))
const DOWNLOAD_MS_MAX = 120_000

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'singletable-dropped-')))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const PROGRAM = `
import { defineSchema, Table, type Transport } from './singletable/index.js'

declare const client: Transport
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#\${username}', sk: 'USER#\${username}' },
      attributes: {
        username: { type: String, required: true },
        email: { type: String, unique: true },
        visits: { type: Number },
      },
    },
  },
  patterns: {
    userOf: { op: 'get', entity: 'User', by: ['username'] },
    users: { op: 'query', entity: 'User', by: ['username'] },
    addUser: { op: 'create', entity: 'User' },
    removeUser: { op: 'delete', entity: 'User', by: ['username'] },
  },
})
const table = new Table({ name: 'Blog', schema, client })
const { User } = table.entities
const key = { username: 'alice' }

export function dropped(): void {
  User.get(key) // dropped
  User.getByUnique({ email: 'a@b.c' }) // dropped
  User.put(key) // dropped
  User.create(key) // dropped
  User.update(key).set({ email: 'x' }) // dropped
  User.update(key).add('visits', 1).where((attr, op) => op.exists(attr.email)) // dropped
  User.upsert(key).set({ email: 'x' }) // dropped
  User.save({ username: 'b' } as never, {} as never) // dropped
  User.delete(key) // dropped
  User.query(key) // dropped
  User.query(key).limit(5).count() // dropped
  User.query(key).page() // dropped
  User.scan() // dropped
  table.patterns.userOf(key) // dropped
  table.patterns.users(key) // dropped
  table.patterns.users(key).page() // dropped
  table.patterns.addUser(key) // dropped
  table.patterns.removeUser(key) // dropped
  table.transactWrite([User.put(key)]) // dropped
  table.transactGet([User.get(key)]) // dropped
  table.batchWrite([User.put(key)]) // dropped
  table.batchGet([User.get(key)]) // dropped
  table.collect(['User'], key) // dropped
  table.create() // dropped
  table.drop() // dropped
  User.get(key).execute() // dropped
  if (key) User.delete(key) // dropped
  ;[1].forEach(() => {
    User.put(key) // dropped
  })
}

export async function kept() {
  await User.get(key)
  const stored = User.put(key)
  await stored
  void User.put(key)
  await Promise.all([User.get(key), User.put(key)])
  User.delete(key).catch(() => undefined)
  User.get(key).then(console.log, () => undefined)
  await table.transactWrite([User.put(key), User.delete(key), User.check({ username: 'b' })])
  const builders = [User.get(key)]
  builders.push(User.get({ username: 'b' }))
  await table.batchGet(builders)
  User.query(key).explain()
  User.put(key).params()
  for await (const page of User.query(key).pages()) console.log(page)
  return User.query(key)
}
`

interface Linters {
  readonly ESLint: new (
    options: object,
  ) => {
    lintFiles(files: readonly string[]): Promise<
      readonly {
        readonly messages: readonly { readonly line: number; readonly ruleId: string | null }[]
      }[]
    >
  }
  readonly plugin: object
  readonly parser: object
}

/** Undefined, with a line that says why, where they can't be had; an error when REQUIRE_LINTERS
 * is 1. */
function findLinters(): Linters | undefined {
  try {
    if (!existsSync(CACHE)) {
      // Under another name until all is there.
      const started = `${CACHE}-${process.pid}`
      mkdirSync(path.join(started, 'node_modules'), { recursive: true })
      writeFileSync(path.join(started, 'package.json'), '{ "private": true }')
      execFileSync(
        'npm',
        ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent', ...LINTERS],
        { cwd: started, timeout: DOWNLOAD_MS_MAX, stdio: 'pipe' },
      )
      symlinkSync(
        path.join(ROOT, 'node_modules/typescript-5-9'),
        path.join(started, 'node_modules/typescript'),
      )
      renameSync(started, CACHE)
    }
    const load = createRequire(path.join(CACHE, 'package.json'))
    return { ...load('eslint'), ...load('typescript-eslint') }
  } catch (error) {
    if (process.env.REQUIRE_LINTERS === '1') throw error
    console.log(`typescript-eslint: skipped, ${String(error).split('\n')[0]}`)
    return undefined
  }
}

test('no-floating-promises of typescript-eslint reports each builder that is dropped, and no other', async () => {
  const linters = findLinters()
  if (linters === undefined) return
  const { ESLint, plugin, parser } = linters
  emitDeclarations(folder)
  const file = path.join(folder, 'program.ts')
  writeFileSync(file, PROGRAM)
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, types: ['node'] },
      files: ['program.ts'],
    }),
  )
  const rule = '@typescript-eslint/no-floating-promises'
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: {
          parser,
          parserOptions: { project: path.join(folder, 'tsconfig.json') },
        },
        plugins: { '@typescript-eslint': plugin },
        rules: { [rule]: 'error' },
      },
    ],
  })
  const [result] = await eslint.lintFiles([file])
  const lines = PROGRAM.split('\n')
  const textOf = (line: number): string => lines[line - 1]!.trim()
  expect(result!.messages.filter(({ ruleId }) => ruleId !== rule)).toEqual([])
  expect(result!.messages.map(({ line }) => textOf(line))).toEqual(
    lines.filter((line) => line.includes('// dropped')).map((line) => line.trim()),
  )
})
