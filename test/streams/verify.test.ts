import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { countExpired, verifyCopies } from 'singletable/streams'
import { describe, expect, test } from 'vitest'
import { NOW, recordsOf, streamOf } from './stream-table.ts'
import { verifyTable } from './verify-table.ts'

const clean = { findings: [], found: 0, repaired: 0, skipped: [], cursor: undefined }

describe('a verification', () => {
  test.each([999, 1000, 1001])('of %d findings lists a thousand, and counts all', async (count) => {
    const { table, items, put } = await verifyTable()
    const guard = (await items())['UNIQUE#User#email#ann@x.org UNIQUE']
    for (let number = 0; number < count; number++) {
      await put({ ...guard, pk: { S: `UNIQUE#User#email#${number}` } })
    }
    let reported = 0
    const report = await verifyCopies(table, { onFinding: () => void reported++ })
    expect([report.found, reported]).toEqual([count, count])
    expect(report.findings).toHaveLength(Math.min(count, 1000))
  })

  test('of a table that only the library wrote finds nothing', async () => {
    const { table, items } = await verifyTable()
    const report = await verifyCopies(table)
    expect(report).toEqual({ ...clean, items: Object.keys(await items()).length })
  })

  type Damage = (setting: Awaited<ReturnType<typeof verifyTable>>) => Promise<unknown>
  const guard = 'UNIQUE#User#email#ann@x.org UNIQUE'
  const damages: Record<string, [Damage, string[]]> = {
    'a copy that is missing': [({ remove }) => remove('USER#u1 ORDER#o1'), ['copy-missing']],
    'a copy that differs': [
      async ({ items, put }) => put({ ...(await items())['USER#u1 ORDER#o2'], total: { N: '99' } }),
      ['copy-stale'],
    ],
    'a copy of an item that is gone': [
      async ({ remove }) => remove('ORDER#o3 ORDER'),
      // The item counted, too; its copy ended with its status.
      ['counter-wrong'],
    ],
    'a copy whose item has none': [
      async ({ items, put }) => {
        const copy = (await items())['USER#u1 ORDER#o1']
        return put({ ...copy, pk: { S: 'USER#u2' }, userId: { S: 'u2' } })
      },
      ['copy-orphaned'],
    ],
    'the copy that a deleted item left': [
      async ({ remove }) => remove('ORDER#o2 ORDER'),
      ['copy-orphaned', 'counter-wrong'],
    ],
    'a guard that is missing': [({ remove }) => remove(guard), ['unique-missing']],
    'a guard of an item that is gone': [
      async ({ items, put }) => {
        const item = (await items())[guard]
        const owner = { M: { pk: { S: 'USER#u9' }, sk: { S: 'PROFILE' } } }
        return put({ ...item, pk: { S: 'UNIQUE#User#email#nobody@x.org' }, _owner: owner })
      },
      ['unique-orphaned'],
    ],
    'a guard of an item with another value': [
      async ({ items, put }) => {
        const item = (await items())[guard]
        return put({ ...item, pk: { S: 'UNIQUE#User#email#old@x.org' } })
      },
      ['unique-orphaned'],
    ],
    'a guard that names another item': [
      async ({ items, put }) => {
        const owner = { M: { pk: { S: 'USER#u2' }, sk: { S: 'PROFILE' } } }
        return put({ ...(await items())[guard], _owner: owner })
      },
      ['unique-missing', 'unique-orphaned'],
    ],
    'a counter that is wrong': [
      async ({ items, put }) => put({ ...(await items())['USER#u1 PROFILE'], orders: { N: '7' } }),
      ['counter-wrong'],
    ],
    'a counter that is missing': [
      async ({ items, put }) => {
        const { open, ...user } = (await items())['USER#u1 PROFILE']!
        return put(user)
      },
      ['counter-wrong'],
    ],
    'an attribute that differs from its source': [
      async ({ table }) =>
        table.entities.User.update({ userId: 'u1' }).set({ name: 'Zoe' }).execute(),
      ['copy-of-stale', 'copy-of-stale'],
    ],
  }
  for (const [name, [damage, kinds]] of Object.entries(damages)) {
    test(`finds ${name}, and repairs it if asked`, async () => {
      const setting = await verifyTable()
      const { table, items } = setting
      const before = await items()
      await damage(setting)
      const found = await verifyCopies(table)
      // Where one repair makes another needless, the order of the items decides which it is.
      expect([...new Set(found.findings.map(({ kind }) => kind))].sort()).toEqual(
        [...new Set(kinds)].sort(),
      )
      expect(found).toMatchObject({ repaired: 0 })
      const damaged = await items()
      expect(await verifyCopies(table)).toEqual(found)
      expect(await items()).toEqual(damaged)

      const repaired = await verifyCopies(table, { repair: true })
      expect(repaired.found).toBeGreaterThan(0)
      expect(repaired.repaired).toBe(repaired.found)
      expect(await verifyCopies(table)).toMatchObject(clean)
      const isLoss =
        name.includes('deleted') || name.includes('an item that is gone') || name.includes('source')
      if (!isLoss) expect(await items()).toEqual(before)
    })
  }

  test('leaves two items with one unique value to the caller', async () => {
    const { table, items, put } = await verifyTable()
    await put({ ...(await items())['USER#u2 PROFILE'], email: { S: 'ANN@x.org' } })
    const report = await verifyCopies(table, { repair: true })
    expect(report.findings.filter(({ repaired }) => !repaired)).toMatchObject([
      { kind: 'unique-taken', entity: 'User', key: { pk: 'USER#u2', sk: 'PROFILE' } },
    ])
    const again = await verifyCopies(table)
    expect(again.findings.map(({ kind }) => kind)).toEqual(['unique-taken'])
  })

  test('reports items that do not fit their model, and continues', async () => {
    const { table, items, put } = await verifyTable()
    await put({ ...(await items())['ORDER#o1 ORDER'], total: { S: 'much' } })
    const { findings } = await verifyCopies(table)
    expect(findings.map(({ kind }) => kind)).toContain('unreadable')
  })

  test('can be stopped and resumed', async () => {
    const { table, remove } = await verifyTable()
    await remove('USER#u1 ORDER#o1')
    await remove('USER#u1 ORDER#o2')
    let cursor: string | undefined
    let runs = 0
    let found = 0
    for (let ended = false; !ended; runs++) {
      const controller = new AbortController()
      const onFinding = () => {
        found++
      }
      const onProgress = (report: { cursor: string | undefined }): void => {
        cursor = report.cursor
        if (cursor !== undefined) controller.abort()
      }
      const { signal } = controller
      ended = await verifyCopies(table, {
        cursor,
        pageSize: 2,
        onFinding,
        onProgress,
        signal,
      }).then(
        () => true,
        () => false,
      )
    }
    expect(runs).toBeGreaterThan(3)
    expect(found).toBe(2)
    await expect(verifyCopies(table, { cursor: 'x' })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    })
  })

  test('names counters that no index can check', async () => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Team: {
          key: { pk: 'TEAM#${team}' },
          attributes: {
            team: { type: String, required: true },
            members: { type: Number, counts: 'Member' },
          },
        },
        Member: {
          key: { pk: 'MEMBER#${name}' },
          attributes: { name: { type: String, required: true }, team: { type: String } },
        },
      },
    })
    const table = new Table({ name: 'Teams', schema, client: createEngine() })
    await table.create()
    const { skipped } = await verifyCopies(table)
    expect(skipped).toEqual(['Team.members: no index finds the items of Member by team'])
  })
})

