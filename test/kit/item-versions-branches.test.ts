import { Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import {
  addAttribute,
  type Migration,
  removeAttribute,
  renameAttribute,
  type Upgrade,
  upgradeOnRead,
} from 'singletable/migrations'
import { compileSchema, type Item } from 'singletable/tools'
import { expect, test } from 'vitest'
import type { MigrationFolder } from '../../packages/kit/src/migrate/folders.ts'
import { createVersionCounter, VersionGraph } from '../../packages/kit/src/migrate/item-versions.ts'
import { dump, type Entities, migrate, open, schemaOf } from './migration-fixture.ts'

const text = { type: String }
const TABLE = 'Users'
const [FIRST, OLDER, NEWER, MERGED] = [
  '20260101T000000Z_first',
  '20260201T000000Z_older',
  '20260301T000000Z_newer',
  '20260401T000000Z_merged',
]

const START = schemaOf({ tel: text, fax: text })
const WITHOUT_FAX = schemaOf({ tel: text })
const OLDER_SCHEMA = schemaOf({ phone: text })
const NEWER_SCHEMA = schemaOf({ tel: text, plan: text })
const BOTH = schemaOf({ phone: text, plan: text })
/** `tel` is something else now. */
const LAST = schemaOf({ phone: text, plan: text, tel: text })

/** Two branches after the first migration, and one that follows both. */
const UPGRADES: readonly (Upgrade & { readonly follows: readonly string[] })[] = [
  {
    id: FIRST!,
    follows: [],
    before: START,
    after: WITHOUT_FAX,
    migration: { steps: [removeAttribute('User', 'fax')] },
  },
  {
    id: OLDER!,
    follows: [FIRST!],
    before: WITHOUT_FAX,
    after: OLDER_SCHEMA,
    migration: { steps: [renameAttribute('User', 'tel', 'phone')] },
  },
  {
    id: NEWER!,
    follows: [FIRST!],
    before: WITHOUT_FAX,
    after: NEWER_SCHEMA,
    migration: { steps: [addAttribute('User', 'plan', 'free')] },
  },
  {
    id: MERGED!,
    follows: [OLDER!, NEWER!],
    before: BOTH,
    after: LAST,
    migration: { steps: [addAttribute('User', 'tel', 'none')] },
  },
]
const graph = new VersionGraph(
  UPGRADES.map(({ id, follows }) => ({ id, parents: follows }) as unknown as MigrationFolder),
  UPGRADES.map(({ id, before, after, migration }) => ({
    id,
    before: compileSchema(before),
    after: compileSchema(after),
    migration: migration as Migration,
  })),
)

async function started(): Promise<Engine> {
  const engine = createEngine()
  const { table, entities } = open(START, { transport: engine, tableName: TABLE })
  await table.create()
  await entities.User.put({ id: '1', tel: '555', fax: '556' })
  return engine
}

/** Carries migrations out, on a table that has those before them in the list. */
async function up(engine: Engine, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { before, after, migration } = UPGRADES.find((each) => each.id === id)!
    const second = id === OLDER || id === NEWER ? ids.indexOf(id) > 1 : false
    const [from, to] = [
      second ? (id === OLDER ? NEWER_SCHEMA : OLDER_SCHEMA) : before,
      second ? BOTH : after,
    ]
    await migrate(
      { transport: engine, tableName: TABLE },
      { before: from, after: to, steps: migration.steps },
      { id, version: graph.versionsOf(id, compileSchema(from), false) },
    )
  }
}

function stored(engine: Engine): Promise<readonly Item[]> {
  return dump({ transport: engine, tableName: TABLE })
}

/** How many items may lack something of what was applied. */
async function uncertain(engine: Engine, applied: readonly string[]): Promise<number> {
  const counter = createVersionCounter(graph, new Set(applied), compileSchema(LAST))
  for (const item of await stored(engine)) counter.add(item)
  return counter.counts().uncertain
}

/** The entity of a program that has all migrations but the last ones. */
function program(engine: Engine, left = 0): Entities['User'] {
  const migrations = UPGRADES.slice(0, UPGRADES.length - left)
  const schema = left === 0 ? LAST : BOTH
  const last = { ...migrations.at(-1)!, after: schema }
  const client = upgradeOnRead(engine, {
    table: TABLE,
    migrations: [...migrations.slice(0, -1), last],
  })
  const table = new Table({ name: TABLE, schema, client, onWarning() {} })
  return (table.entities as unknown as Entities).User
}

for (const [word, order] of [
  ['the newer', [OLDER!, NEWER!]],
  ['the older', [NEWER!, OLDER!]],
] as const) {
  test(`an item has the version of both branches when ${word} one was applied last`, async () => {
    const engine = await started()
    await up(engine, [FIRST!, ...order])
    expect(await stored(engine)).toMatchObject([
      { phone: { S: '555' }, plan: { S: 'free' }, _v: { S: `${OLDER} ${NEWER}` } },
    ])
    expect(await uncertain(engine, [FIRST!, OLDER!, NEWER!])).toBe(0)
    await up(engine, [MERGED!])
    expect(await stored(engine)).toMatchObject([{ _v: { S: MERGED } }])
    expect(await uncertain(engine, [FIRST!, OLDER!, NEWER!, MERGED!])).toBe(0)
    // The name that has come back is not renamed again.
    const User = program(engine)
    await User.update({ id: '1' }).set({ tel: '777' })
    expect(await User.get({ id: '1' })).toEqual({ id: '1', phone: '555', plan: 'free', tel: '777' })
  })

  test(`an old program's update wins also when ${word} one was applied last`, async () => {
    const engine = await started()
    await up(engine, [FIRST!, ...order])
    const old = open(START, { transport: engine, tableName: TABLE }).entities.User
    await old.update({ id: '1' }).set({ tel: '999' })
    const User = program(engine, 1)
    expect(await User.get({ id: '1' })).toEqual({ id: '1', phone: '999', plan: 'free' })
    await up(engine, [MERGED!])
    expect(await stored(engine)).toMatchObject([
      { phone: { S: '999' }, tel: { S: 'none' }, _v: { S: MERGED } },
    ])
  })
}

test('programs write the version of both branches, and what is removed from such an item stays so', async () => {
  const engine = await started()
  const User = program(engine, 1)
  await User.put({ id: '2', phone: '1' })
  expect((await stored(engine))[1]).toMatchObject({ _v: { S: `${OLDER} ${NEWER}` } })
  expect(await User.get({ id: '2' })).toEqual({ id: '2', phone: '1' })
  expect(await uncertain(engine, [FIRST!, OLDER!, NEWER!])).toBe(1)
})

test('the way back from one of two branches leaves the version of the other', () => {
  const schema = compileSchema(BOTH)
  const next = (id: string, version: string): string | undefined =>
    graph.versionsOf(id, schema, true).next('User', version)
  expect(next(OLDER!, `${OLDER} ${NEWER}`)).toBe(NEWER)
  expect(next(NEWER!, `${OLDER} ${NEWER}`)).toBe(OLDER)
  expect(next(OLDER!, OLDER!)).toBe(FIRST)
  expect(next(MERGED!, MERGED!)).toBe(`${OLDER} ${NEWER}`)
})
