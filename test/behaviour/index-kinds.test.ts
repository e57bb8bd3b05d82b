import { strict as assert } from 'node:assert'
import { defineSchema, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Indexes of every kind: several key attributes, local, inverted, with a part of the
 * attributes. */

const GameSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    inverted: { hash: 'sk', sort: 'pk' },
    byPlace: { hash: ['country', 'city'], sort: ['league', 'score', 'name'] },
    byScore: { hash: 'pk', sort: 'score', type: 'local' },
    keysOnly: { hash: 'league', sort: 'sk', project: 'keys' },
    some: { hash: 'team', sort: 'sk', project: ['name', 'score'] },
  },
  models: {
    Player: {
      key: { pk: 'GAME#${game}', sk: 'PLAYER#${name}' },
      attributes: {
        game: { type: String, required: true },
        name: { type: String, required: true },
        score: { type: Number },
        country: { type: String },
        city: { type: String },
        league: { type: String },
        team: { type: String },
        bio: { type: String },
      },
    },
    Rule: {
      key: { pk: 'GAME#${game}', sk: 'RULE#${number}' },
      attributes: {
        game: { type: String, required: true },
        number: { type: String, required: true },
        text: { type: String },
      },
    },
  },
})

const berlin = { country: 'de', city: 'berlin' }

