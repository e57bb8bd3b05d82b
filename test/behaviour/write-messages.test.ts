import { defineSchema, SingletableError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'

/** What the messages of errors advise where several rules of a model meet. */

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Group: {
      key: { pk: 'GROUP#${group}', sk: 'GROUP' },
      attributes: {
        group: text,
        name: { type: String },
        members: { type: Number, counts: 'Member' },
      },
    },
    Member: {
      key: { pk: 'GROUP#${group}', sk: 'MEMBER#${user}' },
      attributes: { group: text, user: text, nick: { type: String, unique: true } },
    },
    Page: {
      key: { pk: 'PAGE#${page}', sk: 'PAGE' },
      attributes: {
        page: text,
        slug: { type: String, unique: true },
        version: { type: Number, version: true },
      },
    },
  },
})

async function makeTable(): Promise<Table<typeof schema>> {
  const table = new Table({ name: 'groups', schema, client: createEngine() })
  await table.create()
  await table.entities.Group.create({ group: 'a' }).execute()
  await table.entities.Member.create({ group: 'a', user: 'ann', nick: 'A' }).execute()
  return table
}

test('a put without the version of an existing item gets an error that asks for it', async () => {
  const { Page } = (await makeTable()).entities
  await Page.put({ page: '1' }).execute()
  const error = await failureOf(() => Page.put({ page: '1', slug: 's' }).execute())
  expect(error.code).toBe('ITEM_EXISTS')
  expect(error.message).toContain('give "version" as it was read')
  expect(error.message).not.toContain('use put()')
})

test('a model with a version is refused by both kinds of batches, also if other items follow it', async () => {
  const table = await makeTable()
  const { Page } = table.entities
  for (const call of [
    () => Page.batchWrite([{ page: '1' }]).execute(),
    () => table.batchWrite([Page.put({ page: '1' })]).execute(),
  ]) {
    const error = await failureOf(call)
    expect(error.code).toBe('BATCH_INVALID')
    expect(error.message).toContain('a put with a condition or changes (its version is one)')
  }
  await Page.put({ page: '1', slug: 's' }).execute()
  await Page.batchWrite([])
    .delete([{ page: '1' }])
    .execute()
  await Page.create({ page: '2', slug: 's' }).execute()
})

test('freeing and taking a unique value in one transaction gets an error that suggests two', async () => {
  const table = await makeTable()
  const { Member } = table.entities
  const error = await failureOf(() =>
    table
      .transactWrite()
      .add(Member.delete({ group: 'a', user: 'ann' }).given({ nick: 'A' }))
      .add(Member.create({ group: 'a', user: 'bob', nick: 'A' }))
      .execute(),
  )
  expect(error.code).toBe('TRANSACTION_INVALID')
  expect(error.message).toContain('unique "nick" of Member')
  expect(error.message).toContain('release the value first, and take it in a second transaction')
})

test('a cancelled transaction says that a value is taken, or a parent is missing', async () => {
  const table = await makeTable()
  const { Member } = table.entities
  const taken = await failureOf(() =>
    table
      .transactWrite()
      .add(Member.create({ group: 'a', user: 'bob', nick: 'A' }))
      .execute(),
  )
  expect(SingletableError.is(taken) && taken.code).toBe('TRANSACTION_CANCELED')
  expect(taken.message).toContain(
    'unique "nick" of Member): Another Member has the same "nick", which is unique',
  )
  const missing = await failureOf(() =>
    table
      .transactWrite()
      .add(Member.create({ group: 'b', user: 'bob' }))
      .execute(),
  )
  expect(missing.message).toContain(
    'count Group.members): The Group whose members counts this Member does not exist.',
  )
  expect(await codeOf(() => Member.create({ group: 'b', user: 'bob' }).execute())).toBe(
    'PARENT_MISSING',
  )
})
