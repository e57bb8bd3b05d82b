import { defineSchema, InputError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byCity: { hash: 'cityPk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'USER' },
      index: { cityPk: 'CITY#${city}' },
      attributes: {
        name: { type: String, required: true },
        city: { type: String },
        formerCity: { type: String },
        price: { type: Number },
        tax: { type: Number },
        total: { type: Number },
        born: { type: Date },
        address: { type: Object, schema: { city: { type: String } } },
      },
    },
    Account: {
      key: { pk: 'ACCOUNT#${name}', sk: 'ACCOUNT' },
      attributes: {
        name: { type: String, required: true },
        email: { type: String, unique: true },
        spare: { type: String },
      },
      copies: { Mail: { key: { pk: 'MAIL#${email}', sk: 'MAIL' } } },
    },
  },
})

let sent: { operation: string; request: Record<string, unknown> }[] = []
let before: ((operation: string) => Promise<unknown>) | undefined
const engine = createEngine()
const client = {
  send: (async (operation: never, request: never, options: never) => {
    const hook = before
    if (operation !== 'GetItem') before = undefined
    if (operation !== 'GetItem') await hook?.(operation)
    sent.push({ operation, request })
    return engine.send(operation, request, options)
  }) as typeof engine.send,
}
let table = new Table({ name: 'users', schema, client })
let made = 0
const key = { name: 'alice' }

beforeEach(async () => {
  before = undefined
  table = new Table({ name: `users${made++}`, schema, client })
  await table.create()
  await table.entities.User.put({
    ...key,
    city: 'Rome',
    price: 10,
    tax: 2,
    address: { city: 'Oslo' },
  })
  await table.entities.Account.put({ ...key, email: 'a@b.c', spare: 'x@y.z' })
  sent = []
})

describe('set with a function', () => {
  test('takes the value of another attribute, by one request', async () => {
    const { User } = table.entities
    const user = await User.update(key).set('formerCity', (attr) => attr.city)
    expect(user.formerCity).toBe('Rome')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.request.UpdateExpression).toMatch(/^SET #\w+ = #\w+$/)
  })

  test('computes sums and differences, also of what may be missing', async () => {
    const { User } = table.entities
    const sum = await User.update(key).set('total', (attr, op) => op.plus(attr.price, attr.tax))
    expect(sum.total).toBe(12)
    const less = await User.update(key).set('total', (attr, op) => op.minus(attr.total, 5))
    expect(less.total).toBe(7)
    await User.update(key).remove('tax')
    const other = await User.update(key).set('total', (attr, op) =>
      op.plus(op.orElse(attr.tax, 100), attr.price),
    )
    expect(other.total).toBe(110)
  })

  test('reads the item as it was before the update', async () => {
    const { User } = table.entities
    const user = await User.update(key)
      .set('formerCity', (attr) => attr.city)
      .set('city', 'Paris')
    expect([user.city, user.formerCity]).toEqual(['Paris', 'Rome'])
    expect(await User.query({ city: 'Paris' })).toHaveLength(1)
  })

  test('keeps index keys right, and tries again when others change the source in between', async () => {
    const { User } = table.entities
    before = () =>
      engine.send('UpdateItem', {
        TableName: table.name,
        Key: { pk: { S: 'USER#alice' }, sk: { S: 'USER' } },
        UpdateExpression: 'SET address.city = :c',
        ExpressionAttributeValues: { ':c': { S: 'Bern' } },
      })
    const user = await User.update(key).set('city', (attr) => attr.address.city)
    expect(user.city).toBe('Bern')
    expect(await User.query({ city: 'Bern' })).toHaveLength(1)
    expect(await User.query({ city: 'Oslo' })).toHaveLength(0)
  })

  test('keeps copies and unique values right', async () => {
    const { Account, Mail } = table.entities
    await Account.update(key).set('email', (attr) => attr.spare)
    expect(await Mail.get({ email: 'x@y.z' })).toMatchObject({ email: 'x@y.z' })
    expect(await Mail.get({ email: 'a@b.c' })).toBeUndefined()
    await expect(Account.create({ name: 'bob', email: 'x@y.z' })).rejects.toThrow(/UNIQUE_TAKEN/)
    await Account.create({ name: 'bob', email: 'a@b.c' })
  })

  test('is part of a transaction if what keys depend on is given', async () => {
    const { User } = table.entities
    const update = User.update(key).set('formerCity', (attr) => attr.city)
    await table.transactWrite().addUpdate(update)
    expect(await User.get(key)).toMatchObject({ formerCity: 'Rome' })
    const moved = User.update(key).set('city', (attr) => attr.formerCity)
    await expect(async () => table.transactWrite().addUpdate(moved)).rejects.toThrow(/formerCity/)
    await table.transactWrite().addUpdate(moved.given({ formerCity: 'Rome' }))
    expect(await User.query({ city: 'Rome' })).toHaveLength(1)
  })

  test('is given by functions among other values of an object, too', async () => {
    const { User } = table.entities
    const changed = await User.update(key).set({
      city: 'Oslo',
      formerCity: (attr) => attr.city,
      total: (attr, op) => op.plus(attr.price, 1),
    })
    expect(changed).toMatchObject({ city: 'Oslo', formerCity: 'Rome', total: changed.price! + 1 })
    const update = User.update(key)
    // @ts-expect-error a string is not a number
    expect(() => update.set({ total: (attr) => attr.city }).explain()).toThrow(
      /"total" can't take the value of "city", which has another type/,
    )
  })

  test('refuses unknown attributes, other types, keys and upserts', async () => {
    const { User } = table.entities
    const update = User.update(key)
    // @ts-expect-error a text is not a number
    expect(() => update.set('total', (attr) => attr.city).explain()).toThrow(
      /"total" can't take the value of "city", which has another type/,
    )
    // @ts-expect-error a value is not an attribute
    expect(() => update.set('city', () => 'Rome').explain()).toThrow(
      /"city" needs an attribute, as in \(attr\) => attr.name, and the function gave/,
    )
    expect(() =>
      // @ts-expect-error there is no such attribute
      update.set('city', (attr) => attr.town).explain(),
    ).toThrow(InputError)
    // @ts-expect-error nothing can be added to text
    expect(() => update.set('city', (attr, op) => op.plus(attr.city, 1)).explain()).toThrow(
      /"city" is not a number/,
    )
    expect(() => update.set('name', (attr) => attr.city as never).explain()).toThrow(
      /"name" is part of the primary key, which only set\(\) with a value can change/,
    )
    expect(() =>
      User.upsert(key)
        .set('formerCity', (attr) => attr.city)
        .explain(),
    ).toThrow(/"formerCity" is computed from the item, and an upsert may find none/)
  })

  test('a source that the item does not have is an error that names it', async () => {
    const { User } = table.entities
    await User.update(key).remove('tax')
    await expect(User.update(key).set('total', (attr) => attr.tax)).rejects.toThrow(
      /The item lacks an attribute that the update computes with: "total" from "tax"/,
    )
    const { Account } = table.entities
    await Account.update(key).remove('spare')
    await expect(Account.update(key).set('email', (attr) => attr.spare)).rejects.toThrow(
      /The item lacks an attribute that the update computes with: "email" from "spare"/,
    )
  })
})
