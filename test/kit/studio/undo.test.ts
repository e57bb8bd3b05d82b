import { defineSchema, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenApp, openApp } from './open-app.ts'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  params: { timestamps: true },
  models: {
    Club: {
      key: { pk: 'CLUB#${clubId}', sk: 'CLUB' },
      attributes: {
        clubId: { type: String, required: true },
        name: { type: String, unique: true },
        badge: { type: Uint8Array },
        note: { type: String, nulls: true },
        rating: { type: 'decimal' },
        serial: { type: BigInt },
        any: { type: 'any' },
        tags: { type: Set, items: { type: String } },
        revision: { type: Number, version: true },
        members: { type: Number, counts: 'Member' },
        points: { type: Number, sums: 'Member.points' },
      },
      copies: { ClubName: { key: { pk: 'CLUBS', sk: '${name}#${clubId}' } } },
    },
    Member: {
      key: { pk: 'CLUB#${clubId}', sk: 'MEMBER#${memberId}' },
      attributes: {
        clubId: { type: String, required: true },
        memberId: { type: String, required: true },
        points: { type: Number },
      },
    },
  },
})

const CLUB = { pk: { S: 'CLUB#chess' }, sk: { S: 'CLUB' } }

describe('what takes a change back', () => {
  let engine: Engine
  let app: OpenApp

  beforeEach(async () => {
    engine = createEngine()
    app = await openApp(engine, {}, schema)
    const { Club, Member } = new Table({ name: 'Blog', schema, client: engine }).entities
    await Club.create({
      clubId: 'chess',
      name: 'Chess',
      badge: new Uint8Array([0, 1, 255]),
      note: null,
      rating: '0.12345678901234567890123456789012345678',
      serial: 99999999999999999999999999999999999999n,
      any: { list: [null, 'null', 1] },
      tags: new Set(['null', '1']),
    })
    await Member.create({ clubId: 'chess', memberId: 'ann', points: 3 })
    await Member.create({ clubId: 'chess', memberId: 'bob', points: 4 })
    await Club.update({ clubId: 'chess' }).set({ name: 'Chess club' })
  })
  afterEach(async () => {
    expect(app.faults).toEqual([])
    await engine.close()
  })

  const all = async (): Promise<readonly Item[]> =>
    (await engine.send('Scan', { TableName: 'Blog' })).Items ?? []
  const club = async (): Promise<Item> =>
    (await engine.send('GetItem', { TableName: 'Blog', Key: CLUB })).Item ?? {}
  const change = async (body: object): Promise<object> => {
    const outcome = await app.call('/api/change', { change: body })
    expect(outcome).toMatchObject({ state: 'saved' })
    return ('undo' in outcome ? outcome.undo : null) ?? {}
  }

  test('a deleted item comes back as it was, with counters, times, version and derived items', async () => {
    const before = await all()
    await change(await change({ kind: 'delete', entity: 'Club', before: await club() }))
    expect(await all()).toEqual(before)
  })

  test('a delete says which items stay without theirs, and its undo which counters it has', async () => {
    const edit = { kind: 'delete', entity: 'Club', before: await club() }
    const planned = await app.call('/api/change', { change: edit, isDryRun: true })
    expect(planned).toMatchObject({ notes: expect.arrayContaining(['stay without it: 2 Member']) })
    const undo = await change(edit)
    expect(await app.call('/api/change', { change: undo, isDryRun: true })).toMatchObject({
      notes: expect.arrayContaining(['as when it was deleted: members, points']),
    })
  })

  test('values of any type come back after an update', async () => {
    const before = await club()
    const strings = {
      badge: 'AAAA',
      note: 'a note',
      rating: '1',
      serial: '1',
      any: '[]',
      tags: '["other"]',
    }
    await change(await change({ kind: 'update', entity: 'Club', before, strings }))
    const { revision, updatedAt, ...rest } = await club()
    expect(rest).toEqual(
      Object.fromEntries(
        Object.entries(before).filter(([name]) => name !== 'revision' && name !== 'updatedAt'),
      ),
    )
  })

  test('what a form shows of an item is read back as the same values', async () => {
    const { detail } = await app.call('/api/item', { key: CLUB })
    const strings = { ...detail?.strings, clubId: 'other', name: 'Other' }
    for (const name of ['revision', 'members', 'points', 'createdAt', 'updatedAt']) {
      delete strings[name as never]
    }
    await change({ kind: 'create', entity: 'Club', strings })
    const { Item: copy } = await engine.send('GetItem', {
      TableName: 'Blog',
      Key: { ...CLUB, pk: { S: 'CLUB#other' } },
    })
    const names = ['badge', 'note', 'rating', 'serial', 'any', 'tags']
    const pick = (item: Item | undefined): unknown => names.map((name) => item?.[name])
    expect(pick(copy)).toEqual(pick(await club()))
  })

  test('the JSON of an item changes values of any type', async () => {
    const before = await club()
    const after = { ...before, badge: { B: 'AAAA' }, note: { S: 'null' }, any: { NULL: true } }
    await change({ kind: 'raw', before, after })
    expect(await club()).toMatchObject({
      badge: { B: 'AAAA' },
      note: { S: 'null' },
      any: { NULL: true },
    })
  })
})
