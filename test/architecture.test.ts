import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkExpressions } from './architecture/check-expressions.ts'
import { checkImports, findTableCycle } from './architecture/check-imports.ts'
import { checkMessages } from './architecture/check-messages.ts'
import { findCycle } from './architecture/find-cycle.ts'
import { importsOf } from './architecture/imports-of.ts'
import { entryModules, ROOT, readManifest } from './architecture/package-manifest.ts'
import { kitRules, singletableRules } from './architecture/rules.ts'
import { loadModules, parseModule } from './architecture/source-module.ts'

const singletable = readManifest('singletable')
const kit = readManifest('kit')

describe('the modules of singletable', () => {
  const modules = loadModules(path.join(ROOT, 'packages/singletable/src'))

  test('import only what the import table allows', () => {
    expect(checkImports(modules, singletableRules(entryModules(singletable)))).toEqual([])
  })

  test('have no import cycle', () => {
    expect(findCycle(modules)).toBeUndefined()
  })

  test('are in folders of which no two may import each other', () => {
    expect(findTableCycle(singletableRules([]))).toBeUndefined()
  })

  test('branch on no text of a message', () => {
    expect(modules.flatMap(checkMessages)).toEqual([])
  })

  test('need nothing else to be installed', () => {
    expect({ ...singletable.dependencies, ...singletable.optionalDependencies }).toEqual({})
  })
})

describe('the modules of the kit', () => {
  const modules = loadModules(path.join(ROOT, 'packages/kit/src'))

  test('import only what the import table allows', () => {
    const dependencies = Object.keys({ ...kit.dependencies, ...kit.optionalDependencies })
    expect(checkImports(modules, kitRules(dependencies, entryModules(kit)))).toEqual([])
  })

  test('have no import cycle', () => {
    expect(findCycle(modules)).toBeUndefined()
  })

  test('are in folders of which no two may import each other', () => {
    expect(findTableCycle(kitRules([], []))).toBeUndefined()
  })

  test('branch on no text of a message', () => {
    expect(modules.flatMap(checkMessages)).toEqual([])
  })
})