describe('items whose time ran out', () => {
  test('are counted down by the stream handler, once', async () => {
    const { table, engine, environment } = await verifyTable()
    const { User, Order } = table.entities
    const expiresAt = NOW / 1000 + 60
    await Order.create({ orderId: 'o4', userId: 'u1', userName: 'Ann', expiresAt }).execute()
    const count = async () => (await User.get({ userId: 'u1' }).execute())?.orders
    expect(await count()).toBe(3)
    await environment.advance(61_000)
    await engine.sweepExpired()
    expect(await count()).toBe(3)
    const Records = await recordsOf(engine, await streamOf(engine, 'Shop'))
    expect(await countExpired(table)({ Records })).toEqual({ batchItemFailures: [] })
    expect(await count()).toBe(2)
    // Another instance of the function, which remembers nothing.
    await countExpired(table)({ Records })
    expect(await count()).toBe(2)
    expect(await verifyCopies(table)).toMatchObject(clean)
  })

  test('are counted down nowhere if their parent is gone', async () => {
    const { table, engine, environment, remove } = await verifyTable()
    const expiresAt = NOW / 1000 + 60
    await table.entities.Order.create({ orderId: 'o4', userId: 'u1', expiresAt }).execute()
    await remove('USER#u1 PROFILE')
    await environment.advance(61_000)
    await engine.sweepExpired()
    const Records = await recordsOf(engine, await streamOf(engine, 'Shop'))
    expect(await countExpired(table)({ Records })).toEqual({ batchItemFailures: [] })
  })

  test('need the images of a stream', async () => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: { A: { key: { pk: 'A#${a}' }, attributes: { a: { type: String } } } },
      table: { stream: 'keys' },
    })
    const table = new Table({ name: 'T', schema, client: createEngine() })
    expect(() => countExpired(table)).toThrow('no old images')
  })
})
