import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { createEngine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../packages/kit/src/cli/main.ts'
import { type CliOptions, runCli } from './run-cli.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-config-'))
  write(
    'data/model.ts',
    `import { defineSchema } from 'singletable'
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: { User: { key: { pk: 'USER#\${id}' }, attributes: { id: { type: String, required: true } } } },
})`,
  )
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  const file = path.join(directory, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function writeConfig(environments: string): void {
  write(
    'singletable.config.ts',
    `import { defineConfig } from '@singletable/kit/config'
export default defineConfig({ schema: 'data/model.ts', table: 'Users', ${environments} })`,
  )
}

const run = (parameters: readonly string[], options: CliOptions = {}) =>
  runCli(parameters, { directory, ...options })

test('a config in a folder above says the schema, the table and where it is', async () => {
  writeConfig(`data: 'tables'`)
  const below = path.join(directory, 'src/deep')
  mkdirSync(below, { recursive: true })
  expect(await run(['table', 'create'], { directory: below })).toMatchObject({ code: 0 })
  expect(await run(['put', 'User', 'id=a'], { directory: below })).toMatchObject({ code: 0 })
  const { printed } = await run(['get', 'User', 'id=a', '--json'])
  expect(JSON.parse(printed)).toEqual({ id: 'a' })
  const described = await run(['table', 'describe', '--json'], { directory: below })
  expect(JSON.parse(described.printed)).toMatchObject({
    TableName: 'Users',
    place: path.join(directory, 'tables'),
  })
})

test('an option that is typed replaces what the config says', async () => {
  writeConfig(`endpoint: 'http://localhost:1'`)
  const made = await run(['table', 'create', '--data', 'other', '--table', 'Others'])
  expect(made.printed).toBe(`table "Others" is ready (${path.join(directory, 'other')})`)
})

test('the environment is typed, or in a variable, or that of the config, or dev', async () => {
  writeConfig(`environments: { dev: { table: 'Dev' }, test: { table: 'Test' }, prod: {} }`)
  const nameOf = async (words: readonly string[], environment: Record<string, string> = {}) => {
    const { printed } = await run(['table', 'create', '--dry-run', ...words], { environment })
    return JSON.parse(printed)[0].request.TableName
  }
  expect(await nameOf([])).toBe('Dev')
  expect(await nameOf([], { SINGLETABLE_ENV: 'test' })).toBe('Test')
  expect(await nameOf(['--env', 'prod'], { SINGLETABLE_ENV: 'test' })).toBe('Users')
  writeConfig(`environment: 'test', environments: { dev: {}, test: { table: 'Test' } }`)
  expect(await nameOf([])).toBe('Test')
})

test.each([
  [['--env', 'porod'], 2, 'has no environment "porod" (did you mean "prod"?)'],
  [[], 0, ''],
])('an environment that is not there is refused: %j', async (words, code, text) => {
  writeConfig(`environments: { prod: {} }`)
  const { complaints, ...rest } = await run(['table', 'create', '--dry-run', ...words])
  expect(rest.code).toBe(code)
  expect(complaints).toContain(text)
})

test.each([
  ['tabel: "x"', 'there is no option "tabel" (did you mean "table"?)'],
  ['environments: { prod: { schema: "x" } }', 'there is no option "schema"'],
  ['region: 7', '"region" is not a string'],
  ['endpoint: "http://x", data: "y"', "endpoint and data can't be combined"],
])('a config that says %s is refused', async (text, problem) => {
  write('singletable.config.mjs', `export default { schema: 'data/model.ts', ${text} }`)
  const { code, complaints } = await run(['table', 'create', '--dry-run', '--table', 'Users'])
  expect(code).toBe(3)
  expect(complaints).toContain(problem)
  expect(complaints).toContain('singletable.config.mjs')
})

test('prod is written to after a question, or with --yes; it is read without', async () => {
  writeConfig(
    `environments: { dev: {}, prod: {}, quiet: { confirm: false }, live: { confirm: true } }`,
  )
  const transport = createEngine()
  await run(['table', 'create'], { transport })
  for (const env of ['prod', 'live']) {
    const refused = await run(['put', 'User', 'id=a', '--env', env], { transport })
    expect(refused.code).toBe(2)
    expect(refused.complaints).toContain(
      `This writes to ${env} (this process), and there is no terminal to ask.`,
    )
    expect(refused.complaints).toContain('--yes')
  }
  expect(await run(['seed', '--env', 'prod'], { transport })).toMatchObject({ code: 2 })
  expect(await run(['get', 'User', 'id=a', '--env', 'prod'], { transport })).toMatchObject({
    code: 1,
  })
  for (const words of [['--env', 'quiet'], [], ['--env', 'prod', '--yes']]) {
    expect(await run(['put', 'User', 'id=a', ...words], { transport })).toMatchObject({ code: 0 })
  }
  expect(await run(['get', 'User', 'id=a', '--env', 'prod'], { transport })).toMatchObject({
    code: 0,
  })
})

test.each([
  ['y', 0],
  ['n', 2],
  ['', 2],
])('on a terminal the answer %j decides', async (answer, code) => {
  writeConfig(`environments: { dev: {}, prod: {} }`)
  const transport = createEngine()
  await run(['table', 'create'], { transport })
  const [standardInput, standardOutput] = [new PassThrough(), new PassThrough()]
  Object.assign(standardInput, { isTTY: true })
  const asked: string[] = []
  standardOutput.on('data', (chunk) => {
    asked.push(String(chunk))
    if (String(chunk).includes('Continue?')) standardInput.write(`${answer}\n`)
  })
  const ended = await main(['put', 'User', 'id=a', '--env', 'prod'], {
    print: () => {},
    printError: () => {},
    ...{ directory, transport, environment: {}, isTerminal: true, standardInput, standardOutput },
  })
  expect(ended).toBe(code)
  expect(asked.join('')).toContain('This writes to prod (this process). Continue? (y/N)')
})

test('a profile of ~/.aws gives credentials and region', async () => {
  const signed: unknown[] = []
  const server = createServer((request, response) => {
    signed.push(request.headers.authorization)
    response.end('{"TableNames":[]}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  write('credentials', '[work]\naws_access_key_id = AKIDWORK\naws_secret_access_key = secret\n')
  write('config', '[default]\nregion = us-west-2\n[profile work]\nregion = eu-central-1\n')
  const environment = {
    AWS_CONFIG_FILE: path.join(directory, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: path.join(directory, 'credentials'),
  }
  const before = { ...process.env }
  Object.assign(process.env, environment)
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    writeConfig(`environments: { dev: { profile: 'work', endpoint: '${endpoint}' } }`)
    await run(['table', 'list'], { environment })
    expect(signed[0]).toContain('Credential=AKIDWORK/')
    expect(signed[0]).toContain('/eu-central-1/dynamodb/')
  } finally {
    process.env = before
    server.close()
  }
})
