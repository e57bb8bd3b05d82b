import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, readManifest } from './architecture/package-manifest.ts'

/**
 * What an application pays for the main entry, minified and compressed. The aim is 20 KB, which it misses by far: access patterns, copies, shards,
 * collections and scopes are all members of `Table`, so that a bundler keeps them for everybody. It may only go down from here.
 */
const MAIN_BUNDLE_BYTES_MAX = 73 * 1024

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-package-'))
const workspace = path.join(folder, 'workspace')
const application = path.join(folder, 'application')
const tools = path.join(ROOT, 'node_modules/.bin')

/** Builds and packs a copy, so that nothing left over in a working tree can get into the package or be missing from it. */
beforeAll(() => {
  for (const name of ['singletable', 'kit']) {
    const source = path.join(ROOT, 'packages', name)
    const isOwn = (file: string): boolean => !/\/(dist|node_modules)$|\.tsbuildinfo$/.test(file)
    cpSync(source, path.join(workspace, 'packages', name), { recursive: true, filter: isOwn })
  }
  cpSync(path.join(ROOT, 'tsconfig.base.json'), path.join(workspace, 'tsconfig.base.json'))
  const { singletable: _own, ...dependencies } = { ...readManifest('kit').dependencies }
  for (const name of [
    '@types/node',
    'undici-types',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/client-dynamodb-streams',
    ...Object.keys(dependencies),
  ]) {
    const link = path.join(workspace, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules', name), link)
  }
  symlinkSync('../packages/singletable', path.join(workspace, 'node_modules/singletable'))
  run(workspace, path.join(tools, 'tsc'), '-b', 'packages/singletable', 'packages/kit')
  run(
    path.join(workspace, 'packages/singletable'),
    'npm',
    'pack',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  )

  mkdirSync(application)
  writeFileSync(
    path.join(application, 'package.json'),
    '{ "name": "application", "private": true }',
  )
  const tarball = path.join(folder, `singletable-${readManifest('singletable').version}.tgz`)
  run(application, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball)
})

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
  expect(run(application, process.execPath, 'both.mjs')).toBe('true\ntrue\n')
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
  expect(run(application, process.execPath, 'required.cjs')).toBe('{"TableNames":[]}\n')
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
  expect(run(place, path.join(tools, 'tsc'), ...parameters, ...types, 'program.ts')).toBe('')
})

test('a bundle of the main entry has no part of the engine and stays small', async () => {
  const bundle = await bundleEntry('singletable', 'neutral')
  expect(bundle.inputs.some((file) => file.includes('/dist/builder/'))).toBe(true)
  expect(bundle.inputs.filter((file) => /\/dist\/(engine|testing|direct)\//.test(file))).toEqual([])
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
  expect(run(application, process.execPath, 'no-sdk.mjs')).toBe('[{"id":"1"}]\n')
})

test('the engine can be bundled', async () => {
  const bundle = await bundleEntry('singletable/engine', 'node')
  expect(bundle.inputs.some((file) => file.includes('/dist/engine/'))).toBe(true)
  writeFileSync(path.join(application, 'bundled.mjs'), bundle.code)
  const program = `import { createEngine } from './bundled.mjs'\nconsole.log(typeof createEngine)`
  writeFileSync(path.join(application, 'use-bundled.mjs'), program)
  expect(run(application, process.execPath, 'use-bundled.mjs')).toBe('function\n')
})

test('the built command answers', () => {
  const command = path.join(workspace, 'packages/kit/bin/singletable.js')
  expect(run(application, process.execPath, command, '--version')).toBe(
    `${readManifest('kit').version}\n`,
  )
})

async function bundleEntry(
  entry: string,
  platform: 'neutral' | 'node',
): Promise<{ code: string; inputs: readonly string[] }> {
  const result = await build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: application },
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    target: 'node20',
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: ['node:*', '@aws-sdk/*'],
  })
  const [file] = result.outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  return { code: file.text, inputs: Object.keys(result.metafile.inputs) }
}

/** Runs a command and returns what it printed; what it complained of is in the error. */
function run(place: string, command: string, ...parameters: readonly string[]): string {
  try {
    return execFileSync(command, parameters, {
      cwd: place,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Without what a surrounding npm sets, which would make the inner npm work on this repository. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^VITEST/i.test(name)),
  )
}
