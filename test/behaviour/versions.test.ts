import { defineSchema, type Table, VersionConflictError } from 'singletable'
import { beforeEach, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Optimistic locking by an attribute with `version: true`. */

const PageSchema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Page: {
      key: { pk: 'PAGE#${id}' },
      attributes: {
        id: { type: String, required: true },
        text: { type: String, default: '' },
        version: { type: Number, version: true },
      },
    },
  },
})

const key = { id: '1' }

onEachTarget((target) => {
  let table: Table<typeof PageSchema>
  beforeEach(async () => {
    table = await target.table(PageSchema)
  })

  test('a new item has version 1, by put and by create', async () => {
    const { Page } = table.entities
    expect(await Page.put({ id: '1' }).execute()).toEqual({ id: '1', text: '', version: 1 })
    expect((await Page.create({ id: '2' }).execute()).version).toBe(1)
    expect((await Page.upsert({ id: '3' }).set({ text: 'x' }).execute()).version).toBe(1)
  })

  test('a put without a version is for an item that does not exist', async () => {
    const { Page } = table.entities
    const first = await Page.put({ id: '1' }).execute()
    const error = await failureOf(() => Page.put({ id: '1', text: 'lost' }).execute())
    expect(error.code).toBe('ITEM_EXISTS')
    expect(error.item).toEqual(first)
  })

  test('a put of what was read counts the version up, and fails once another one was faster', async () => {
    const { Page } = table.entities
    const read = await Page.put({ id: '1' }).execute()
    const second = await Page.put({ ...read, text: 'mine' }).execute()
    expect(second).toEqual({ id: '1', text: 'mine', version: 2 })
    const error = await failureOf(() => Page.put({ ...read, text: 'theirs' }).execute())
    expect(error).toBeInstanceOf(VersionConflictError)
    expect(error.item).toEqual(second)
  })

  test('updates and upserts count up', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1' }).execute()
    expect((await Page.update(key).set({ text: 'a' }).execute()).version).toBe(2)
    expect((await Page.upsert(key).set({ text: 'b' }).execute()).version).toBe(3)
  })

  test('ifVersion holds an update to the version it was made for', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1' }).execute()
    await Page.update(key).ifVersion(1).set({ text: 'a' }).execute()
    const error = await failureOf(() => Page.update(key).ifVersion(1).set({ text: 'b' }).execute())
    expect(error).toMatchObject({
      code: 'VERSION_CONFLICT',
      item: { id: '1', text: 'a', version: 2 },
    })
  })

  test('ifVersion on an item that is not there says that it is not there', async () => {
    const { Page } = table.entities
    const update = Page.update(key).ifVersion(1).set({ text: 'a' })
    expect(await codeOf(() => update.execute())).toBe('ITEM_NOT_FOUND')
  })

  test('ifVersion holds a delete', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1' }).execute()
    expect(await codeOf(() => Page.delete(key).ifVersion(2).execute())).toBe('VERSION_CONFLICT')
    await Page.delete(key).ifVersion(1).execute()
    expect(await Page.get(key).execute()).toBeUndefined()
  })

  test('only one of ten writers that read the same version succeeds', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1' }).execute()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, writer) =>
        Page.update(key)
          .ifVersion(1)
          .set({ text: `${writer}` })
          .execute(),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await Page.get(key).consistentRead().execute())?.version).toBe(2)
  })

  test('in transactions puts, updates, deletes and checks hold to versions', async () => {
    const { Page } = table.entities
    const pages = await Promise.all(['1', '2', '3', '4'].map((id) => Page.put({ id }).execute()))
    const write = () =>
      table
        .transactWrite()
        .addPut(Page.put({ ...(pages[0] as { id: string }), text: 'x' }))
        .addUpdate(Page.update({ id: '2' }).ifVersion(1).set({ text: 'x' }))
        .addDelete(Page.delete({ id: '3' }).ifVersion(1))
        .addConditionCheck(Page.check({ id: '4' }).ifVersion(1))
        .execute()
    await write()
    const after = await Page.batchGet(pages).execute()
    expect(after.map((page) => page?.version)).toEqual([2, 2, undefined, 1])
    const error = await failureOf(write)
    expect(error).toMatchObject({
      code: 'TRANSACTION_CANCELED',
      failures: [{ index: 0 }, { index: 1 }, { index: 2 }],
    })
  })

  test('an item that moves keeps counting, and is held to its version', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1', text: 'x' }).execute()
    expect(await codeOf(() => Page.update(key).ifVersion(2).set({ id: '2' }).execute())).toBe(
      'VERSION_CONFLICT',
    )
    const moved = await Page.update(key).ifVersion(1).set({ id: '2' }).execute()
    expect(moved).toEqual({ id: '2', text: 'x', version: 2 })
    expect(await Page.get({ id: '2' }).execute()).toEqual(moved)
    expect(await Page.get(key).execute()).toBeUndefined()
  })

  test('the version itself can not be set', async () => {
    const { Page } = table.entities
    await Page.put({ id: '1' }).execute()
    const update = Page.update(key).set({ version: 7 } as never)
    expect(await codeOf(() => update.execute())).toBe('INPUT_INVALID')
  })

  test('ifVersion on a model without a version is refused', async () => {
    const plain = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Page: {
          key: { pk: 'PAGE#${id}' },
          attributes: { id: { type: String, required: true }, text: { type: String } },
        },
      },
    })
    const { Page } = plain.entities
    expect(await codeOf(() => Page.update(key).set({ text: 'x' }).ifVersion(1))).toBe(
      'INPUT_INVALID',
    )
  })

  test('a version that is undefined is refused, and is not a condition less', async () => {
    const { Page } = table.entities
    await Page.put(key).execute()
    // As it comes from an object without types.
    const version = undefined as unknown as number
    for (const call of [
      () => Page.update(key).ifVersion(version).set({ text: 'x' }).execute(),
      () => Page.upsert(key).ifVersion(version).set({ text: 'x' }).execute(),
      () => Page.delete(key).ifVersion(version).execute(),
      () => table.transactWrite().addConditionCheck(Page.check(key).ifVersion(version)).execute(),
    ]) {
      expect(await codeOf(call)).toBe('INPUT_INVALID')
    }
    expect(await Page.get(key).execute()).toEqual({ id: '1', text: '', version: 1 })
  })
})
