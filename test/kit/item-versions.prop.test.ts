import fc from 'fast-check'
import { type SchemaDefinition, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import {
  addAttribute,
  deriveAttribute,
  type Migration,
  renameAttribute,
  retypeAttribute,
  type Upgrade,
  upgradeOnRead,
} from 'singletable/migrations'
import { compileSchema, type Item } from 'singletable/tools'
import { expect, test } from 'vitest'
import type { MigrationFolder } from '../../packages/kit/src/migrate/folders.ts'
import { VersionGraph } from '../../packages/kit/src/migrate/item-versions.ts'
import { migrate, schemaOf } from './migration-fixture.ts'

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 60)
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)

const text = { type: String }
const number = { type: Number }
/** The schema of each version of the program; `mail` is something else in the last one. */
const SCHEMAS: readonly SchemaDefinition[] = [
  schemaOf({ mail: text, age: text, nick: text }),
  schemaOf({ email: text, age: number, nick: text, plan: text }),
  schemaOf({ contact: text, age: number, alias: text, plan: text, domain: text }),
  schemaOf({ contact: text, age: number, alias: text, plan: text, domain: text, mail: text }),
]
const domainOf = (contact: unknown): string | undefined =>
  typeof contact === 'string' ? contact.split('@')[1] : undefined
const MIGRATIONS: readonly Migration[] = [
  {
    steps: [
      renameAttribute('User', 'mail', 'email'),
      retypeAttribute('User', 'age', (age) => Number(age)),
      addAttribute('User', 'plan', 'free'),
    ],
  },
  {
    steps: [
      renameAttribute('User', 'email', 'contact'),
      renameAttribute('User', 'nick', 'alias'),
      deriveAttribute('User', 'domain', ({ contact }) => domainOf(contact)),
    ],
  },
  { steps: [addAttribute('User', 'mail', 'none')] },
]
const IDS = ['20260101T000000Z_a', '20260201T000000Z_b', '20260301T000000Z_c']
const upgrades = MIGRATIONS.map(
  (migration, at): Upgrade => ({
    id: IDS[at]!,
    before: SCHEMAS[at]!,
    after: SCHEMAS[at + 1]!,
    migration,
  }),
)
const folders = IDS.map(
  (id, at) => ({ id, parents: IDS.slice(0, at).slice(-1) }) as unknown as MigrationFolder,
)
const graph = new VersionGraph(
  folders,
  upgrades.map(({ id, before, after, migration }) => ({
    id,
    before: compileSchema(before),
    after: compileSchema(after),
    migration,
  })),
)

type Values = Record<string, unknown>
interface User {
  create(input: object): Promise<unknown>
  put(input: object): Promise<unknown>
  get(key: object): Promise<object | undefined>
  update(key: object): {
    set(values: object): { remove(names: readonly string[]): Promise<unknown> } & Promise<unknown>
  }
  delete(key: object): Promise<unknown>
  query(values: object): Promise<readonly object[]>
  scan(): Promise<readonly object[]>
  batchGet(keys: readonly object[]): Promise<readonly object[]>
}

const TABLE = 'Users'
const values = fc.record(
  {
    contact: fc.constantFrom('a@x', 'b@y', 'c@z'),
    age: fc.nat(9),
    alias: fc.constantFrom('p', 'q'),
    plan: fc.constantFrom('paid', 'free'),
    mail: fc.constantFrom('m', 'n'),
  },
  { requiredKeys: [] },
)
const id = fc.constantFrom('1', '2')
const version = fc.nat(3)
const actions = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), id, version, values }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), id, version, values }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id, version }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('up' as const) }) },
)
type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never

