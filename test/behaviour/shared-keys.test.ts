import { defineSchema, type Table } from 'singletable'
import { expect, expectTypeOf, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Two models under the same keys, as users and organisations whose names are of one kind. */
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'ACCOUNT#${name}', sk: 'ACCOUNT#${name}' },
      type: 'user',
      attributes: { name: { type: String, required: true }, email: { type: String } },
    },
    Organization: {
      key: { pk: 'ACCOUNT#${name}', sk: 'ACCOUNT#${name}' },
      type: 'org',
      sharesKeyWith: ['User'],
      attributes: { name: { type: String, required: true }, plan: { type: String } },
    },
  },
})

onEachTarget((target) => {
  const made = async (): Promise<Table<typeof schema>> => {
    const table = await target.table(schema)
    await table.entities.User.put({ name: 'ann', email: 'a@x.org' }).execute()
    await table.entities.Organization.create({ name: 'acme', plan: 'pro' }).execute()
    return table
  }

  test('an item has the declared type, and only its own model reads it', async () => {
    const { User, Organization } = (await made()).entities
    expect(await User.get({ name: 'ann' }).execute()).toEqual({ name: 'ann', email: 'a@x.org' })
    expect(await Organization.get({ name: 'ann' }).execute()).toBeUndefined()
    expect(await User.query({ name: 'acme' }).execute()).toEqual([])
    expect(await Organization.query({ name: 'acme' }).count()).toBe(1)
    expect(await User.scan().execute()).toHaveLength(1)
    expect(User.put({ name: 'x' }).dbParams().Item._type).toBe('user')
    expect(await Organization.batchGet([{ name: 'acme' }]).execute()).toHaveLength(1)
  })

  test('a collection of both gives whichever there is, typed by its model', async () => {
    const table = await made()
    for await (const found of table.collect(['User', 'Organization'], { name: 'acme' })) {
      if (found.entity === 'Organization') {
        expectTypeOf(found.item.plan).toEqualTypeOf<string | undefined>()
        expect(found.item).toEqual({ name: 'acme', plan: 'pro' })
      } else expect(found).toBeUndefined()
    }
    const { User, Organization } = await table
      .collect(['User', 'Organization'], { name: 'ann' })
      .execute()
    expect([User.length, Organization.length]).toEqual([1, 0])
  })

  test('no write replaces, changes or deletes the item of another model', async () => {
    const table = await made()
    const { User, Organization } = table.entities
    const put = await failureOf(() => User.put({ name: 'acme' }).execute())
    expect(put.code).toBe('ITEM_EXISTS')
    expect(put.message).toContain('An item of another model, "org", is under this key')
    expect(await codeOf(() => User.create({ name: 'acme' }).execute())).toBe('ITEM_EXISTS')
    const set = { email: 'x' }
    expect(await codeOf(() => User.update({ name: 'acme' }).set(set).execute())).toBe(
      'ITEM_NOT_FOUND',
    )
    expect(await codeOf(() => User.upsert({ name: 'acme' }).set(set).execute())).toBe('ITEM_EXISTS')
    expect(await codeOf(() => User.delete({ name: 'acme' }).execute())).toBe('ITEM_EXISTS')
    expect(
      await codeOf(() =>
        table
          .transactWrite()
          .add(User.put({ name: 'acme' }))
          .execute(),
      ),
    ).toBe('TRANSACTION_CANCELED')
    expect(await Organization.get({ name: 'acme' }).execute()).toEqual({
      name: 'acme',
      plan: 'pro',
    })
    await User.put({ name: 'ann', email: 'b@x.org' }).execute()
    await User.update({ name: 'ann' }).set({ email: 'c@x.org' }).execute()
    await User.delete({ name: 'ann' }).execute()
    await User.delete({ name: 'ann' }).execute()
    expect(await User.get({ name: 'ann' }).execute()).toBeUndefined()
  })
})

const model = (parts: object) => ({
  key: { pk: 'ACCOUNT#${name}' },
  attributes: { name: { type: String, required: true } },
  ...parts,
})
const define = (models: object) =>
  defineSchema({ indexes: { primary: { hash: 'pk' } }, models } as never)

test.each([
  [{ A: model({}), B: model({}) }, 'or declare sharesKeyWith'],
  [{ A: model({}), B: model({ sharesKeyWith: ['C'] }) }, 'there is no model "C"'],
  [
    { A: model({ type: 'x' }), B: model({ type: 'x', sharesKeyWith: ['A'] }) },
    'the same type, "x"',
  ],
  [
    { A: model({ key: { pk: 'A#${name}' } }), B: model({ sharesKeyWith: ['A'] }) },
    'its keys are never those of "A"',
  ],
])('%j is refused', (models, text) => {
  expect(() => define(models)).toThrow(text)
})
