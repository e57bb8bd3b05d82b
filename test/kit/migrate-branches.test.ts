import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { afterEach, expect, test } from 'vitest'
import { type CliRun, runCli } from './run-cli.ts'

const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

const DAY_MS = 24 * 60 * 60 * 1000
const USER = 'mail: { type: String }'
const POST = 'title: { type: String }'

interface Parts {
  readonly user?: string
  readonly post?: string
  readonly userKey?: string
  readonly indexes?: string
}

/** A project of which two branches are worked on, each with migrations of its own. */
class Project {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'singletable-branches-'))
  readonly #kept = path.join(this.directory, 'kept')
  #day = 0

  constructor() {
    directories.push(this.directory)
    mkdirSync(this.#kept)
  }

  schema({ user = USER, post = POST, userKey = 'USER#${id}', indexes = '' }: Parts): void {
    writeFileSync(
      path.join(this.directory, 'schema.ts'),
      `
      import { defineSchema } from 'singletable'
      const id = { type: String, required: true } as const
      export const schema = defineSchema({
        indexes: { primary: { hash: 'pk', sort: 'sk' }, ${indexes} },
        models: {
          User: { key: { pk: '${userKey}', sk: 'USER' }, attributes: { id, ${user} } },
          Post: { key: { pk: 'POST#\${id}', sk: 'POST' }, attributes: { id, ${post} } },
        },
      })
    `,
    )
  }

  /** A new migration, made where the migrations of the other branch are not there. */
  async branch(
    name: string,
    parts: Parts,
    others: readonly string[] = [],
    more = '',
  ): Promise<string> {
    for (const id of others) renameSync(this.folder(id), path.join(this.#kept, id))
    this.schema(parts)
    const { code, complaints } = await this.run(`migrate generate ${name}${more}`)
    expect(complaints).toBe('')
    expect(code).toBe(0)
    for (const id of others) renameSync(path.join(this.#kept, id), this.folder(id))
    return this.ids().find((id) => id.endsWith(`_${name}`)) ?? ''
  }

  /** Runs the command as if these migrations had not come yet. */
  async without(id: string, words: string, engine: Engine): Promise<CliRun> {
    renameSync(this.folder(id), path.join(this.#kept, id))
    const run = await this.run(words, engine)
    renameSync(path.join(this.#kept, id), this.folder(id))
    return run
  }

  folder(id: string): string {
    return path.join(this.directory, 'migrations', id)
  }

  ids(): readonly string[] {
    return readdirSync(path.join(this.directory, 'migrations')).sort()
  }

  async run(words: string, engine?: Engine): Promise<CliRun> {
    const now = ++this.#day * DAY_MS
    const all = [...words.split(' '), ...(engine ? ['--table', 'Blog'] : [])]
    return runCli(all, { transport: engine, directory: this.directory, now })
  }

  /** A table that has the first migration and two items. */
  async table(): Promise<Engine> {
    const engine = createEngine()
    expect((await this.run('table create', engine)).complaints).toBe('')
    await this.run('migrate up', engine)
    for (const [type, values] of Object.entries({
      User: { id: { S: '1' }, mail: { S: 'a@x' } },
      Post: { id: { S: '1' }, title: { S: 'Hello' } },
    })) {
      const key = { pk: { S: `${type.toUpperCase()}#1` }, sk: { S: type.toUpperCase() } }
      const Item = { ...key, ...values, _type: { S: type } }
      await engine.send('PutItem', { TableName: 'Blog', Item })
    }
    return engine
  }
}

async function stored(engine: Engine): Promise<readonly Item[]> {
  const { Items = [] } = await engine.send('Scan', { TableName: 'Blog' })
  const items = Items.filter(({ _type }) => _type?.S !== '_kit')
  return items.sort((a, b) => ((a.pk?.S ?? '') < (b.pk?.S ?? '') ? -1 : 1))
}

const MOVED: Parts = { userKey: 'PERSON#${id}' }
const PLANNED: Parts = { post: `${POST}, state: { type: String, required: true, default: "new" }` }

/** One branch moves users, the other gives posts an attribute; and tables that have neither. */
async function branched(tables = 0) {
  const project = new Project()
  await project.branch('first', {})
  const engines: Engine[] = []
  while (engines.length < tables) engines.push(await project.table())
  // The one of the other branch has the earlier time.
  const moved = await project.branch('moved', MOVED)
  const planned = await project.branch('planned', PLANNED, [moved])
  return { project, moved, planned, engines }
}

test('migrations of two branches that commute are in order after the merge', async () => {
  const { project, moved, planned } = await branched()
  project.schema({ ...MOVED, ...PLANNED })
  const lint = await project.run('migrate lint')
  expect(lint.printed).toContain('3 migrations are in order')
  expect(lint.code).toBe(0)
  expect((await project.run('migrate generate more')).printed).toBe(
    `nothing that is stored has changed since ${moved} and ${planned}`,
  )
})

test('the next migration follows both, and starts from the schema with the changes of both', async () => {
  const { project, moved, planned, engines } = await branched(1)
  const [engine] = engines as [Engine]
  const plan = 'plan: { type: String, required: true, default: "free" }'
  const id = await project.branch('more', { ...MOVED, ...PLANNED, user: `${USER}, ${plan}` })
  const folder = project.folder(id)
  const snapshot = JSON.parse(readFileSync(path.join(folder, 'snapshot.json'), 'utf8'))
  expect(snapshot.parent).toEqual([moved, planned])
  expect(readFileSync(path.join(folder, 'migration.ts'), 'utf8')).toMatchInlineSnapshot(`
    "import { addAttribute, defineMigration } from 'singletable/migrations'

    export default defineMigration({
      steps: [
        // User.plan is new and required: items that lack it get a value.
        addAttribute('User', 'plan', 'free'),
      ],
    })
    "
  `)
  expect((await project.run('migrate lint')).code).toBe(0)
  expect((await project.run('migrate up', engine)).printed).toBe(
    `applied: ${moved}, ${planned}, ${id}`,
  )
  expect(await stored(engine)).toEqual([
    expect.objectContaining({ pk: { S: 'PERSON#1' }, plan: { S: 'free' } }),
    expect.objectContaining({ pk: { S: 'POST#1' }, state: { S: 'new' } }),
  ])
  expect((await project.run('migrate verify', engine)).code).toBe(0)
  expect((await project.run('migrate down --steps 3', engine)).printed).toContain('undone: ')
  expect((await stored(engine)).map(({ pk }) => pk?.S)).toEqual(['POST#1', 'USER#1'])
})

test('whichever branch is applied first, the items are the same and the status is not diverged', async () => {
  const { project, moved, planned, engines } = await branched(3)
  const [together, movedFirst, plannedFirst] = engines as [Engine, Engine, Engine]
  const original = await stored(together)
  project.schema(PLANNED)
  expect((await project.without(moved, 'migrate up', plannedFirst)).code).toBe(0)
  project.schema(MOVED)
  expect((await project.without(planned, 'migrate up', movedFirst)).code).toBe(0)

  project.schema({ ...MOVED, ...PLANNED })
  for (const engine of engines) {
    expect((await project.run('migrate status --exit-code', engine)).code).toBe(2)
    expect((await project.run('migrate plan', engine)).code).toBe(0)
    expect((await project.run('migrate up', engine)).complaints).toBe('')
    expect((await project.run('migrate status --exit-code', engine)).code).toBe(0)
    for (const id of [moved, planned]) {
      expect((await project.run(`migrate verify ${id}`, engine)).complaints).toBe('')
    }
  }
  expect(await stored(together)).toEqual([
    expect.objectContaining({ pk: { S: 'PERSON#1' } }),
    expect.objectContaining({ pk: { S: 'POST#1' }, state: { S: 'new' } }),
  ])
  expect(await stored(movedFirst)).toEqual(await stored(together))
  expect(await stored(plannedFirst)).toEqual(await stored(together))

  // What was applied last is undone first.
  expect((await project.run('migrate down', plannedFirst)).printed).toBe(`undone: ${moved}`)
  expect((await project.run('migrate down', movedFirst)).printed).toBe(`undone: ${planned}`)
  expect((await project.run('migrate down', movedFirst)).printed).toBe(`undone: ${moved}`)
  expect(await stored(movedFirst)).toEqual(original)
})

test('a migration that waits for the other branch is refused if both change the same thing', async () => {
  const project = new Project()
  await project.branch('first', {})
  const engine = await project.table()
  const number = { user: 'mail: { type: Number }' }
  const a = await project.branch('number', number)
  const b = await project.branch(
    'renamed',
    { user: 'email: { type: String }' },
    [a],
    ' --rename User.mail=email',
  )
  const lint = await project.run('migrate lint')
  expect(lint.code).toBe(1)
  expect(lint.printed.replace(/\s+/g, ' ')).toBe(
    `${a} and ${b} both change User and User.mail: keep the one that a table has already, remove the folder of the other one, and run migrate generate again.`,
  )
  const before = await stored(engine)
  const up = await project.run('migrate up', engine)
  expect(up.code).toBe(1)
  expect(up.complaints).toContain('both change User')
  expect(await stored(engine)).toEqual(before)
  expect((await project.run('migrate generate more')).complaints).toContain('both change User')
})

test('two branches that each add an attribute to the same model commute', async () => {
  const project = new Project()
  await project.branch('first', {})
  const engine = await project.table()
  const plan = 'plan: { type: String, required: true, default: "free" }'
  const size = 'size: { type: Number, required: true, default: 1 }'
  const a = await project.branch('plan', { user: `${USER}, ${plan}` })
  await project.branch('size', { user: `${USER}, ${size}` }, [a])
  project.schema({ user: `${USER}, ${plan}, ${size}` })
  expect((await project.run('migrate lint')).printed).toBe('3 migrations are in order')
  expect((await project.run('migrate up', engine)).code).toBe(0)
  expect((await stored(engine))[1]).toMatchObject({ plan: { S: 'free' }, size: { N: '1' } })
})

test('schemas that only fail together are a conflict', async () => {
  const project = new Project()
  await project.branch('first', {})
  const a = await project.branch('removed', { user: 'age: { type: Number }' })
  const b = await project.branch('pattern', { indexes: "byMail: { hash: 'mail' }" }, [a])
  const { code, printed } = await project.run('migrate lint')
  expect(code).toBe(1)
  expect(printed).toContain(`${a} and ${b}`)
})