onEachTarget((target) => {
  let table: Table<typeof GameSchema>
  beforeAll(async () => {
    table = await target.table(GameSchema)
    await table.entities.Player.batchWrite([
      { game: 'go', name: 'ann', score: 9, ...berlin, league: 'a', team: 'x', bio: 'Hi' },
      { game: 'go', name: 'ben', score: 10, ...berlin, league: 'a', team: 'x' },
      { game: 'go', name: 'cem', score: -1, ...berlin, league: 'b', team: 'y' },
      { game: 'go', name: 'dan', score: 5, country: 'de', city: 'bonn', league: 'a' },
      { game: 'chess', name: 'ann', score: 1.5 },
    ]).execute()
    await table.entities.Rule.put({ game: 'go', number: '1', text: 'x' }).execute()
  })
  const names = (items: readonly { readonly name: string }[]): string[] =>
    items.map(({ name }) => name)

  describe('several key attributes', () => {
    test('all partition attributes are needed', async () => {
      const { Player } = table.entities
      expect(names(await Player.query(berlin).useIndex('byPlace').execute())).toEqual([
        'ann',
        'ben',
        'cem',
      ])
      const alone = Player.query().where((attr, op) => op.eq(attr.city, 'berlin'))
      expect(await codeOf(() => alone.execute())).toBe('PLAN_NO_INDEX')
    })

    test('sort attributes from the left by equality, the last one by a range', async () => {
      const { Player } = table.entities
      const league = Player.query({ ...berlin, league: 'a' }).useIndex('byPlace')
      expect(names(await league.execute())).toEqual(['ann', 'ben'])
      const best = league.where((attr, op) => op.gt(attr.score, 9))
      expect(names(await best.execute())).toEqual(['ben'])
      expect(best.explain().filter).toBeUndefined()
    })

    test('numbers sort as numbers, backwards too', async () => {
      const { Player } = table.entities
      const league = Player.query({ ...berlin, league: 'a' }).useIndex('byPlace')
      expect(names(await league.scanIndexForward(false).execute())).toEqual(['ben', 'ann'])
    })

    test('an item that lacks one of the attributes is not in the index, and enters with it', async () => {
      const own = await target.table(GameSchema)
      const { Player } = own.entities
      await Player.put({ game: 'go', name: 'eva', country: 'de', city: 'ulm', score: 1 }).execute()
      expect(await Player.query({ country: 'de', city: 'ulm' }).useIndex('byPlace').count()).toBe(0)
      await Player.update({ game: 'go', name: 'eva' }).set({ league: 'a' }).execute()
      expect(await Player.query({ country: 'de', city: 'ulm' }).useIndex('byPlace').count()).toBe(1)
      await Player.update({ game: 'go', name: 'eva' }).remove('score').execute()
      expect(await Player.query({ country: 'de', city: 'ulm' }).useIndex('byPlace').count()).toBe(0)
    })

    test('cursors', async () => {
      const { Player } = table.entities
      const query = Player.query(berlin).useIndex('byPlace').limit(1)
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await query.startFrom(cursor).executeWithPagination()
        found.push(...names(page.items))
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(found).toEqual(['ann', 'ben', 'cem'])
    })
  })

  describe('a local index', () => {
    test('gives the partition in another order, consistently if asked', async () => {
      const { Player } = table.entities
      const query = Player.query({ game: 'go' }).useIndex('byScore')
      expect(names(await query.execute())).toEqual(['cem', 'dan', 'ann', 'ben'])
      expect(names(await query.consistentRead().execute())).toEqual(['cem', 'dan', 'ann', 'ben'])
    })

    test('a range on its sort key is a key condition', async () => {
      const { Player } = table.entities
      const query = Player.query({ game: 'go' })
        .where((attr, op) => op.between(attr.score, 5, 9))
        .useIndex('byScore')
      const page = await query.executeWithPagination()
      expect(names(page.items)).toEqual(['dan', 'ann'])
      expect(page.scannedCount).toBe(2)
    })
  })

  describe('an inverted index', () => {
    test('answers from the other side, with nothing stored for it', async () => {
      const { Player } = table.entities
      const query = Player.query({ name: 'ann' })
      expect(query.explain().index).toBe('inverted')
      expect((await query.execute()).map(({ game }) => game)).toEqual(['chess', 'go'])
    })
  })

  describe('an index that holds keys only', () => {
    test('needs to be named, or select of what it has, or hydrate', async () => {
      const { Player } = table.entities
      const query = Player.query({ league: 'a' }).useIndex('keysOnly')
      expect(await codeOf(() => Player.query({ league: 'a' }).execute())).toBe('PLAN_PROJECTION')
      expect(await query.first()).toEqual({ game: 'go', name: 'ann', league: 'a' })
      // @ts-expect-error it does not hold this attribute
      expect(await codeOf(() => query.select(['bio']).execute())).toBe('PLAN_PROJECTION')
      expect(await query.select(['league']).execute()).toHaveLength(3)
    })

    test('hydrate fetches whole items in one batch and keeps the order', async () => {
      const { Player } = table.entities
      const query = Player.query({ league: 'a' }).useIndex('keysOnly').hydrate()
      const requests = await requestsOf(table, async () => {
        const found = await query.scanIndexForward(false).execute()
        expect(names(found)).toEqual(['dan', 'ben', 'ann'])
        expect(found[2]).toEqual({
          game: 'go',
          name: 'ann',
          score: 9,
          ...berlin,
          league: 'a',
          team: 'x',
          bio: 'Hi',
        })
      })
      expect(requests).toEqual(['Query', 'BatchGetItem'])
    })

    test('hydrate with select, and with a limit', async () => {
      const { Player } = table.entities
      const query = Player.query({ league: 'a' }).useIndex('keysOnly').hydrate()
      expect(await query.select(['bio', 'name']).limit(2).execute()).toEqual([
        { name: 'ann', bio: 'Hi' },
        { name: 'ben' },
      ])
    })

    test('hydrate over pages, with first, count and iteration', async () => {
      const { Player } = table.entities
      const query = Player.query({ league: 'a' }).useIndex('keysOnly').hydrate()
      const first = await query.limit(2).executeWithPagination()
      expect(names(first.items)).toEqual(['ann', 'ben'])
      const rest = await query.limit(2).startFrom(first.cursor).executeWithPagination()
      expect(names(rest.items)).toEqual(['dan'])
      expect((await query.first())?.bio).toBe('Hi')
      expect(await query.count()).toBe(3)
      const found: string[] = []
      for await (const { name } of query.pageSize(1)) found.push(name)
      expect(found).toEqual(['ann', 'ben', 'dan'])
    })

    // Only an engine can be made to fail on purpose.
    test.skipIf(target.engine === undefined)(
      'an item that was deleted meanwhile is left out',
      async () => {
        assert(target.engine)
        const own = await target.table(GameSchema)
        const { Player } = own.entities
        await Player.batchWrite(
          ['ann', 'ben'].map((name) => ({ game: 'go', name, league: 'a' })),
        ).execute()
        const fault = target.engine.faults.add({ kind: 'indexLag', ms: 60_000 })
        try {
          await Player.delete({ game: 'go', name: 'ann' }).execute()
          const query = Player.query({ league: 'a' }).useIndex('keysOnly')
          expect(await query.select(['league']).count()).toBe(2)
          expect(names(await query.hydrate().execute())).toEqual(['ben'])
        } finally {
          fault.remove()
        }
      },
    )

    test('count needs no items', async () => {
      const { Player } = table.entities
      const query = Player.query({ league: 'a' }).useIndex('keysOnly')
      expect(await query.select(['league']).count()).toBe(3)
      expect(await query.count()).toBe(3)
      // @ts-expect-error it does not hold this attribute, which a count does not need
      expect(await query.select(['bio']).count()).toBe(3)
      const scan = Player.scan().useIndex('keysOnly')
      expect(await scan.count()).toBe(await scan.parallel(2).count())
    })
  })

  describe('an index that holds some attributes', () => {
    test('select of these is one request', async () => {
      const { Player } = table.entities
      const query = Player.query({ team: 'x' })
      expect(await codeOf(() => query.execute())).toBe('PLAN_PROJECTION')
      const part = query.select(['name', 'score'])
      expect(await requestsOf(table, () => part.execute())).toEqual(['Query'])
      expect(await part.execute()).toEqual([
        { name: 'ann', score: 9 },
        { name: 'ben', score: 10 },
      ])
    })

    test('a filter on what it lacks is refused', async () => {
      const { Player } = table.entities
      const query = Player.query({ team: 'x' })
        .where((attr, op) => op.exists(attr.bio))
        .select(['name'])
      expect(await codeOf(() => query.execute())).toBe('PLAN_PROJECTION')
    })

    test('a filter on what it has, hydrated', async () => {
      const { Player } = table.entities
      const query = Player.query({ team: 'x' })
        .where((attr, op) => op.gt(attr.score, 9))
        .hydrate()
      expect(names(await query.execute())).toEqual(['ben'])
    })
  })

  test('a scan of an index gives the items that are in it', async () => {
    const { Player } = table.entities
    const found = await Player.scan().useIndex('some').select(['name']).execute()
    expect(names(found).sort()).toEqual(['ann', 'ben', 'cem'])
  })
})