describe('the strings of expressions', () => {
  test.each(['singletable', 'kit'])('are read by the parser alone: %s', (name) => {
    const modules = loadModules(path.join(ROOT, `packages/${name}/src`))
    const others = modules.filter((module) => !module.path.startsWith('expression/'))
    expect(others.flatMap(checkExpressions)).toEqual([])
  })

  test('are printed by request/ alone, and for people by what explains', () => {
    const printers = loadModules(path.join(ROOT, 'packages/singletable/src'))
      .filter((module) =>
        importsOf(module).some(({ specifier = '' }) => /print\.ts$/.test(specifier)),
      )
      .map((module) => module.path)
      .filter((each) => !/^(expression|engine|tools|request)\//.test(each))
    expect(printers).toEqual([
      'plan/plan-get.ts',
      'plan/read/explain-read.ts',
      'plan/write/explain-write.ts',
    ])
  })

  test.each([
    "request.FilterExpression.split(' AND ')",
    'const a = [...KeyConditionExpression.matchAll(/=/g)]',
    "(request.KeyConditionExpression ?? '').includes('#')",
    'plan.request?.UpdateExpression?.replace(/#n/g, name)',
    '/BETWEEN/.test(request.KeyConditionExpression)',
    'PATTERN.exec(ConditionExpression!)',
  ])('are seen where something looks into them: %s', (text) => {
    expect(checkExpressions(parseModule('a.ts', text))).toHaveLength(1)
  })

  test.each([
    'parseCondition(request.FilterExpression)',
    'node.type.startsWith("MemberExpression")',
    'expression.exec(text)',
    'const length = request.UpdateExpression.length',
  ])('may be passed on: %s', (text) => {
    expect(checkExpressions(parseModule('a.ts', text))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const walks = ['packages/singletable/src', 'packages/singletable/src/engine', 'packages/kit/src']
  const placed = (name: string): boolean =>
    ['', ...walks].some((folder) => existsSync(path.join(ROOT, folder, name)))

  test('names only files that exist', () => {
    const names = [...text.matchAll(/`([\w-]+(?:\/[\w-]+)*\.(?:test\.)?ts)`/g)].map(
      ([, name]) => name!,
    )
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !placed(name))).toEqual([])
  })

  test.each(['singletable', 'kit'])('has a line for each folder of %s', (name) => {
    const folders = readdirSync(path.join(ROOT, 'packages', name, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    expect(folders.filter((folder) => !text.includes(`| \`${folder}\` `))).toEqual([])
  })

  test('says which folders of the kit each of them imports', () => {
    const rows = [...text.matchAll(/^\| `([\w-]+)` +\|[^|]*\| ([^|]*?) *\|$/gm)]
    const written = Object.fromEntries(
      rows.map(([, folder = '', imports = '']) => [
        folder,
        [...(imports.match(/[\w-]+/g) ?? [])].sort(),
      ]),
    )
    const allowed = Object.fromEntries(
      Object.keys(written).map((folder) => [folder, [] as string[]]),
    )
    for (const [place, { folders }] of Object.entries(kitRules([], []).folders)) {
      const [folder = ''] = place.split('/')
      for (const imported of folders.map((each) => each.split('/')[0]!)) {
        const known = allowed[folder]
        if (known && imported !== folder && !known.includes(imported)) known.push(imported)
      }
    }
    // These import all others.
    allowed.cli = ['everything']
    allowed.studio = ['everything', 'but', 'cli']
    expect(written).toEqual(mapLists(allowed))
  })
})

function mapLists(lists: Record<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]))
}

test('both packages have one version', () => {
  expect(kit.version).toBe(singletable.version)
  expect(kit.dependencies?.singletable).toBe(singletable.version)
})

describe('the checks themselves', () => {
  const rules = singletableRules(['index.ts', 'engine/index.ts'])
  const check = (modulePath: string, text: string): readonly string[] =>
    checkImports([parseModule(modulePath, text)], rules)

  test('see every way to import', () => {
    const module = parseModule(
      'values/all.ts',
      [
        "import a from './a.ts'",
        "import type { B } from './b.ts'",
        "import './c.ts'",
        "export * from './d.ts'",
        "export type { E } from './e.ts'",
        "export const f = () => import('./f.ts')",
        "export type G = Map<string, import('./g.ts').G>",
        'export const own = 1',
      ].join('\n'),
    )
    expect(importsOf(module).map((found) => found.specifier)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`),
    )
  })

  test.each([
    ['values/a.ts', "import '../engine/engine.ts'", 'values may not import engine'],
    [
      'engine/write/a.ts',
      "import type { A } from '../../plan/a.ts'",
      'engine/write may not import plan',
    ],
    ['errors/a.ts', "export type A = import('../values/a.ts').A", 'errors may not import values'],
    ['plan/a.ts', "export * from '../execute/a.ts'", 'plan may not import execute'],
    ['index.ts', "export * from './engine/engine.ts'", 'the main entry may not import engine'],
    ['wire/a.ts', "import '../index.ts'", 'wire may not import the entry index.ts'],
    ['schema/a.ts', "import 'node:fs'", 'schema may not import node:fs'],
    ['schema/a.ts', "import { readFile } from 'fs/promises'", 'may not import node:fs/promises'],
    ['engine/a.ts', "import 'lodash'", 'engine may not import lodash'],
    [
      'engine/storage/a.ts',
      "import '../catalog/table.ts'",
      'engine/storage may not import engine/catalog',
    ],
    [
      'engine/write/a.ts',
      "import type { A } from '../faults/a.ts'",
      'engine/write may not import engine/faults',
    ],
    ['engine/write/a.ts', "import '../engine.ts'", 'engine/write may not import engine'],
    ['engine/validation/a.ts', '', '"engine/validation" is not in the import table'],
    ['plan/a.ts', "import '@aws-sdk/client-dynamodb'", 'may not import @aws-sdk/client-dynamodb'],
    ['plan/a.ts', "import '../../../kit/src/cli/main.ts'", 'is outside src'],
    ['plan/a.ts', 'export const a = (name: string) => import(name)', 'whose name is computed'],
    ['plan/index.ts', '', 'only an entry point of the package may be an index.ts'],
    ['engine/write/index.ts', '', 'only an entry point of the package may be an index.ts'],
    ['plan/utils/a.ts', '', 'not in a drawer'],
    ['helpers/a.ts', '', 'the folder "helpers" is not in the import table'],
  ])('refuse in %s: %s', (modulePath, text, problem) => {
    expect(check(modulePath, text).join('\n')).toContain(problem)
  })

  test.each([
    ['engine/a.ts', "import { createHash } from 'node:crypto'"],
    ['telemetry/a.ts', "import channel from 'node:diagnostics_channel'"],
    ['engine/index.ts', "export { createEngine } from './engine.ts'"],
    ['engine/write/a.ts', "import '../storage/storage.ts'\nimport './b.ts'"],
    ['engine/engine.ts', "import './faults/fault-plan.ts'"],
    ['testing/a.ts', "import { createEngine } from '../engine/engine.ts'"],
  ])('accept in %s: %s', (modulePath, text) => {
    expect(check(modulePath, text)).toEqual([])
  })

  test('know folders inside folders, which mean all of them to those outside', () => {
    const inner = (modulePath: string, text: string): readonly string[] =>
      checkImports([parseModule(modulePath, text)], kitRules([], []))
    expect(inner('check/design/a.ts', "import '../rules/b.ts'")).toEqual([
      'check/design/a.ts:1: check/design may not import check/rules',
    ])
    expect(inner('check/report/a.ts', "import '../exercise/deep/b.ts'")).toHaveLength(1)
    expect(
      inner('check/rules/keys/a.ts', "import '../rule.ts'\nimport '../../design/b.ts'"),
    ).toEqual([])
    expect(inner('docs/a.ts', "import '../check/rules/rule.ts'")).toEqual([])
  })

  test('find two folders of the table that may import each other', () => {
    const { folders, ...rest } = kitRules([], [])
    const design = { folders: ['check/rules'], packages: [] }
    expect(findTableCycle({ ...rest, folders })).toBeUndefined()
    expect(findTableCycle({ ...rest, folders: { ...folders, 'check/design': design } })).toEqual([
      'check/rules',
      'check/design',
      'check/rules',
    ])
  })

  test.each([
    "if (error.message === 'gone') retry()",
    "const isGone = 'gone' !== error.message",
    "if (error.message.startsWith('gone')) retry()",
    'if (/gone/.test(error.message)) retry()',
    'export const isGone = ({ message }: Error) => /gone/.test(message)',
  ])('refuse to branch on the text of a message: %s', (text) => {
    expect(checkMessages(parseModule('engine/a.ts', text))).toHaveLength(1)
  })

  test.each([
    "if (error.message !== '') print(error.message)",
    'const reason = { Message: error.message }',
    "const [line] = error.message.split('\\n')",
  ])('accept a message that is passed on: %s', (text) => {
    expect(checkMessages(parseModule('engine/a.ts', text))).toEqual([])
  })

  test('refuse in the kit a package that is not declared', () => {
    const module = parseModule('server/a.ts', "import 'singletable/engine'\nimport 'express'")
    expect(checkImports([module], kitRules(['singletable'], []))).toEqual([
      'server/a.ts:2: server may not import express',
    ])
  })

  test('find a cycle, also one of types alone', () => {
    const modules = [
      parseModule('plan/a.ts', "import './b.ts'"),
      parseModule('plan/b.ts', "import type { C } from './deep/c.ts'"),
      parseModule('plan/deep/c.ts', "export type C = import('../b.ts').B"),
    ]
    expect(findCycle(modules)).toEqual(['plan/b.ts', 'plan/deep/c.ts', 'plan/b.ts'])
    expect(findCycle(modules.slice(0, 2))).toBeUndefined()
  })
})