/** The values of the last version in the words of another one, without those that it lacks. */
function worded(given: Values, at: number): Values {
  const { contact, age, alias, plan, mail } = given
  const all = [
    { mail: contact, age: age === undefined ? undefined : String(age), nick: alias },
    { email: contact, age, nick: alias, plan },
    { contact, age, alias, plan, domain: domainOf(contact) },
    { contact, age, alias, plan, domain: domainOf(contact), mail },
  ][at]!
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The steps that a new item of a version has not had. */
function upgraded(given: Values, at: number): Values {
  const known = worded(given, 3)
  if (at < 3) known.mail = 'none'
  if (at === 0) known.plan = 'free'
  return known
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** What the first program writes, in the words of the last one. */
function given({ mail, age, nick }: Values): Values {
  return defined({ contact: mail, age: age === undefined ? undefined : Number(age), alias: nick })
}

/** What is left by a put of the first program that keeps what it does not declare. */
function withoutCleared(known: Values, stored: Item): Values {
  const { age: _, contact, alias, ...others } = known
  return defined({
    ...others,
    contact: stored.mail ? undefined : contact,
    alias: stored.nick ? undefined : alias,
  })
}

/** The first program has written, and can't read the answer: `age` is a number now. */
function ignoreNewer(error: unknown): void {
  if (!String(error).includes('does not fit its model: "age"')) throw error
}

class Run {
  readonly engine: Engine = createEngine()
  readonly expected = new Map<string, Values>()
  readonly programs: readonly User[]
  /** How many migrations were carried out, and whether programs of the first versions are gone. */
  done = 0
  isRetired = false

  readonly keepUndeclared: boolean

  constructor(keepUndeclared: boolean) {
    this.keepUndeclared = keepUndeclared
    this.programs = SCHEMAS.map((schema, at) => {
      // The first program knows nothing of versions.
      const client =
        at === 0
          ? this.engine
          : upgradeOnRead(this.engine, { table: TABLE, migrations: upgrades.slice(0, at) })
      return new Table({
        name: TABLE,
        schema,
        client,
        onWarning() {},
        ...(at === 0 && { keepUndeclared }),
      }).entities.User as unknown as User
    })
  }

  async take(action: Action): Promise<void> {
    if (action.kind === 'retire') {
      this.isRetired = true
      return
    }
    if (action.kind === 'up') return this.up()
    const { kind } = action
    const at = kind === 'drop' ? 3 : action.version
    if (at < 2 && this.isRetired) return
    const program = this.programs[at]!
    const key = { id: action.id }
    const stored = await this.stored(action.id)
    const known = this.expected.get(action.id)
    try {
      if (kind === 'put') {
        const isKept = at === 0 && this.keepUndeclared && stored !== undefined
        if (isKept && stored._v?.S === IDS[2]) return
        await program.put({ ...key, ...worded(action.values, at) })
        const kept = isKept ? withoutCleared(known ?? {}, stored) : {}
        const now = isKept ? given(worded(action.values, 0)) : upgraded(action.values, at)
        const next: Values = { ...kept, ...now }
        if (isKept) next.domain = domainOf(next.contact)
        this.expected.set(action.id, defined(next))
      } else if (kind === 'delete') {
        await program.delete(key)
        this.expected.delete(action.id)
      } else if (known === undefined) return
      else if (kind === 'drop') {
        await program.update(key).set({ age: 5 }).remove(['plan'])
        const { plan: _, ...others } = known
        this.expected.set(action.id, { ...others, age: 5 })
      } else {
        const changes = worded(action.values, at)
        // In the last version `mail` is an attribute of its own: nothing shows who wrote it.
        if (at === 0 && stored?._v?.S === IDS[2]) delete changes.mail
        if (Object.keys(changes).length === 0) return
        await program.update(key).set(changes).catch(ignoreNewer)
        const now = at === 0 ? given(changes) : defined({ ...worded(action.values, 3) })
        if (at < 3) delete now.mail
        const merged: Values = { ...known, ...now }
        if (now.contact !== undefined) merged.domain = domainOf(now.contact)
        this.expected.set(action.id, merged)
      }
    } catch (error) {
      // An older program refuses items of a version that it doesn't know, and changes nothing.
      if (!String(error).includes('is newer than')) throw error
      expect(IDS.indexOf(stored?._v?.S ?? '')).toBeGreaterThanOrEqual(at)
      expect(await this.stored(action.id)).toEqual(stored)
    }
  }

  async up(): Promise<void> {
    // Older programs than the schema before a migration are gone by then.
    if (this.done === 3 || (this.done > 0 && !this.isRetired)) return
    const { id, before, after, migration } = upgrades[this.done]!
    await migrate(
      { transport: this.engine, tableName: TABLE },
      { before, after, steps: migration.steps },
      { id, version: graph.versionsOf(id, compileSchema(before), false) },
    )
    this.done++
  }

  async stored(name: string) {
    const Key = { pk: { S: `USER#${name}` }, sk: { S: 'USER' } }
    return (await this.engine.send('GetItem', { TableName: TABLE, Key })).Item
  }

  /** The newest program sees what everybody wrote, however it reads. */
  async check(): Promise<void> {
    const User = this.programs[3]!
    const all = [...this.expected].map(([name, each]) => ({ id: name, ...each }))
    expect(sorted(await User.scan())).toEqual(sorted(all))
    const keys = [...this.expected.keys()].map((name) => ({ id: name }))
    if (keys.length > 0) expect(sorted(await User.batchGet(keys))).toEqual(sorted(all))
    for (const each of all) {
      expect(await User.get({ id: each.id })).toEqual(each)
      expect(await User.query({ id: each.id })).toEqual([each])
    }
  }
}

function sorted(items: readonly object[]): readonly object[] {
  return [...items]
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    .map((item) => Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort((a, b) => (String((a as Values).id) < String((b as Values).id) ? -1 : 1))
}

test('programs of four versions and the migrations write in any order, and nothing is lost', async () => {
  const lists = fc.array(actions, { minLength: 1, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(lists, fc.boolean(), async (all, keepUndeclared) => {
      const run = new Run(keepUndeclared)
      await new Table({ name: TABLE, schema: SCHEMAS[0]!, client: run.engine }).create()
      for (const action of all) {
        await run.take(action)
        await run.check()
      }
    }),
    { numRuns: runs, seed },
  )
})

const UNIQUE_NAMES = ['mail', 'email', 'contact'] as const
const UNIQUE_SCHEMAS = UNIQUE_NAMES.map((name) =>
  schemaOf({ [name]: { type: String, unique: true }, nick: text }),
)
const uniqueUpgrades = UNIQUE_NAMES.slice(1).map(
  (name, at): Upgrade => ({
    id: IDS[at]!,
    before: UNIQUE_SCHEMAS[at]!,
    after: UNIQUE_SCHEMAS[at + 1]!,
    migration: { steps: [renameAttribute('User', UNIQUE_NAMES[at]!, name)] },
  }),
)
const uniqueActions = fc.record({
  kind: fc.constantFrom('create', 'put', 'set', 'touch', 'delete'),
  id: fc.constantFrom('1', '2', '3'),
  version: fc.nat(2),
  value: fc.constantFrom('a', 'b', 'c'),
})

test('no two items have the same unique value, whichever version of a program wrote them', async () => {
  const lists = fc.array(uniqueActions, { minLength: 1, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(lists, async (all) => {
      const engine = createEngine()
      const programs = UNIQUE_SCHEMAS.map((schema, at) => {
        const migrations = uniqueUpgrades.slice(0, at)
        const client = at === 0 ? engine : upgradeOnRead(engine, { table: TABLE, migrations })
        return new Table({ name: TABLE, schema, client, onWarning() {} })
      })
      await programs[0]!.create()
      const users = programs.map(({ entities }) => entities.User as unknown as User)
      // The first program does not see what it replaces or deletes, and leaves guards behind.
      let isOrphaned = false
      for (const { kind, id, version, value } of all) {
        const newest = (await users[2]!.scan()) as readonly { id: string; contact?: string }[]
        const User = users[version]!
        const values = { [UNIQUE_NAMES[version]!]: value }
        const isOthers = newest.some((each) => each.id !== id && each.contact === value)
        try {
          if (kind === 'create') await User.create({ id, ...values })
          else if (kind === 'put') await User.put({ id, ...values })
          else if (kind === 'delete') await User.delete({ id })
          else if (newest.some((each) => each.id === id)) {
            await User.update({ id }).set(kind === 'set' ? values : { nick: value })
          }
          if (version === 0) isOrphaned = true
        } catch (error) {
          const { code } = error as { readonly code?: string }
          if (code === 'UNIQUE_TAKEN') {
            if (!isOrphaned) expect(isOthers).toBe(true)
          } else if (code !== 'ITEM_EXISTS' && !String(error).includes('is newer than')) {
            throw error
          }
        }
        const live = (await users[2]!.scan()) as readonly { id: string; contact?: string }[]
        const taken = live.flatMap(({ contact }) => contact ?? [])
        expect(new Set(taken).size).toBe(taken.length)
        if (isOrphaned) continue
        const { Items = [] } = await engine.send('Scan', { TableName: TABLE })
        const owners = Items.flatMap(({ _owner }) => _owner?.M?.pk?.S ?? [])
        const ids = new Set(live.map((each) => `USER#${each.id}`))
        expect(owners.filter((owner) => !ids.has(owner))).toEqual([])
      }
    }),
    { numRuns: Math.ceil(runs / 2), seed },
  )
})
