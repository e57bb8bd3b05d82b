import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryModules, ROOT, readManifest } from './architecture/package-manifest.ts'
import { compileAssertions } from './docs/assertions.ts'
import { checkTypes } from './docs/check-types.ts'
import { exportedNames } from './docs/exported-names.ts'
import { programsOfPage, programsOfSource } from './docs/find-programs.ts'
import type { NameSource } from './docs/missing-imports.ts'
import { bundlePrograms, runProgram } from './docs/run-program.ts'

const entries: readonly NameSource[] = entryModules(readManifest('singletable')).map((entry) => {
  const file = path.join(ROOT, 'packages/singletable/src', entry)
  return { specifier: file, names: exportedNames(file) }
})

function filesIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/node_modules|\/dist\/|\.test\.ts$/.test(file))
    .map((file) => path.join(folder, file))
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'packages/singletable/README.md',
  'packages/kit/README.md',
  ...filesIn('docs', /^(?!api[\\/]).*\.md$/),
]

const programs = pages.flatMap((page) =>
  programsOfPage(page, readFileSync(path.join(ROOT, page), 'utf8')),
)

const examples = [
  ...filesIn('packages/singletable/src', /\.ts$/),
  ...filesIn('packages/kit/src', /\.ts$/),
].flatMap((file) => {
  const absolute = path.join(ROOT, file)
  return programsOfSource(file, readFileSync(absolute, 'utf8')).map((example) => ({
    ...example,
    sources: [{ specifier: absolute, names: exportedNames(absolute) }, ...entries],
  }))
})

const bundle = (all: Parameters<typeof bundlePrograms>[0]) => {
  let bundled: Awaited<ReturnType<typeof bundlePrograms>>
  beforeAll(async () => {
    bundled = await bundlePrograms(all)
  })
  afterAll(() => rmSync(bundled.folder, { recursive: true, force: true }))
  return (index: number) => bundled.run(index)
}

describe('programs in the documentation', () => {
  const run = bundle(programs.map(({ text }) => ({ text, sources: entries })))
  test.each(programs.map(({ place }, index) => ({ place, index })))(
    '$place does what it says',
    async ({ index }) => {
      await run(index)
    },
  )

  test('have no type errors', () => {
    expect(checkTypes(programs, entries)).toBe('')
  })
})

describe('examples in doc comments', () => {
  const running = examples.filter(({ runs }) => runs)
  const run = bundle(running)
  test.each(running.map(({ place }, index) => ({ place, index })))(
    '$place does what it says',
    async ({ index }) => {
      expect(await run(index)).toBeGreaterThan(0)
    },
  )

  test.each(examples.filter(({ runs }) => !runs))('$place is well-formed', ({ text }) => {
    expect(compileAssertions(text).body).not.toBe('')
  })
})

describe('the runner of programs', () => {
  test('finds marked blocks of a page and leaves others alone', () => {
    const page = '# Title\n\n```ts\nno()\n```\n\n```ts run\nyes()\n```\n'
    expect(programsOfPage('a.md', page)).toEqual([{ place: 'a.md:7', text: 'yes()\n', runs: true }])
  })

  test('continues a program, and counts its lines as the page does', () => {
    const page = 'Text\n```ts run\nconst a = 1\n```\nMore.\n\n```ts continue\na // => 1\n```\n'
    const [program, ...others] = programsOfPage('a.md', page)
    expect(others).toEqual([])
    expect(program).toMatchObject({ place: 'a.md:2', runs: true })
    expect(program?.text.split('\n').indexOf('a // => 1')).toBe(5)
    expect(page.split('\n').indexOf('a // => 1')).toBe(5 + 2)
    expect(() => programsOfPage('a.md', '```ts continue\n```\n')).toThrow('a.md:1')
  })

  test('finds examples in doc comments and runs those that state a result', () => {
    const source = [
      '/**',
      ' * Adds.',
      ' *',
      ' * @example',
      ' * add(1, 2) // => 3',
      ' * @deprecated soon',
      ' */',
      '/** @example',
      ' * start()',
      ' */',
    ].join('\n')
    expect(programsOfSource('a.ts', source)).toEqual([
      { place: 'a.ts:4', text: 'add(1, 2) // => 3\n', runs: true },
      { place: 'a.ts:8', text: 'start()\n', runs: false },
    ])
  })

  test.each([
    ['1 + 1 // => 2', 1],
    ['const sum: number = 1 + 1 // => 2\nsum + 1 // => 3', 2],
    ['await Promise.resolve({ a: [1] }) // => { a: [1] }', 1],
    ['[1, 2]\n  .map((n) => n * 2) // => [2, 4]', 1],
    ["JSON.parse('{') // => throws SyntaxError: ", 1],
    ["import path from 'node:path'\npath.posix.join('a', 'b') // => 'a/b'", 1],
    ["new ServiceError('A', 'b').name // => 'A'", 1],
    ['if (1 < 2) return\n1 // => 2', 0],
    ['const { a } = { a: 1 }\na // => 1', 1],
  ])('runs %s', async (program, count) => {
    expect(await runProgram(program, entries)).toBe(count)
  })

  test.each([
    ['1 + 1 // => 3', 'line 1 of the program'],
    ['const sum = 1 + 1 // => 3', 'line 1 of the program'],
    ["'a' // => throws SyntaxError", 'line 1 of the program'],
    ["JSON.parse('{') // => throws TypeError", 'line 1 of the program'],
    ["throw new Error('broken')", 'broken'],
    ['noSuchName()', 'noSuchName is not defined'],
    ['f(\n  1, // => 2\n)', 'must be at the end of a statement'],
    ['1 +', 'Parse failed'],
  ])('fails on %s', async (program, problem) => {
    await expect(runProgram(program, entries)).rejects.toThrow(problem)
  })

  test('sees type errors, with the line of the program', () => {
    const program = { place: 'a.md:1', text: 'const n = 1\nn.toUpperCase()\n', runs: true }
    expect(checkTypes([program], entries)).toContain('a.md-1.ts(2,3): error TS2339')
  })
})
