import { ConditionFailedError, InputError, Table, VersionConflictError } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

const schema = {
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byCity: { hash: 'cityPk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'USER' },
      index: { cityPk: 'CITY#${city}' },
      attributes: {
        name: { type: String, required: true },
        city: { type: String },
        born: { type: Date },
        roles: { type: Set, items: { type: String } },
        address: { type: Object, schema: { street: { type: String } } },
      },
    },
    Page: {
      key: { pk: 'PAGE#${id}', sk: 'PAGE' },
      attributes: {
        id: { type: String, required: true },
        text: { type: String },
        version: { type: Number, version: true },
        revision: { type: String, onUpdate: () => `r${++made}` },
      },
    },
  },
} as const

const ALICE = {
  name: 'alice',
  city: 'Rome',
  born: new Date(0),
  roles: new Set(['a', 'b']),
  address: { street: 'Main' },
}

let made = 0
let sent: { operation: string; request: Record<string, unknown> }[] = []

function create() {
  const engine = createEngine()
  const client = {
    send: ((operation: never, request: never, options: never) => {
      sent.push({ operation, request })
      return engine.send(operation, request, options)
    }) as typeof engine.send,
  }
  return new Table({ name: 'Users', schema, client })
}

let table = create()

beforeEach(async () => {
  made = 0
  table = create()
  await table.create()
  await table.entities.User.put(ALICE)
  sent = []
})

describe('save', () => {
  test('writes only what is different, and moves the item in its indexes without reading it', async () => {
    const { User } = table.entities
    const { born: _, ...changed } = { ...ALICE, city: 'Oslo' }
    expect(await User.save(changed, ALICE)).toEqual(changed)
    expect(sent.map(({ operation }) => operation)).toEqual(['UpdateItem'])
    const names = Object.values(sent[0]!.request.ExpressionAttributeNames as object)
    expect(names.includes('roles')).toBe(false)
    expect(await User.query({ city: 'Oslo' })).toEqual([changed])
  })

  test('fails if somebody else has changed what it changes, and else not', async () => {
    const { User } = table.entities
    await User.update(ALICE).set({ city: 'Paris' })
    await expect(User.save({ ...ALICE, city: 'Oslo' }, ALICE)).rejects.toThrow(ConditionFailedError)
    const saved = await User.save({ ...ALICE, address: { street: 'Side' } }, ALICE)
    expect(saved).toEqual({ ...ALICE, city: 'Paris', address: { street: 'Side' } })
  })

  test('an attribute that was not there must still not be there', async () => {
    const { User } = table.entities
    const bob = await User.put({ name: 'bob' })
    await User.update(bob).set({ city: 'Paris' })
    await expect(User.save({ ...bob, city: 'Oslo' }, bob)).rejects.toThrow(ConditionFailedError)
  })

  test('sends nothing where nothing is different, whatever objects the values are', async () => {
    const copy = {
      ...ALICE,
      born: new Date(0),
      roles: new Set(['b', 'a']),
      address: { street: 'Main' },
    }
    expect(await table.entities.User.save(copy, ALICE)).toEqual(ALICE)
    expect(sent).toEqual([])
  })

  test('a changed key attribute moves the item', async () => {
    const { User } = table.entities
    await User.save({ ...ALICE, name: 'alicia' }, ALICE)
    expect(await User.get({ name: 'alice' })).toBeUndefined()
    expect(await User.get({ name: 'alicia' })).toEqual({ ...ALICE, name: 'alicia' })
  })

  test('a version decides where the model has one', async () => {
    const { Page } = table.entities
    const page = await Page.put({ id: '1', text: 'a' })
    const saved = await Page.save({ ...page, text: 'b' }, page)
    expect(saved).toMatchObject({ text: 'b', version: 2 })
    await expect(Page.save({ ...page, text: 'c' }, page)).rejects.toThrow(VersionConflictError)
  })

  test('is part of a transaction as any update', async () => {
    const { User } = table.entities
    await table.transactWrite().addUpdate(User.save({ ...ALICE, city: 'Oslo' }, ALICE))
    expect((await User.get(ALICE))?.city).toBe('Oslo')
  })

  test('needs both items', () => {
    // @ts-expect-error: nothing says what was read.
    expect(() => table.entities.User.save(ALICE)).toThrow(InputError)
  })
})

describe('onUpdate', () => {
  test('makes the value of each update and of a new item, unless one is given', async () => {
    const { Page } = table.entities
    expect((await Page.put({ id: '1' })).revision).toBe('r1')
    expect((await Page.update({ id: '1' }).set({ text: 'a' })).revision).toBe('r2')
    expect((await Page.update({ id: '1' }).set({ revision: 'mine' })).revision).toBe('mine')
    expect((await Page.put({ id: '2', revision: 'own' })).revision).toBe('own')
    const upserted = await Page.upsert({ id: '3' }).set({ text: 'a' })
    expect(upserted.revision).toMatch(/^r\d$/)
    expect(await Page.get({ id: '3' })).toEqual(upserted)
  })

  test.each([
    ['a value that is not a function', { onUpdate: 'now' }, /not a function/],
    ['a version', { onUpdate: (): number => 1, type: Number, version: true }, /onUpdate/],
    ['what is readonly', { onUpdate: (): string => 'a', readonly: true }, /onUpdate/],
  ])('%s is refused', (_, options, message) => {
    const attributes = { id: { type: String }, at: { type: String, ...options } }
    const wrong = {
      indexes: { primary: { hash: 'pk' } },
      models: { Page: { key: { pk: 'PAGE#${id}' }, attributes } },
    }
    expect(() => new Table({ name: 'P', schema: wrong as never, client: createEngine() })).toThrow(
      message,
    )
  })

  test('an attribute of the primary key can not have it', () => {
    const wrong = {
      indexes: { primary: { hash: 'pk' } },
      models: {
        Page: {
          key: { pk: 'PAGE#${id}' },
          attributes: { id: { type: String, onUpdate: () => 'x' } },
        },
      },
    }
    expect(() => new Table({ name: 'P', schema: wrong as never, client: createEngine() })).toThrow(
      /can't be part of the primary key/,
    )
  })
})

test('an item that needs no attributes is saved, whatever others it has', async () => {
  const engine = createEngine()
  const table = new Table({
    name: 'Config',
    client: engine,
    schema: {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Settings: {
          key: { pk: 'SETTINGS', sk: 'SETTINGS' },
          attributes: { limit: { type: Number }, cities: { type: Set, items: { type: String } } },
        },
      },
    } as const,
  })
  await table.create()
  const { Settings } = table.entities
  await Settings.put({ limit: 3, cities: new Set(['Rome']) })
  const read = await Settings.get({})
  if (read === undefined) throw new Error('it was put')
  await Settings.save({ ...read, cities: new Set(['Rome', 'Oslo']) }, read)
  expect(await Settings.get({})).toEqual({ limit: 3, cities: new Set(['Rome', 'Oslo']) })
  await engine.close()
})
