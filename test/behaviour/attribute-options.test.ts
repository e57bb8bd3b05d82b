import { defineSchema } from 'singletable'
import { describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Options of attributes: defaults, ids, stored names, what is hidden, readonly, checked and
 * normalized. */

onEachTarget((target) => {
  describe('default', () => {
    test('a literal is copied for each item, a function is called for each', async () => {
      let calls = 0
      const { entities } = await target.table({
        indexes: { primary: { hash: 'pk' } },
        models: {
          Cart: {
            key: { pk: 'CART#${id}' },
            attributes: {
              id: { type: String, required: true },
              lines: { type: Array, items: { type: String }, default: ['first'] },
              number: { type: Number, default: () => ++calls },
              open: { type: Boolean, default: true },
            },
          },
        },
      })
      const one = await entities.Cart.put({ id: '1' }).execute()
      one.lines.push('changed')
      const two = await entities.Cart.put({ id: '2' }).execute()
      expect(two).toEqual({ id: '2', lines: ['first'], number: 2, open: true })
      expect(await entities.Cart.get({ id: '2' }).execute()).toEqual(two)
      const given = await entities.Cart.put({ id: '3', number: 9, open: false }).execute()
      expect(given).toEqual({ id: '3', lines: ['first'], number: 9, open: false })
    })
  })

  describe('generate', () => {
    test('ids of every kind, kept when given', async () => {
      const { entities } = await target.table({
        indexes: { primary: { hash: 'pk' } },
        models: {
          Thing: {
            key: { pk: 'THING#${ulid}' },
            attributes: {
              ulid: { type: String, generate: 'ulid' },
              uuid: { type: String, generate: 'uuid' },
              uuid7: { type: String, generate: 'uuid7' },
              ksuid: { type: String, generate: 'ksuid' },
              own: { type: Number, generate: () => 7 },
            },
          },
        },
      })
      const { Thing } = entities
      const made = await Thing.put({}).execute()
      expect(made).toEqual({
        ulid: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
        uuid7: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
        ksuid: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        own: 7,
      })
      expect(await Thing.get(made).execute()).toEqual(made)
      expect((await Thing.put({ ulid: 'mine' }).execute()).ulid).toBe('mine')
      const more = await Promise.all(Array.from({ length: 20 }, () => Thing.put({}).execute()))
      for (const name of ['ulid', 'uuid7'] as const) {
        const ids = more.map((thing) => thing[name])
        expect([...ids].sort()).toEqual(ids)
        expect(new Set(ids).size).toBe(20)
      }
    })
  })

  test('map gives the name an attribute is stored under, in every expression', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' }, byMail: { hash: 'gsi1pk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}', sk: 'USER' },
          index: { gsi1pk: 'MAIL#${mail}' },
          attributes: {
            id: { type: String, required: true, map: 'i' },
            mail: { type: String, map: 'm' },
            visits: { type: Number, map: 'v' },
            address: { type: Object, map: 'a', schema: { city: { type: String } } },
          },
        },
      },
    })
    const { User } = entities
    const user = { id: '1', mail: 'a@b', visits: 1, address: { city: 'Rome' } }
    expect(User.put(user).dbParams().Item).toMatchObject({
      i: '1',
      m: 'a@b',
      v: 1,
      a: { city: 'Rome' },
    })
    await User.put(user).execute()
    expect(await User.get({ id: '1' }).execute()).toEqual(user)
    expect(await User.get({ id: '1' }).select(['visits']).execute()).toEqual({ visits: 1 })
    expect(await User.query({ mail: 'a@b' }).execute()).toEqual([user])
    const found = User.scan().where((attr, op) =>
      op.and(op.eq(attr.visits, 1), op.eq(attr.address.city, 'Rome')),
    )
    expect(await found.execute()).toEqual([user])
    const after = await User.update({ id: '1' })
      .add('visits', 1)
      .set((attr) => attr.address.city, 'Oslo')
      .set({ mail: 'c@d' })
      .where((attr, op) => op.eq(attr.visits, 1))
      .execute()
    expect(after).toEqual({ id: '1', mail: 'c@d', visits: 2, address: { city: 'Oslo' } })
    expect(await User.query({ mail: 'c@d' }).count()).toBe(1)
  })

  test('hidden attributes are stored and can be asked for in conditions, and are in no output', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}' },
          attributes: {
            id: { type: String, required: true },
            password: { type: String, hidden: true },
          },
        },
      },
    })
    const { User } = entities
    expect(await User.put({ id: '1', password: 'x' }).execute()).toEqual({ id: '1' })
    expect(await User.get({ id: '1' }).execute()).toEqual({ id: '1' })
    const right = User.scan().where((attr, op) => op.eq(attr.password, 'x'))
    expect(await right.execute()).toEqual([{ id: '1' }])
    expect(await User.update({ id: '1' }).set({ password: 'y' }).execute()).toEqual({ id: '1' })
    expect(await right.count()).toBe(0)
    const error = await failureOf(() => User.create({ id: '1' }).execute())
    expect(error.item).toEqual({ id: '1' })
  })

  test('readonly attributes are set by put and create alone', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}' },
          attributes: {
            id: { type: String, required: true },
            invitedBy: { type: String, readonly: true },
            name: { type: String },
          },
        },
      },
    })
    const { User } = entities
    await User.put({ id: '1', invitedBy: 'ann' }).execute()
    for (const wrong of [
      () => User.update({ id: '1' }).set({ invitedBy: 'bob' } as never),
      () => User.update({ id: '1' }).remove('invitedBy' as 'name'),
    ]) {
      expect(await codeOf(() => wrong().execute())).toBe('INPUT_INVALID')
    }
    expect(await User.update({ id: '1' }).set({ name: 'x' }).execute()).toMatchObject({
      invitedBy: 'ann',
    })
  })

  test('enum holds values to a list, of strings and of numbers', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Task: {
          key: { pk: 'TASK#${id}', sk: 'STATUS#${status}' },
          attributes: {
            id: { type: String, required: true },
            status: { type: String, enum: ['open', 'done'], default: 'open' },
            priority: { type: Number, enum: [1, 2, 3] },
          },
        },
      },
    })
    const { Task } = entities
    expect(await Task.put({ id: '1', priority: 2 }).execute()).toEqual({
      id: '1',
      status: 'open',
      priority: 2,
    })
    const error = await failureOf(() => Task.put({ id: '1', status: 'opne' as 'open' }).execute())
    expect(error.message).toMatch(/open.*done/)
    expect(await codeOf(() => Task.put({ id: '1', priority: 4 as 3 }).execute())).toBe(
      'INPUT_INVALID',
    )
    const scan = Task.scan().where((attr, op) => op.eq(attr.status, 'opne' as 'open'))
    expect(await codeOf(() => scan.execute())).toBe('INPUT_INVALID')
  })

  test('normalize brings strings into one form, in keys, values and conditions', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        City: {
          key: { pk: 'CITY#${name}' },
          attributes: {
            name: { type: String, required: true, normalize: 'NFC' },
            alias: { type: String, normalize: 'NFKC' },
          },
        },
      },
    })
    const { City } = entities
    const [composed, decomposed] = ['Z\u00fcrich', 'Zu\u0308rich']
    expect(await City.put({ name: decomposed, alias: '\ufb01n' }).execute()).toEqual({
      name: composed,
      alias: 'fin',
    })
    expect(await City.get({ name: decomposed }).execute()).toEqual({ name: composed, alias: 'fin' })
    expect(await City.get({ name: composed }).execute()).toBeDefined()
    const scan = City.scan().where((attr, op) => op.eq(attr.name, decomposed))
    expect(await scan.count()).toBe(1)
  })

  test('maxBytes counts bytes', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Note: {
          key: { pk: 'NOTE#${id}' },
          attributes: {
            id: { type: String, required: true },
            text: { type: String, maxBytes: 4 },
            data: { type: Uint8Array, maxBytes: 2 },
          },
        },
      },
    })
    const { Note } = entities
    await Note.put({ id: '1', text: 'üü', data: new Uint8Array(2) }).execute()
    expect(await codeOf(() => Note.put({ id: '1', text: 'üüa' }).execute())).toBe('INPUT_INVALID')
    expect(await codeOf(() => Note.put({ id: '1', data: new Uint8Array(3) }).execute())).toBe(
      'INPUT_INVALID',
    )
  })

  describe('encode', () => {
    test('allows any string in a key, and keeps its order', async () => {
      const { entities } = await target.table({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          File: {
            key: { pk: 'DISK#${disk}', sk: 'FILE#${path}' },
            attributes: {
              disk: { type: String, required: true },
              path: { type: String, required: true, encode: true },
            },
          },
        },
      })
      const { File } = entities
      const paths = ['a#b', 'a$b', 'a', 'b', '\u0001', 'ü#']
      await File.batchWrite(paths.map((path) => ({ disk: '1', path }))).execute()
      const found = await File.query({ disk: '1' }).execute()
      expect(found.map(({ path }) => path)).toEqual([...paths].sort())
      for (const path of paths) {
        expect(await File.get({ disk: '1', path }).execute()).toEqual({ disk: '1', path })
      }
      const beginning = File.query({ disk: '1' }).where((attr, op) => op.beginsWith(attr.path, 'a'))
      expect((await beginning.execute()).map(({ path }) => path)).toEqual(['a', 'a#b', 'a$b'])
    })
  })

  describe('validate', () => {
    /** As zod, valibot and arktype schemas are: an object with the interface of Standard Schema. */
    const standard = (validate: (value: unknown) => unknown) => ({
      '~standard': { version: 1 as const, vendor: 'test', validate },
    })
    const table = () =>
      target.table(
        defineSchema({
          indexes: { primary: { hash: 'pk' } },
          models: {
            User: {
              key: { pk: 'USER#${id}' },
              attributes: {
                id: { type: String, required: true, validate: /^[a-z]+$/g },
                age: {
                  type: Number,
                  validate: (age: number) => age >= 18 || 'must be of age',
                },
                mail: {
                  type: String,
                  validate: standard((value) =>
                    String(value).includes('@')
                      ? { value: String(value).toLowerCase() }
                      : { issues: [{ message: 'is not an address' }] },
                  ),
                },
                later: { type: String, validate: standard(async (value) => ({ value })) },
                throws: {
                  type: String,
                  validate: () => {
                    throw new RangeError('broken')
                  },
                },
              },
            },
          },
        }),
      )

    test('a pattern', async () => {
      const { User } = (await table()).entities
      await User.put({ id: 'ann' }).execute()
      await User.put({ id: 'ann' }).execute()
      expect(await codeOf(() => User.put({ id: 'Ann' }).execute())).toBe('INPUT_INVALID')
    })

    test('a function, with its own words', async () => {
      const { User } = (await table()).entities
      await User.put({ id: 'ann', age: 18 }).execute()
      const error = await failureOf(() => User.put({ id: 'ann', age: 17 }).execute())
      expect(error.issues).toEqual([{ path: ['age'], message: 'must be of age' }])
      const update = await failureOf(() => User.update({ id: 'ann' }).set({ age: 5 }).execute())
      expect(update.issues).toMatchObject([{ path: ['age'], message: 'must be of age' }])
    })

    test('a Standard Schema, whose value is the one that is stored', async () => {
      const { User } = (await table()).entities
      expect(await User.put({ id: 'ann', mail: 'Ann@Example' }).execute()).toEqual({
        id: 'ann',
        mail: 'ann@example',
      })
      expect(await User.get({ id: 'ann' }).execute()).toMatchObject({ mail: 'ann@example' })
      const error = await failureOf(() => User.put({ id: 'ann', mail: 'x' }).execute())
      expect(error.issues).toMatchObject([{ path: ['mail'], message: 'is not an address' }])
    })

    test('a validator that answers later is an error', async () => {
      const { User } = (await table()).entities
      expect(await codeOf(() => User.put({ id: 'ann', later: 'x' }).execute())).toBe(
        'INPUT_INVALID',
      )
    })

    test('what a validator throws is the cause', async () => {
      const { User } = (await table()).entities
      const error = await failureOf(() => User.put({ id: 'ann', throws: 'x' }).execute())
      expect(error.code).toBe('INPUT_INVALID')
      expect(error.issues).toMatchObject([{ path: ['throws'], cause: new RangeError('broken') }])
    })

    test('mistakes in several attributes are reported together', async () => {
      const { User } = (await table()).entities
      const error = await failureOf(() => User.put({ id: 'A', age: 1, mail: 'x' }).execute())
      expect(error.issues).toHaveLength(3)
    })
  })
})
