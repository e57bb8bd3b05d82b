import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { PROGRAM } from './program-of-a-user.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-compilers-'))

beforeAll(() => {
  emitDeclarations(folder)
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
  const wrong = PROGRAM.replace("title: 'Hello'", "titel: 'Hello'")
  writeFileSync(path.join(folder, 'wrong.ts'), wrong)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

// The declarations themselves are checked as well: skipLibCheck is off.
test.each([
  ['5.4, the oldest that programs can use', 'typescript-5-4'],
  ['5.9, the last with an interface for tools', 'typescript-5-9'],
  ['7', 'typescript'],
])(
  'a program compiles against the declaration files with TypeScript %s',
  (_, compiler) => {
    expect(compile(compiler, 'program.ts')).toBe('')
    expect(compile(compiler, 'wrong.ts', '--skipLibCheck')).toContain(
      "'titel' does not exist in type",
    )
  },
  300_000,
)

test('the oldest TypeScript and Node are the documented ones', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const { version } = JSON.parse(read('node_modules/typescript-5-4/package.json'))
  expect(version).toMatch(/^5\.4\./)
  expect(read('README.md')).toContain('TypeScript 5.4 or newer')
  const { engines } = JSON.parse(read('packages/singletable/package.json'))
  expect(engines.node).toBe('>=20.19')
  expect(read('README.md')).toContain('Node 20.19 or newer')
})

function compile(compiler: string, file: string, ...more: readonly string[]): string {
  const options = '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess'
  const target = '--target es2022 --module nodenext --moduleResolution nodenext --types node'
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(ROOT, 'node_modules', compiler, 'bin/tsc'),
      ...`${options} ${target}`.split(' '),
      '--pretty',
      'false',
      ...more,
      file,
    ],
    { encoding: 'utf8', cwd: folder },
  )
  return stdout + stderr
}
