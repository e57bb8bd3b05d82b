import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInit } from '../../packages/kit/src/cli/init-command.ts'
import { runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__/init')

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-init-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const init = (...parameters: readonly string[]) => runCli(['init', ...parameters], { directory })

function write(file: string, text: string): void {
  const target = path.join(directory, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}

const read = (file: string): string => readFileSync(path.join(directory, file), 'utf8')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(directory, folder), { recursive: true, encoding: 'utf8' }).sort()

test('an empty folder becomes a project, and says what comes next', async () => {
  const run = await init('notes', '--yes')
  const files = filesIn('notes').filter((file) => file !== 'src')
  const strings = files.map((file) => `== ${file}\n${read(`notes/${file}`)}`)
  await expect(
    [showRun(['init', 'notes', '--yes'], run), ...strings].join('\n'),
  ).toMatchFileSnapshot(path.join(GOLDEN, 'empty.txt'))
})

test('a project that is there keeps its files, its scripts and its layout', async () => {
  const manifest = `{
\t"name": "shop",
\t"scripts": {
\t\t"dev": "vite", "test": "vitest run"
\t},
\t"devDependencies": { "vitest": "4.0.0", "typescript": "5.9.0" }
}
`
  write('package.json', manifest)
  write('tsconfig.json', '{ "compilerOptions": { "module": "commonjs" } }')
  write('.gitignore', 'dist')
  write('src/main.ts', '// mine')
  write('pnpm-lock.yaml', '')
  const run = await init('--table', 'Shop')
  await expect(
    [
      showRun(['init', '--table', 'Shop'], run),
      `== package.json\n${read('package.json')}`,
      `== src/schema.test.ts\n${read('src/schema.test.ts')}`,
    ].join('\n'),
  ).toMatchFileSnapshot(path.join(GOLDEN, 'existing.txt'))
  expect(read('src/main.ts')).toBe('// mine')
  expect(read('.gitignore')).toBe('dist\n.singletable/\n')
  // Without the setting that allows it, a file of TypeScript has the name of the compiled one in
  // imports.
  expect(read('src/schema.test.ts')).toContain("from './schema.js'")
  const before = read('package.json')
  const again = await init('--table', 'Shop')
  expect(again.code).toBe(0)
  expect(read('package.json')).toBe(before)
  expect(read('.gitignore')).toBe('dist\n.singletable/\n')
})

test('a project with a schema gets scripts, and no program for another schema', async () => {
  write('db/schema.ts', 'export const schema = {}')
  const { printed } = await init('--json')
  expect(JSON.parse(printed)).toMatchObject({
    directory,
    type: 'module',
    made: ['singletable.config.ts', 'tsconfig.json', 'package.json', '.gitignore'],
    changed: [],
    kept: [{ file: 'db/schema.ts', why: 'it is the schema of the project' }],
    installed: false,
  })
  expect(Object.keys(JSON.parse(read('package.json')).scripts)).toEqual(['dev', 'check', 'docs'])
})

test('--force overwrites, and says so', async () => {
  write('package.json', '{ "scripts": { "dev": "vite" } }')
  write('src/schema.ts', '// mine')
  const { printed } = await init('--force', '--json')
  expect(JSON.parse(printed).changed).toContainEqual({ file: 'src/schema.ts', what: 'overwritten' })
  expect(read('src/schema.ts')).toContain('defineSchema')
  expect(JSON.parse(read('package.json')).scripts.dev).toBe('singletable dev')
  expect(JSON.parse(printed).type).toBe('commonjs')
})

test('--dry-run makes nothing', async () => {
  const { code, printed } = await init('notes', '--dry-run')
  expect(code).toBe(0)
  expect(printed).toContain('This would be made in notes')
  expect(existsSync(path.join(directory, 'notes'))).toBe(false)
})

test('on a terminal it asks for what was not typed, and an empty answer takes the default', async () => {
  const asked = new PassThrough()
  const chunks: string[] = []
  asked.on('data', (chunk) => chunks.push(String(chunk)))
  const printed: string[] = []
  const ask = (parameters: readonly string[], answers: string): Promise<number> =>
    runInit(parameters, {
      print: (text) => void printed.push(text),
      printError: (text) => void printed.push(text),
      directory,
      isTerminal: true,
      environment: { NO_COLOR: '1' },
      standardInput: Object.assign(Readable.from([Buffer.from(answers)]), { isTTY: true }),
      standardOutput: asked,
    })
  expect(await ask([], 'mine\nDiary\n')).toBe(0)
  expect(read('mine/src/main.ts')).toContain("name: 'Diary'")
  expect(chunks.join('')).toBe('Folder of the project (.): Name of the table (Notes): ')
  expect(await ask(['other'], '\n')).toBe(0)
  expect(read('other/src/main.ts')).toContain("name: 'Notes'")
  chunks.length = 0
  expect(await ask(['third', '--yes'], 'never\n')).toBe(0)
  expect(chunks).toEqual([])
})

test.each([
  ['{', 3, 'package.json is not valid JSON'],
  ['[]', 3, 'package.json is not an object.'],
  ['{ "scripts": [] }', 3, '"scripts" in package.json is not an object.'],
  [`{ "a": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`, 3, 'add the scripts yourself'],
])(
  'a package.json that begins with %.20s is refused, and nothing is written',
  async (text, code, message) => {
    write('package.json', text)
    const refused = await init()
    expect(refused.complaints).toContain(message)
    expect(refused.code).toBe(code)
    expect(filesIn('.')).toEqual(['package.json'])
  },
)

test.each([
  [['a', 'b'], 2, 'There are several directories.'],
  [['--table', 'x'], 2, '"x" can\'t be the name of a table.'],
  [['file'], 3, 'It is a file, not a folder.'],
  [['file/below'], 3, "The project can't be written"],
  // The system says that it isn't there, also after its parents were made.
  [['/proc/singletable/project'], 3, "The project can't be written"],
])('%j is refused', async (parameters, code, message) => {
  write('file', '')
  const refused = await init(...parameters)
  expect(refused.complaints).toContain(message)
  expect(refused.complaints).toContain('fix:')
  expect(refused.code).toBe(code)
})

test('--install runs the commands that it would name, in the project', async () => {
  const tools = path.join(directory, 'tools')
  mkdirSync(tools)
  const npm = path.join(tools, 'npm')
  writeFileSync(npm, '#!/bin/sh\necho "$PWD $*" >> installed\n[ ! -e fail ]\n')
  chmodSync(npm, 0o755)
  const environment = { PATH: `${tools}:/usr/bin:/bin` }
  const run = await runCli(['init', 'notes', '--install', '--json'], { directory, environment })
  expect(run.code).toBe(0)
  expect(JSON.parse(run.printed)).toMatchObject({
    installed: true,
    next: ['cd notes', 'npm run dev'],
  })
  const place = execFileSync('pwd', ['-P'], {
    cwd: path.join(directory, 'notes'),
    encoding: 'utf8',
  })
  expect(read('notes/installed')).toBe(
    `${place.trim()} install singletable\n${place.trim()} install --save-dev @singletable/kit typescript @types/node\n`,
  )
  write('other/fail', '')
  const failed = await runCli(['init', 'other', '--install', '--json'], { directory, environment })
  expect(failed.code).toBe(1)
  expect(failed.complaints).toContain(
    'run it there yourself: npm install singletable && npm install',
  )
})
