import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from 'singletable/engine'
import type { OperationName, Transport } from 'singletable/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProjectFolder } from './project-folder.ts'
import { runCli } from './run-cli.ts'

const PgClient: typeof import('pg').Client = createRequire(import.meta.url)('pg/lib/client.js')

/** Debian keeps the programs of each version in a folder of its own. */
function findPrograms(): string | undefined {
  try {
    const [version] = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    return version && path.join('/usr/lib/postgresql', version, 'bin')
  } catch {
    return undefined
  }
}

const programs = findPrograms()
const isRequired = process.env.REQUIRE_POSTGRES === '1'
if (programs === undefined && !isRequired) {
  console.warn('SKIPPED: import from a PostgreSQL that runs; install postgresql to run it')
}
const runs = test.runIf(programs !== undefined || isRequired)

// PostgreSQL refuses to run as root.
const user = process.getuid?.() === 0 ? idsOf('nobody') : undefined
const directory = mkdtempSync(path.join(tmpdir(), 'singletable-postgres-'))
const project = makeProjectFolder()
let server: ReturnType<typeof spawn> | undefined
const url = `postgres://test@localhost/postgres?host=${encodeURIComponent(directory)}`

function idsOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, name]).stdout.toString())
  return { uid: id('-u'), gid: id('-g') }
}

beforeAll(async () => {
  if (programs === undefined) {
    if (isRequired) throw new Error('PostgreSQL is required, and is not installed.')
    return
  }
  if (user) chownSync(directory, user.uid, user.gid)
  const data = path.join(directory, 'data')
  const made = spawnSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...user },
  )
  if (made.status !== 0) throw new Error(made.stderr.toString())
  // No port: only a socket in the folder, so that nothing else is in the way.
  server = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, '-k', directory, '-c', 'listen_addresses='],
    { ...user, stdio: 'ignore' },
  )
  for (let attempt = 0; ; attempt++) {
    const client = new PgClient({ connectionString: url })
    try {
      await client.connect()
      await client.query(`
        CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL UNIQUE, credit numeric, tags text[], at timestamptz);
        CREATE TABLE orders (id bigint PRIMARY KEY, user_id int NOT NULL REFERENCES users, data jsonb, photo bytea);
        INSERT INTO users VALUES (1, 'a@x', 12345678901234567890.123456789, '{a,"b c"}', '2024-01-15 10:00:00+02'), (2, 'b@x', NULL, NULL, NULL);
        INSERT INTO orders SELECT n, 1 + n % 2, '{"n": 1}', '\\xff00' FROM generate_series(1, 2500) n;
      `)
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => undefined)
      if (attempt > 600) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}, 120_000)

afterAll(() => {
  server?.kill('SIGINT')
  rmSync(project, { recursive: true, force: true })
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

runs('a PostgreSQL that runs is analyzed, mapped, imported and verified', async () => {
  const engine = createEngine()
  process.env.DATABASE_URL = url
  const run = (words: string) => runCli(words.split(' '), { transport: engine, directory: project })
  const analyzed = await run(`import analyze --from ${url}`)
  expect(analyzed.complaints).toBe('')
  expect(analyzed.printed).toContain('orders: 2,500 rows')
  expect(analyzed.printed).toContain('user_id → users: 1250.0 rows each')
  expect((await run(`import map --from ${url} --design collections`)).complaints).toBe('')
  expect((await run('table create --table Shop')).complaints).toBe('')
  expect((await run('import run --table Shop')).complaints).toBe('')
  const verified = await run('import verify --table Shop')
  expect(verified.printed).toContain('source and table agree')
  const { Item } = await engine.send('GetItem', {
    TableName: 'Shop',
    Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
  })
  expect(Item).toMatchObject({
    credit: { N: '12345678901234567890.123456789' },
    tags: { L: [{ S: 'a' }, { S: 'b c' }] },
    at: { S: '2024-01-15T08:00:00.000Z' },
  })
})

runs('all tables are read as they were at one moment, whatever is written meanwhile', async () => {
  const engine = createEngine()
  process.env.DATABASE_URL = url
  const run = (words: string, transport: Transport = engine) =>
    runCli(words.split(' '), { transport, directory: project })
  await run('table create --table Shop')
  let isWritten = false
  const send = async (operation: OperationName, request: never, options: never) => {
    if (operation === 'PutItem' && !isWritten) {
      isWritten = true
      const client = new PgClient({ connectionString: url })
      await client.connect()
      await client.query(`INSERT INTO users VALUES (3, 'c@x'); INSERT INTO orders VALUES (9999, 3);
        DELETE FROM orders WHERE id <= 1000`)
      await client.end()
    }
    return engine.send(operation, request, options)
  }
  const imported = await run('import run --table Shop --json', { send } as Transport)
  expect(imported.complaints).toBe('')
  expect(isWritten).toBe(true)
  expect(JSON.parse(imported.printed)).toMatchObject({ rows: { users: 2, orders: 2500 } })
  // Compared with the database as it is now.
  const verified = await run('import verify --table Shop')
  expect(verified.printed).toMatch(/Order +1,501 +2,500 +1 +0 +1,000/)
})

runs('an address that nobody answers is an error with the place', async () => {
  writeFileSync(path.join(project, 'x.txt'), '')
  const { complaints, code } = await runCli(
    ['import', 'analyze', '--from', 'postgres://test@127.0.0.1:1/none'],
    { directory: project },
  )
  expect(complaints).toContain("PostgreSQL can't be reached")
  expect(complaints).toContain('127.0.0.1:1')
  expect(code).toBe(1)
})
