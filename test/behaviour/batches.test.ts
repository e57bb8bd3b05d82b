import { strict as assert } from 'node:assert'
import { BatchIncompleteError, defineSchema, type Table } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Batches of one entity and of several. */

const ClubSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byTeam: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Member: {
      key: { pk: 'CLUB#${club}', sk: 'MEMBER#${id}' },
      index: { gsi1pk: 'TEAM#${team}', gsi1sk: 'MEMBER#${id}' },
      attributes: {
        club: { type: String, required: true },
        id: { type: String, generate: 'ulid' },
        team: { type: String, default: 'none' },
        since: { type: Date },
      },
    },
    Club: {
      key: { pk: 'CLUB#${club}', sk: 'CLUB' },
      attributes: { club: { type: String, required: true }, name: { type: String } },
    },
  },
  params: { timestamps: true },
})

onEachTarget((target) => {
  let table: Table<typeof ClubSchema>
  beforeEach(async () => {
    table = await target.table(ClubSchema)
  })
  const member = (id: string) => ({ club: 'a', id })

  describe('batchWrite', () => {
    test('gives the items as they were written, with ids, defaults and timestamps', async () => {
      const { Member } = table.entities
      const written = await Member.batchWrite([{ club: 'a' }, { club: 'a', team: 'x' }]).execute()
      expect(written).toEqual([
        {
          club: 'a',
          id: expect.stringMatching(/^[0-9A-Z]{26}$/),
          team: 'none',
          createdAt: expect.any(Date),
          updatedAt: expect.any(Date),
        },
        expect.objectContaining({ team: 'x' }),
      ])
      expect(await Member.query({ club: 'a' }).execute()).toEqual(written)
      expect(await Member.query({ team: 'x' }).execute()).toEqual(written.slice(1))
    })

    test('any number of items, 25 in a request', async () => {
      const { Member } = table.entities
      const members = Array.from({ length: 60 }, (_, index) => member(`${index}`))
      const write = Member.batchWrite(members)
      expect(await requestsOf(table, () => write.execute())).toHaveLength(3)
      expect(await Member.query({ club: 'a' }).count()).toBe(60)
    })

    test('deletes in the same batch', async () => {
      const { Member } = table.entities
      await Member.batchWrite(['1', '2'].map(member)).execute()
      await Member.batchWrite([member('3')])
        .delete([member('1')])
        .execute()
      const left = await Member.query({ club: 'a' }).execute()
      expect(left.map(({ id }) => id)).toEqual(['2', '3'])
    })

    test('one wrong item and nothing is sent', async () => {
      const { Member } = table.entities
      const wrong = [member('1'), { club: 'a', id: '2', since: 'yesterday' } as never]
      const requests = await requestsOf(table, async () => {
        expect(await codeOf(() => Member.batchWrite(wrong).execute())).toBe('INPUT_INVALID')
      })
      expect(requests).toEqual([])
    })

    test('a put and a delete of one item are refused', async () => {
      const { Member } = table.entities
      const batch = Member.batchWrite([member('1')]).delete([member('1')])
      expect(await codeOf(() => batch.execute())).toBe('BATCH_INVALID')
    })

    test('an empty batch sends nothing', async () => {
      const { Member } = table.entities
      const requests = await requestsOf(table, async () => {
        expect(await Member.batchWrite([]).execute()).toEqual([])
        expect(await Member.batchGet([]).execute()).toEqual([])
      })
      expect(requests).toEqual([])
    })
  })

  describe('batchGet', () => {
    test('gives items in the order of the keys, undefined for those that are not there', async () => {
      const { Member } = table.entities
      await Member.batchWrite(['1', '2', '3'].map(member)).execute()
      const found = await Member.batchGet(['3', 'x', '1', '3'].map(member)).execute()
      expect(found.map((each) => each?.id)).toEqual(['3', undefined, '1', '3'])
    })

    test('any number of keys, 100 in a request', async () => {
      const { Member } = table.entities
      const keys = Array.from({ length: 130 }, (_, index) => member(`${index}`))
      await Member.batchWrite(keys).execute()
      const get = Member.batchGet(keys).consistentRead()
      const requests = await requestsOf(table, async () => {
        expect((await get.execute()).map((each) => each?.id)).toEqual(keys.map(({ id }) => id))
      })
      expect(requests).toHaveLength(2)
    })

    test('select', async () => {
      const { Member } = table.entities
      await Member.put({ club: 'a', id: '1', team: 'x' }).execute()
      expect(
        await Member.batchGet([member('1'), member('2')])
          .select(['team'])
          .execute(),
      ).toEqual([{ team: 'x' }, undefined])
    })
  })

  describe('of several entities', () => {
    test('puts and deletes', async () => {
      const { Member, Club } = table.entities
      await Member.put(member('9')).execute()
      const [club, created, deleted] = await table
        .batchWrite([
          Club.put({ club: 'a', name: 'A' }),
          Member.put(member('1')),
          Member.delete(member('9')),
        ])
        .execute()
      expect(club).toMatchObject({ club: 'a', name: 'A' })
      expect(created).toMatchObject({ id: '1', team: 'none' })
      expect(deleted).toBeUndefined()
      expect(await Member.query({ club: 'a' }).count()).toBe(1)
    })

    test('gets, each with its own select, in their order', async () => {
      const { Member, Club } = table.entities
      await table
        .batchWrite([Club.put({ club: 'a', name: 'A' }), Member.put(member('1'))])
        .execute()
      const found = await table
        .batchGet([
          Member.get(member('1')).select(['id']),
          Club.get({ club: 'b' }),
          Club.get({ club: 'a' }),
        ])
        .execute()
      expect(found).toEqual([{ id: '1' }, undefined, expect.objectContaining({ name: 'A' })])
    })

    test('what a batch can not do is refused: conditions and creates', async () => {
      const { Member } = table.entities
      for (const write of [
        Member.create(member('1')),
        Member.put(member('1')).where((attr, op) => op.exists(attr.team)),
        Member.delete(member('1')).mustExist(),
      ]) {
        expect(await codeOf(() => table.batchWrite([write]).execute())).toBe('BATCH_INVALID')
      }
    })
  })

  // Only an engine can be made to fail on purpose.
  test.skipIf(target.engine === undefined)(
    'the remaining members of a batch are reported',
    async () => {
      assert(target.engine)
      const { Member } = table.entities
      const fault = target.engine.faults.add({
        kind: 'unprocessed',
        operation: 'BatchWriteItem',
        key: { pk: { S: 'CLUB#a' }, sk: { S: 'MEMBER#2' } },
      })
      const hurried = Member.batchWrite(['1', '2'].map(member))
      const error = await hurried.execute({ deadlineMs: 300 }).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      fault.remove()
      expect(error).toBeInstanceOf(BatchIncompleteError)
      expect(error).toMatchObject({ done: [member('1')], remaining: [member('2')] })
    },
  )

  test('a builder of another table is refused, and nothing is written', async () => {
    const other = await target.table(ClubSchema)
    const { Club } = other.entities
    await Club.put({ club: 'a' }).execute()
    expect(await codeOf(() => table.batchWrite([Club.put({ club: 'b' })]).execute())).toBe(
      'BATCH_INVALID',
    )
    expect(await codeOf(() => table.batchGet([Club.get({ club: 'a' })]).execute())).toBe(
      'BATCH_INVALID',
    )
    expect(await table.entities.Club.scan().execute()).toEqual([])
  })

  test('an item that is too large stops a batch, and the error says where to look', async () => {
    const name = 'x'.repeat(410_000)
    const write = table.entities.Club.batchWrite([{ club: 'a' }, { club: 'b', name }])
    const error = await failureOf(() => write.execute())
    expect(error.code).toBe('BATCH_INCOMPLETE')
    expect(error.message).toContain('error.cause')
    expect(error.cause).toMatchObject({ code: 'REQUEST_REFUSED' })
  })
})
