import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-aws-'))
const entry = path.join(ROOT, 'packages/singletable/src/aws/aws-transport.ts')

const BUNDLE = { bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' } as const

/** Sends one request through a client that is no more than what the transport asks for. */
const PROGRAM = `
  import { createRequire } from 'node:module'
  import { awsTransport } from './transport.mjs'
  const { cache } = createRequire(import.meta.url)
  const loaded = () => Object.keys(cache).some((file) => file.includes('@aws-sdk/client-dynamodb'))
  const client = {
    config: {},
    middlewareStack: { applyToStack() {} },
    send: async () => ({ $metadata: {}, TableNames: [] }),
  }
  const transport = awsTransport(client)
  const answers = [loaded()]
  for (let call = 0; call < 2; call++) {
    const answer = transport.send('ListTables', {})
    answers.push(await answer.catch((error) => ({ code: error.code, message: error.message })))
  }
  console.log(JSON.stringify([...answers, loaded()]))
`

beforeAll(async () => {
  for (const name of ['with', 'without']) {
    const place = path.join(folder, name)
    mkdirSync(place)
    const outfile = path.join(place, 'transport.mjs')
    await build({ ...BUNDLE, entryPoints: [entry], outfile, external: ['@aws-sdk/*'] })
    writeFileSync(path.join(place, 'program.mjs'), PROGRAM)
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'with/node_modules'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(name: string): unknown[] {
  const options = { cwd: path.join(folder, name), encoding: 'utf8', stdio: 'pipe' } as const
  return JSON.parse(execFileSync(process.execPath, ['--no-warnings', 'program.mjs'], options))
}

test('the SDK is loaded by the first request, not before', () => {
  expect(run('with')).toEqual([false, { TableNames: [] }, { TableNames: [] }, true])
})

test('a missing SDK is an error that says what to install', () => {
  const refused = {
    code: 'OPTION_INVALID',
    message: expect.stringContaining('npm install @aws-sdk/client-dynamodb'),
  }
  expect(run('without')).toEqual([false, refused, refused, false])
})

test('a bundler that cannot find the SDK leaves the import to the moment it is needed', async () => {
  const place = path.join(folder, 'copy')
  cpSync(path.join(ROOT, 'packages/singletable/src'), place, { recursive: true })
  const bundled = await build({
    ...BUNDLE,
    entryPoints: [path.join(place, 'aws/aws-transport.ts')],
    write: false,
  })
  expect(bundled.outputFiles[0]?.text).toContain('import("@aws-sdk/client-dynamodb")')
})
