import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifest } from './architecture/package-manifest.ts'
import { PACK_MS, packPackages, runIn, TOOLS } from './pack-packages.ts'

/**
 * What an application pays for the main entry, minified and compressed. The aim is 20 KB, which it misses by far: access patterns, copies, shards,
 * collections and scopes are all members of `Table`, so that a bundler keeps them for everybody. It may only go down from here.
 */
const MAIN_BUNDLE_BYTES_MAX = 73 * 1024

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-package-'))
const application = path.join(folder, 'application')
let workspace: string

beforeAll(() => {
  const packed = packPackages(folder)
  workspace = packed.workspace
  mkdirSync(application)
  writeFileSync(
    path.join(application, 'package.json'),
    '{ "name": "application", "private": true }',
  )
  runIn(application, 'npm', 'install', '--offline', '--no-audit', '--no-fund', packed.singletable)
}, PACK_MS)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('the package brings no other package with it', () => {
  const installed = readdirSync(path.join(application, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['singletable'])
})

test('the package contains the license and no tests', () => {
  const files = readdirSync(path.join(application, 'node_modules/singletable'), {
    recursive: true,
    encoding: 'utf8',
  })
  expect(files).toContain('LICENSE')
  expect(files).toContain('README.md')
  expect(files.filter((file) => file.includes('.test.'))).toEqual([])
})

test('import and require give the same library', () => {
  const program = `
    import { createRequire } from 'node:module'
    import { SingletableError } from 'singletable'
    import { createEngine } from 'singletable/engine'
    const require = createRequire(import.meta.url)
    console.log(require('singletable').SingletableError === SingletableError)
    console.log(require('singletable/engine').createEngine === createEngine)
  `
  writeFileSync(path.join(application, 'both.mjs'), program)
  expect(runIn(application, process.execPath, 'both.mjs')).toBe('true\ntrue\n')
})

test('a CommonJS program can require the package', () => {
  const program = `
    const { createEngine } = require('singletable/engine')
    const engine = createEngine()
    engine.send('ListTables', {}).then((answer) => {
      console.log(JSON.stringify(answer))
      return engine.close()
    })
  `
  writeFileSync(path.join(application, 'required.cjs'), program)
  expect(runIn(application, process.execPath, 'required.cjs')).toBe('{"TableNames":[]}\n')
})

test.each(['module', 'commonjs'])('the types resolve in a %s program', (type) => {
  const place = path.join(application, `types-${type}`)
  mkdirSync(place)
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ type }))
  writeFileSync(
    path.join(place, 'program.ts'),
    `import { defineSchema, type Item, ServiceError, Table } from 'singletable'
     import { createEngine } from 'singletable/engine'
     const schema = defineSchema({
       indexes: { primary: { hash: 'pk' } },
       models: {
         User: {
           key: { pk: 'USER#\${id}' },
           attributes: { id: { type: String, required: true }, age: { type: Number } },
         },
       },
     })
     export const user: Item<typeof schema, 'User'> = { id: '1' }
     // @ts-expect-error: an age is a number.
     export const wrong: Item<typeof schema, 'User'> = { id: '1', age: 'old' }
     export async function age(): Promise<number | undefined> {
       const engine = createEngine()
       const table = new Table({ name: 'Users', schema, client: engine })
       try {
         return (await table.entities.User.get({ id: '1' }).execute())?.age
       } catch (error) {
         return error instanceof ServiceError ? 0 : undefined
       } finally {
         await engine.close()
       }
     }`,
  )
  const parameters = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const types = ['--types', '', '--lib', 'es2023,dom']
  // The compiler prints what it has against the program, so an empty answer is the proof.
  expect(runIn(place, path.join(TOOLS, 'tsc'), ...parameters, ...types, 'program.ts')).toBe('')
})

test('a bundle of the main entry has no part of the engine and stays small', async () => {
  const bundle = await bundleEntry('singletable', 'neutral')
  expect(bundle.sources.some((file) => file.includes('/src/builder/'))).toBe(true)
  expect(bundle.sources.filter((file) => /\/src\/(engine|testing|direct)\//.test(file))).toEqual([])
  const gzipBytes = gzipSync(bundle.code, { level: 9 }).length
  console.log(`main entry: ${bundle.code.length} bytes minified, ${gzipBytes} gzip`)
  expect(gzipBytes).toBeLessThanOrEqual(MAIN_BUNDLE_BYTES_MAX)
})

test('a table on an engine needs no module of the AWS SDK: none is installed here', () => {
  const program = `
    import { Table } from 'singletable'
    import { createEngine } from 'singletable/engine'
    const schema = {
      indexes: { primary: { hash: 'pk' } },
      models: {
        User: { key: { pk: 'USER#\${id}' }, attributes: { id: { type: String, required: true } } },
      },
    }
    const table = new Table({ name: 'Users', schema, client: createEngine() })
    await table.create()
    await table.entities.User.put({ id: '1' }).execute()
    console.log(JSON.stringify(await table.entities.User.scan().execute()))
  `
  writeFileSync(path.join(application, 'no-sdk.mjs'), program)
  expect(runIn(application, process.execPath, 'no-sdk.mjs')).toBe('[{"id":"1"}]\n')
})

test.each([
  ['singletable', 25],
  ['singletable/engine', 10],
])('%s is loaded from at most %d files', (entry, filesMax) => {
  const files = loadedFiles(entry)
  console.log(`${entry}: ${files.length} files`)
  expect(files.length).toBeLessThanOrEqual(filesMax)
})

test('the engine can be bundled', async () => {
  const bundle = await bundleEntry('singletable/engine', 'node')
  expect(bundle.sources.some((file) => file.includes('/src/engine/'))).toBe(true)
  writeFileSync(path.join(application, 'bundled.mjs'), bundle.code)
  const program = `import { createEngine } from './bundled.mjs'\nconsole.log(typeof createEngine)`
  writeFileSync(path.join(application, 'use-bundled.mjs'), program)
  expect(runIn(application, process.execPath, 'use-bundled.mjs')).toBe('function\n')
})

test('the built command answers', () => {
  const command = path.join(workspace, 'packages/kit/bin/singletable.js')
  expect(runIn(application, process.execPath, command, '--version')).toBe(
    `${readManifest('kit').version}\n`,
  )
})

/** The files of the package that an import of the entry reads. */
function loadedFiles(entry: string): readonly string[] {
  const program = `
    import { register } from 'node:module'
    const hook = 'export async function load(url, context, next) { if (url.startsWith("file:")) console.log(url); return next(url, context) }'
    register('data:text/javascript,' + encodeURIComponent(hook))
    await import('${entry}')
  `
  const file = path.join(application, 'loaded.mjs')
  writeFileSync(file, program)
  const printed = runIn(application, process.execPath, file)
  return printed.split('\n').filter((url) => url.includes('/node_modules/singletable/'))
}

async function bundleEntry(
  entry: string,
  platform: 'neutral' | 'node',
): Promise<{ code: string; sources: readonly string[] }> {
  const result = await build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: application },
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    target: 'node20',
    write: false,
    // Never written: a map needs a place that its paths are relative to.
    outfile: path.join(application, 'bundle.mjs'),
    sourcemap: 'external',
    logLevel: 'silent',
    external: ['node:*', '@aws-sdk/*'],
  })
  const [map, code] = result.outputFiles
  if (map === undefined || code === undefined) throw new Error('esbuild wrote nothing')
  // The published files are joined from many; their maps say of which, and the bundle's map which of them got into it.
  const { sources }: { sources: string[] } = JSON.parse(map.text)
  return { code: code.text, sources }
}
