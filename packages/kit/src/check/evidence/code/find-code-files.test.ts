import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCodeFiles } from './find-code-files.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-code-files-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

test('sources are found in the order of their names; tests and what is generated are not', async () => {
  const sources = ['a.ts', 'b/c.mjs', 'b/d.tsx', 'b/e/f.cts', 'z.jsx']
  const others = [
    'README.md',
    'a.d.ts',
    'a.test.ts',
    'b/c.spec.js',
    'b/types.d.mts',
    'dist/a.js',
    'b/node_modules/x/index.js',
    'test/a.ts',
    'b/__tests__/a.ts',
    'lib.min.js',
    '.hidden/a.ts',
  ]
  write(Object.fromEntries([...sources, ...others].map((name) => [name, ''])))
  symlinkSync(path.join(directory, 'b'), path.join(directory, 'link'))
  symlinkSync(path.join(directory, 'a.ts'), path.join(directory, 'linked.ts'))
  expect(await findCodeFiles(directory)).toEqual(sources)
})

test('what a .gitignore names is left out, the deeper file wins', async () => {
  write({
    '.gitignore': 'generated/\n*.gen.ts\n/only-here.ts\n',
    'only-here.ts': '',
    'a/only-here.ts': '',
    'generated/a.ts': '',
    'a/generated/b.ts': '',
    'a/x.gen.ts': '',
    'b/.gitignore': '!kept.gen.ts\nlocal.ts\n',
    'b/kept.gen.ts': '',
    'b/local.ts': '',
    'local.ts': '',
  })
  expect(await findCodeFiles(directory)).toEqual(['a/only-here.ts', 'b/kept.gen.ts', 'local.ts'])
})

test('a project in a repository follows the .gitignore of the repository', async () => {
  write({
    '.gitignore': 'packages/*/generated\n',
    'packages/a/x.ts': '',
    'packages/a/generated/y.ts': '',
  })
  const project = path.join(directory, 'packages/a')
  expect(await findCodeFiles(project)).toEqual(['generated/y.ts', 'x.ts'])
  mkdirSync(path.join(directory, '.git'))
  expect(await findCodeFiles(project)).toEqual(['x.ts'])
})

test('a folder that is not there has no files', async () => {
  expect(await findCodeFiles(path.join(directory, 'none'))).toEqual([])
})
