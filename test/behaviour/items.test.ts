import {
  ConditionFailedError,
  defineSchema,
  EntityMismatchError,
  InputError,
  ItemExistsError,
  ItemNotFoundError,
  KeyComponentError,
  Table,
} from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** One item at a time: get, put, create, delete, what they give back, and conditions with the
 * current item in the error. */

const LibrarySchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Book: {
      key: { pk: 'SHELF#${shelf}', sk: 'BOOK#${id}' },
      attributes: {
        shelf: { type: String, required: true },
        id: { type: String, required: true },
        title: { type: String, required: true },
        copies: { type: Number, default: 1 },
        place: { type: Object, schema: { room: { type: String }, row: { type: Number } } },
      },
    },
    Sign: {
      key: { pk: 'SHELF#${shelf}', sk: 'SIGN' },
      attributes: { shelf: { type: String, required: true }, text: { type: String } },
    },
  },
})

const dune = { shelf: 'a', id: '1', title: 'Dune', copies: 3, place: { room: 'N', row: 2 } }
const key = { shelf: 'a', id: '1' }

onEachTarget((target) => {
  let table: Table<typeof LibrarySchema>
  beforeEach(async () => {
    table = await target.table(LibrarySchema)
  })

  describe('get', () => {
    test('gives the item, or undefined', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      expect(await Book.get(key).execute()).toEqual(dune)
      expect(await Book.get({ shelf: 'a', id: '2' }).execute()).toBeUndefined()
    })

    test('takes a whole item as its key', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      expect(await Book.get(dune).execute()).toEqual(dune)
    })

    test('select gives the named attributes only', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      expect(await Book.get(key).select(['title', 'copies']).execute()).toEqual({
        title: 'Dune',
        copies: 3,
      })
    })

    test('select reaches into maps', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      const part = await Book.get(key)
        .select((attr) => [attr.title, attr.place.row])
        .execute()
      expect(part).toEqual({ title: 'Dune', place: { row: 2 } })
    })

    test('select of what the item lacks gives an empty object, of a missing item undefined', async () => {
      const { Book } = table.entities
      await Book.put({ shelf: 'a', id: '2', title: 'Emma' }).execute()
      expect(await Book.get({ shelf: 'a', id: '2' }).select(['place']).execute()).toEqual({})
      expect(await Book.get(key).select(['place']).execute()).toBeUndefined()
    })

    test('consistentRead is part of the request', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      const get = Book.get(key).consistentRead()
      expect(get.dbParams().ConsistentRead).toBe(true)
      expect(await get.execute()).toEqual(dune)
    })

    test("another model's item under the key is an EntityMismatchError", async () => {
      const { Book } = table.entities
      const other = new Table({
        name: table.name,
        client: target.client,
        schema: {
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models: {
            Disc: {
              key: { pk: 'SHELF#${shelf}', sk: 'BOOK#${id}' },
              attributes: {
                shelf: { type: String, required: true },
                id: { type: String, required: true },
              },
            },
          },
        },
      })
      await other.entities.Disc.put(key).execute()
      const error = await failureOf(() => Book.get(key).execute())
      expect(error).toBeInstanceOf(EntityMismatchError)
      expect(error.message).toContain('Disc')
      expect(await Book.query({ shelf: 'a' }).execute()).toEqual([])
    })

    test('a key without all its attributes is refused before sending', async () => {
      const { Book } = table.entities
      const requests = await requestsOf(table, async () => {
        expect(await codeOf(() => Book.get({ shelf: 'a' } as never).execute())).toBe(
          'INPUT_INVALID',
        )
      })
      expect(requests).toEqual([])
    })

    test('a value that would change the key is refused: nobody reaches another partition', async () => {
      const { Book } = table.entities
      expect(await codeOf(() => Book.put({ ...dune, shelf: 'a#BOOK#9' }).execute())).toBe(
        'KEY_COMPONENT_INVALID',
      )
      const error = await failureOf(() => Book.put({ ...dune, id: '' }).execute())
      expect(error.code).toBe('KEY_COMPONENT_INVALID')
      expect(error).toBeInstanceOf(KeyComponentError)
    })
  })

  describe('put and create', () => {
    test('put replaces the whole item and gives it as it was written', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      const written = await Book.put({ shelf: 'a', id: '1', title: 'Dune II' }).execute()
      expect(written).toEqual({ shelf: 'a', id: '1', title: 'Dune II', copies: 1 })
      expect(await Book.get(key).execute()).toEqual(written)
    })

    test('put gives what it replaced when asked, and nothing when asked', async () => {
      const { Book } = table.entities
      expect(await Book.put(dune).returning('ALL_OLD').execute()).toBeUndefined()
      const next = { ...dune, copies: 4 }
      expect(await Book.put(next).returning('ALL_OLD').execute()).toEqual(dune)
      expect(await Book.put(dune).returning('NONE').execute()).toBeUndefined()
      expect(await Book.put(dune).returning('NEW').execute()).toEqual(dune)
    })

    test('create makes an item, and refuses to replace one', async () => {
      const { Book } = table.entities
      expect(await Book.create(dune).execute()).toEqual(dune)
      const error = await failureOf(() => Book.create({ ...dune, title: 'Emma' }).execute())
      expect(error).toBeInstanceOf(ItemExistsError)
      expect(error.item).toEqual(dune)
      expect(await Book.get(key).execute()).toEqual(dune)
    })

    test('put().ifNotExists() is create', async () => {
      const { Book } = table.entities
      await Book.put(dune).ifNotExists().execute()
      expect(await codeOf(() => Book.put(dune).ifNotExists().execute())).toBe('ITEM_EXISTS')
    })

    test('a put whose condition fails changes nothing and brings the current item', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      const error = await failureOf(() =>
        Book.put({ ...dune, copies: 9 })
          .where((attr, op) => op.gt(attr.copies, 5))
          .execute(),
      )
      expect(error).toBeInstanceOf(ConditionFailedError)
      expect(error).toMatchObject({ code: 'CONDITION_FAILED', item: dune })
      expect(await Book.get(key).execute()).toEqual(dune)
    })

    test('a condition on an item that is not there fails without an item', async () => {
      const { Book } = table.entities
      const error = await failureOf(() =>
        Book.put(dune)
          .where((attr, op) => op.eq(attr.copies, 3))
          .execute(),
      )
      expect(error).toMatchObject({ code: 'CONDITION_FAILED', item: undefined })
    })

    test('all mistakes in an item are reported at once, with their paths', async () => {
      const { Book } = table.entities
      const wrong = { shelf: 'a', id: '1', copies: 'three', place: { row: 'x' }, titel: 'Dune' }
      const error = await failureOf(() => Book.put(wrong as never).execute())
      expect(error.code).toBe('INPUT_INVALID')
      const paths = (error.issues as { path: unknown[] }[]).map(({ path }) => path.join('.'))
      expect(paths.sort()).toEqual(['copies', 'place.row', 'titel', 'title'])
      expect(error.message).toContain('title')
    })

    test('inputs are not changed, and may be frozen', async () => {
      const { Book } = table.entities
      const input = Object.freeze({ shelf: 'a', id: '1', title: 'Dune', place: Object.freeze({}) })
      await Book.put(input).execute()
      expect(input).toEqual({ shelf: 'a', id: '1', title: 'Dune', place: {} })
    })

    test('what is changed in the input after the builder was made and executed is not written', async () => {
      const { Book } = table.entities
      const input = { ...dune, place: { room: 'N', row: 2 } }
      const running = Book.put(input).execute()
      input.title = 'Other'
      input.place.row = 99
      await running
      expect(await Book.get(key).execute()).toEqual(dune)
    })

    test('a getter that throws surfaces its error, and nothing is sent', async () => {
      const { Book } = table.entities
      const input = {
        ...dune,
        get title(): string {
          throw new RangeError('no title')
        },
      }
      const requests = await requestsOf(table, async () => {
        await expect(async () => Book.put(input).execute()).rejects.toThrow('no title')
      })
      expect(requests).toEqual([])
    })
  })

  describe('delete', () => {
    test('deletes the item; deleting a missing item is not an error', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      expect(await Book.delete(key).execute()).toBeUndefined()
      expect(await Book.get(key).execute()).toBeUndefined()
      expect(await Book.delete(key).execute()).toBeUndefined()
    })

    test('gives what it deleted when asked', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      expect(await Book.delete(key).returning('ALL_OLD').execute()).toEqual(dune)
      expect(await Book.delete(key).returning('ALL_OLD').execute()).toBeUndefined()
    })

    test('mustExist makes a missing item an error', async () => {
      const { Book } = table.entities
      const error = await failureOf(() => Book.delete(key).mustExist().execute())
      expect(error).toBeInstanceOf(ItemNotFoundError)
      await Book.put(dune).execute()
      await Book.delete(key).mustExist().execute()
      expect(await Book.get(key).execute()).toBeUndefined()
    })

    test('a condition that fails leaves the item and brings it', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      const error = await failureOf(() =>
        Book.delete(key)
          .where((attr, op) => op.eq(attr.place.room, 'S'))
          .execute(),
      )
      expect(error).toMatchObject({ code: 'CONDITION_FAILED', item: dune })
      expect(await Book.get(key).execute()).toEqual(dune)
      await Book.delete(key)
        .where((attr, op) => op.eq(attr.place.room, 'N'))
        .execute()
      expect(await Book.get(key).execute()).toBeUndefined()
    })
  })

  test('builders are values: each method gives a new one, and the old one stays as it was', async () => {
    const { Book } = table.entities
    await Book.put(dune).execute()
    const get = Book.get(key)
    const part = get.select(['title'])
    expect(await get.execute()).toEqual(dune)
    expect(await part.execute()).toEqual({ title: 'Dune' })
    const remove = Book.delete(key)
    remove.where((attr, op) => op.eq(attr.copies, 0))
    await remove.execute()
    expect(await get.execute()).toBeUndefined()
  })

  test('keys are rendered and parsed without a request', async () => {
    const { Book, Sign } = table.entities
    expect(Book.renderKey(key)).toEqual({ pk: 'SHELF#a', sk: 'BOOK#1' })
    expect(Book.parseKey({ pk: 'SHELF#a', sk: 'BOOK#1' })).toEqual(key)
    expect(Book.parseKey('BOOK#1')).toEqual({ id: '1' })
    expect(Book.parseKey({ pk: 'SHELF#a', sk: 'SIGN' })).toBeUndefined()
    expect(Sign.parseKey({ pk: 'SHELF#a', sk: 'SIGN' })).toEqual({ shelf: 'a' })
  })

  describe('arguments that can not be meant', () => {
    // What JavaScript callers can write and the types forbid.
    const wrong = (value: unknown): never => value as never

    test.each<[string, (tables: Table<typeof LibrarySchema>) => unknown]>([
      ['query', ({ entities }) => entities.Book.query(wrong(null)).execute()],
      ['query', ({ entities }) => entities.Book.query(wrong(5)).execute()],
      ['query', ({ entities }) => entities.Book.query({ shelf: wrong(undefined) }).execute()],
      ['query', ({ entities }) => entities.Book.query(wrong({ shelve: 'a' })).execute()],
      ['batchGet', ({ entities }) => entities.Book.batchGet(wrong(undefined)).execute()],
      ['batchGet', ({ entities }) => entities.Book.batchGet(wrong(key)).execute()],
      ['batchWrite', ({ entities }) => entities.Book.batchWrite(wrong(5)).execute()],
      ['batchWrite', ({ entities }) => entities.Book.batchWrite([]).delete(wrong(key)).execute()],
      ['get', ({ entities }) => entities.Book.get(wrong(undefined)).execute()],
      ['update', ({ entities }) => entities.Book.update(wrong(null)).set('title', 'x').execute()],
      ['delete', ({ entities }) => entities.Book.delete(wrong('1')).execute()],
      ['put', ({ entities }) => entities.Book.put(wrong(null)).execute()],
    ])('of %s are an InputError that says where', async (verb, call) => {
      const error = await failureOf(() => call(table))
      expect(error).toBeInstanceOf(InputError)
      expect(error.message).toContain(`table "${table.name}", entity "Book", ${verb}()`)
    })

    test('of a batch of the table are an InputError', async () => {
      const get = table.batchGet(wrong(undefined))
      expect(await failureOf(() => get.execute())).toBeInstanceOf(InputError)
      const write = table.batchWrite(wrong(5))
      expect(await failureOf(() => write.execute())).toBeInstanceOf(InputError)
    })

    test('a signal that is none is an InputError', async () => {
      const { Book } = table.entities
      const error = await failureOf(() => Book.get(key).execute({ signal: wrong(5) }))
      expect(error).toMatchObject({ code: 'OPTION_INVALID', issues: [{ path: ['signal'] }] })
      expect(error.message).toContain('entity "Book", get()')
      expect(await Book.get(key).execute({ signal: wrong(null) })).toBeUndefined()
    })

    test('a key with too many members is refused with the members it needs', async () => {
      const { Book } = table.entities
      const extra = wrong({ ...key, color: 'red' })
      for (const call of [
        () => Book.get(extra).execute(),
        () => Book.update(extra).set('title', 'x').execute(),
        () => Book.delete(extra).execute(),
        () => Book.batchGet([extra]).execute(),
        () => table.transactWrite().addConditionCheck(Book.check(extra)).execute(),
      ]) {
        const error = await failureOf(call)
        expect(error.code).toBe('INPUT_INVALID')
        expect(error.message).toContain('"color" is an unknown attribute')
        expect(error.message).toContain('give the key of Book: { shelf, id }')
      }
    })
  })

  describe('what only DynamoDB can refuse is reported with a fix', () => {
    const text = 'x'.repeat(410_000)

    test('an item that is too large', async () => {
      const { Book } = table.entities
      await Book.put(dune).execute()
      for (const write of [
        Book.put({ ...dune, title: text }),
        Book.update(key).set('title', text),
      ]) {
        const error = await failureOf(() => write.execute())
        expect(error.code).toBe('REQUEST_REFUSED')
        expect(error.what).toMatch(/more than the 409600 bytes .* "title" 4100\d\d/)
        expect(error.fix).toContain('split the item')
      }
    })

    test('a place inside a map that is not there', async () => {
      const { Book } = table.entities
      await Book.put({ ...key, title: 'Dune' }).execute()
      const room = Book.update(key).set((attr) => attr.place.room, 'S')
      const error = await failureOf(() => room.execute())
      expect(error.code).toBe('REQUEST_REFUSED')
      expect(error.what).toContain('"place.room"')
      expect(error.fix).toContain('set the whole attribute first')
      await Book.update(key).setDefault('place', {}).execute()
      expect((await room.execute()).place).toEqual({ room: 'S' })
    })

    test('a transaction that is too large', async () => {
      const { Book } = table.entities
      let transaction = table.transactWrite()
      for (let id = 0; id < 11; id++) {
        const put = Book.put({ shelf: 'a', id: `${id}`, title: text.slice(0, 399_000) })
        transaction = transaction.addPut(put)
      }
      const error = await failureOf(() => transaction.execute())
      expect(error.code).toBe('REQUEST_REFUSED')
      expect(error.fix).toBe('send fewer operations, or smaller items, in one call')
    })
  })

  test('messages name the model and need no article for it', async () => {
    const { Book } = table.entities
    const missing = await failureOf(() => Book.update(key).set('title', 'x').execute())
    expect(missing.message).toContain('Book does not exist under this key.')
    await Book.create(dune).execute()
    const taken = await failureOf(() => Book.create(dune).execute())
    expect(taken.message).toContain('Book exists under this key already.')
  })
})
