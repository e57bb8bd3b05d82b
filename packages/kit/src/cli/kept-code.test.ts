import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { KEPT_FILES_MAX } from './kept-code.ts'

let folder: string
let cache: string
let program: string
let code: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'singletable-kept-code-'))
  program = path.join(folder, 'program.mjs')
  code = path.join(folder, 'code.cjs')
  await build({
    stdin: {
      contents: `import { requireKept } from './kept-code.ts'
        const [file, folder, use] = process.argv.slice(2)
        requireKept(file, { folder: folder || undefined, use })`,
      resolveDir: import.meta.dirname,
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
})

beforeEach(() => {
  cache = mkdtempSync(path.join(folder, 'cache-'))
  writeFileSync(code, "console.log('first')")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (use = 'check', place = cache): string =>
  execFileSync(process.execPath, [program, code, place, use], { encoding: 'utf8' }).trim()

const kept = (): readonly string[] => readdirSync(cache)

test('compiled code is kept once for each use', () => {
  expect([run(), run(), run()]).toEqual(['first', 'first', 'first'])
  expect(kept()).toHaveLength(1)
  run('query')
  expect(kept()).toHaveLength(2)
})

test('what is kept is used, and a file that changed is compiled again', () => {
  run()
  const [name = ''] = kept()
  const before = readFileSync(path.join(cache, name))
  run()
  expect(readFileSync(path.join(cache, name)).equals(before)).toBe(true)
  writeFileSync(code, "console.log('other')")
  utimesSync(code, 1, 1)
  expect(run()).toBe('other')
  expect(kept()).toHaveLength(2)
})

test('what is kept and is not compiled code is replaced', () => {
  run()
  const [name = ''] = kept()
  writeFileSync(path.join(cache, name), 'broken')
  expect(run()).toBe('first')
  expect(readFileSync(path.join(cache, name), 'utf8')).not.toBe('broken')
})

test('a run that fails keeps what it compiled until one succeeds', () => {
  writeFileSync(code, 'process.exitCode = Number(process.env.CODE ?? 0)')
  const runWith = (exitCode: string): number | null =>
    spawnSync(process.execPath, [program, code, cache, 'check'], {
      env: { ...process.env, CODE: exitCode },
    }).status
  expect(runWith('1')).toBe(1)
  expect(kept()).toEqual([expect.stringMatching(/-partial$/)])
  expect(runWith('0')).toBe(0)
  expect(kept().filter((name) => !name.endsWith('-partial'))).toHaveLength(1)
})

test('without a folder, or where it can not be written, the code runs', () => {
  expect(run('check', '')).toBe('first')
  expect(run('check', path.join(folder, 'missing'))).toBe('first')
})

test('the code can import modules, and only its own warnings are printed', () => {
  writeFileSync(code, "import('node:path').then(() => process.emitWarning('mine'))")
  const { stderr } = spawnSync(process.execPath, [program, code, cache, 'check'], {
    encoding: 'utf8',
  })
  expect(stderr).toContain('mine')
  expect(stderr).not.toContain('Experimental')
})

test('the oldest of what is kept is removed', () => {
  for (let at = 0; at < KEPT_FILES_MAX; at++) {
    const file = path.join(cache, `code-${at}`)
    writeFileSync(file, '')
    utimesSync(file, 1000 + at, 1000 + at)
  }
  run()
  expect(kept()).toHaveLength(KEPT_FILES_MAX)
  expect(kept()).not.toContain('code-0')
  expect(kept()).toContain('code-1')
})
