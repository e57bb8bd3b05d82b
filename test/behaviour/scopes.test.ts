import { defineSchema, Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** A table as one tenant sees it. */

const TenantSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byDate: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byStatus: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    User: {
      key: { pk: 'TENANT#${tenantId}', sk: 'USER#${userId}' },
      attributes: {
        tenantId: { type: String, required: true },
        userId: { type: String, required: true },
        name: { type: String },
      },
    },
    Task: {
      key: { pk: 'TENANT#${tenantId}#PROJECT#${projectId}', sk: 'TASK#${taskId}' },
      index: {
        gsi1pk: 'TENANT#${tenantId}#TASKS',
        gsi1sk: '${due}',
        gsi2pk: 'STATUS#${status}',
        gsi2sk: 'TASK#${taskId}',
      },
      attributes: {
        tenantId: { type: String, required: true },
        projectId: { type: String, required: true },
        taskId: { type: String, required: true },
        due: { type: String, default: '2026-01-01' },
        status: { type: String, enum: ['open', 'done'], default: 'open' },
      },
    },
    Comment: {
      key: { pk: 'TENANT#${tenantId}#PROJECT#${projectId}', sk: 'COMMENT#${taskId}#${commentId}' },
      attributes: {
        tenantId: { type: String, required: true },
        projectId: { type: String, required: true },
        taskId: { type: String, required: true },
        commentId: { type: String, required: true },
      },
    },
    Plan: {
      key: { pk: 'PLAN#${planId}', sk: 'PLAN' },
      attributes: { planId: { type: String, required: true } },
    },
  },
})

onEachTarget((target) => {
  let table: Table<typeof TenantSchema>
  beforeAll(async () => {
    table = await target.table(TenantSchema)
    // One id is the beginning of another, and one is a sign that policies take for anything.
    for (const tenantId of ['acme', 'acme2', '*']) {
      const { User, Task, Comment } = table.entities
      await table
        .batchWrite([
          User.put({ tenantId, userId: 'u', name: `u of ${tenantId}` }),
          ...['1', '2', '3'].map((taskId) => Task.put({ tenantId, projectId: 'p', taskId })),
          Comment.put({ tenantId, projectId: 'p', taskId: '1', commentId: 'c' }),
        ])
        .execute()
    }
  })
  const acme = () => table.scope({ tenantId: 'acme' })

  test('sequences count for the scope, as the table does with its values', async () => {
    const name = `invoice ${target.name}`
    expect(await acme().sequence(name).next()).toBe(1)
    expect(await acme().sequence(name).reserve(2)).toEqual({ first: 2, last: 3 })
    expect(await table.scope({ tenantId: 'acme2' }).sequence(name).next()).toBe(1)
    expect(await table.sequence(name, 'acme').peek()).toBe(3)
    const project = { projectId: 'p', tenantId: 'acme' } as const
    expect(await table.scope(project).sequence(name, 2026).next()).toBe(1)
    expect(await acme().scope({ projectId: 'p' }).sequence(name, 2026).next()).toBe(2)
    expect(await table.sequence(name, 'acme', 'p', 2026).peek()).toBe(2)
  })

  /** The code of a call that must be refused before anything is sent. */
  async function refused(call: () => unknown): Promise<string> {
    let code = ''
    const requests = await requestsOf(table, async () => {
      code = await codeOf(call)
    })
    expect(requests).toEqual([])
    return code
  }

  describe('in a scope', () => {
    test('keys and items need no attributes of it', async () => {
      const { User } = acme().entities
      expect(await User.get({ userId: 'u' }).execute()).toEqual({
        tenantId: 'acme',
        userId: 'u',
        name: 'u of acme',
      })
      await User.create({ userId: 'new' }).execute()
      await User.update({ userId: 'new' }).set('name', 'N').execute()
      expect(await table.entities.User.get({ tenantId: 'acme', userId: 'new' }).execute()).toEqual({
        tenantId: 'acme',
        userId: 'new',
        name: 'N',
      })
      await User.upsert({ userId: 'new' }).set('name', 'M').execute()
      await User.delete({ userId: 'new' }).execute()
      expect(await User.query().execute()).toHaveLength(1)
      expect(User.renderKey({ userId: 'u' })).toEqual({ pk: 'TENANT#acme', sk: 'USER#u' })
    })

    test('what the scope gives may be given as well', async () => {
      const { User } = acme().entities
      expect(await User.get({ tenantId: 'acme', userId: 'u' }).execute()).toBeDefined()
      expect(await User.query({ tenantId: 'acme' }).count()).toBe(1)
    })

    test('queries, batches, transactions and collections stay in it', async () => {
      const scope = acme()
      const { User, Task } = scope.entities
      expect(await Task.query({ projectId: 'p' }).execute()).toHaveLength(3)
      expect(await Task.query().useIndex('byDate').execute()).toHaveLength(3)
      expect(await User.batchGet([{ userId: 'u' }]).execute()).toHaveLength(1)
      expect(await scope.batchGet([User.get({ userId: 'u' })]).execute()).toHaveLength(1)
      const [found] = await scope
        .transactGet()
        .addGet(User.get({ userId: 'u' }))
        .execute()
      expect(found?.name).toBe('u of acme')
      await User.batchWrite([{ userId: 'b' }]).execute()
      await User.batchWrite([])
        .delete([{ userId: 'b' }])
        .execute()
      await scope
        .transactWrite()
        .add(User.put({ userId: 't' }))
        .addConditionCheck(User.check({ userId: 'u' }).where((attr, op) => op.exists(attr.name)))
        .execute()
      await scope.batchWrite([User.delete({ userId: 't' })]).execute()
      const groups = await scope.collect(['Task', 'Comment'], { projectId: 'p' }).execute()
      expect([groups.Task.length, groups.Comment.length]).toEqual([3, 1])
      const users = await scope.collect(['User']).execute()
      expect(users.User).toHaveLength(1)
    })

    test('pages continue with their own cursors', async () => {
      const tasks = acme().entities.Task.query({ projectId: 'p' })
      const { cursor } = await tasks.limit(1).executeWithPagination()
      expect(await tasks.startFrom(cursor).execute()).toHaveLength(2)
    })

    test('another scope has more of it', async () => {
      const project = acme().scope({ projectId: 'p' })
      expect(await project.entities.Task.query().execute()).toHaveLength(3)
      expect(await project.entities.Task.get({ taskId: '1' }).execute()).toBeDefined()
      // The compiler says that the partition key of User has no projectId; so does the call.
      const { User } = project.entities as unknown as typeof table.entities
      const { code, message } = await failureOf(() => User.get({ tenantId: 'acme', userId: 'u' }))
      expect(code).toBe('SCOPE_VIOLATED')
      expect(message).toContain('User')
      expect(await refused(() => acme().scope({ tenantId: 'acme2' }))).toBe('INPUT_INVALID')
      expect(() => acme().scope({ tenantId: 'acme' })).not.toThrow()
    })
  })

  describe('no input leaves it:', () => {
    // What the compiler refuses is tried as well.
    const scope = () => acme() as unknown as Table<typeof TenantSchema>
    const foreign = { tenantId: 'acme2', userId: 'u' }

    test('another value of its attributes', async () => {
      const { User } = scope().entities
      for (const call of [
        () => User.get(foreign),
        () => User.put(foreign),
        () => User.create(foreign),
        () => User.update(foreign),
        () => User.upsert(foreign),
        () => User.delete(foreign),
        () => User.check(foreign),
        () => User.query({ tenantId: 'acme2' }),
        () => User.batchGet([foreign]),
        () => User.batchWrite([foreign]),
        () => User.batchWrite([]).delete([foreign]),
        () => User.renderKey(foreign),
        () => scope().collect(['User'], { tenantId: 'acme2' }),
        () => User.get({ ...foreign, tenantId: null as never }),
        () => User.get({ ...foreign, tenantId: ['acme'] as never }),
      ]) {
        expect(await refused(call)).toBe('INPUT_INVALID')
      }
    })

    test.each([
      ['the key of another tenant', { pk: 'TENANT#acme2', sk: 'USER#u' }],
      ['that of one whose id begins alike', { pk: 'TENANT#acme2#PROJECT#p', sk: 'TASK#1' }],
      ['one with the sign that stands for anything', { pk: 'TENANT#*', sk: 'USER#u' }],
      ['a beginning', { pk: 'TENANT#', sk: 'USER#u' }],
      ['that of a model without the attribute', { pk: 'PLAN#1', sk: 'PLAN' }],
      ['that of a guard', { pk: 'UNIQUE#User#name#x', sk: 'UNIQUE' }],
      ['something else', { pk: 7, sk: {} }],
    ])('key attributes as they are stored: %s', async (_, key) => {
      const { User, Task } = scope().entities
      for (const entity of [User, Task as unknown as typeof User]) {
        // The compiler refuses these.
        const given = key as never
        expect(await refused(() => entity.get(given).execute())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => entity.delete(given).execute())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => entity.update(given))).toBe('SCOPE_VIOLATED')
        expect(await refused(() => entity.get(given).dbParams())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => entity.query(given).execute())).toBe('SCOPE_VIOLATED')
      }
    })

    test.each(['acme#PROJECT#p', 'acme2', '', 'acme\0', '${tenantId}'])(
      'a value that tries to be more than one component: %s',
      async (value) => {
        const { Task } = scope().entities
        const get = Task.get({ projectId: `p#TENANT#${value}`, taskId: '1' } as never)
        expect(await refused(() => get.execute())).toBe('KEY_COMPONENT_INVALID')
      },
    )

    test('raw conditions on partition keys', async () => {
      const { User, Task } = scope().entities
      for (const pk of ['TENANT#acme2', 'TENANT#*', 'PLAN#1', 'x']) {
        const query = User.query().where((attr, op) => op.eq(attr.pk, pk))
        expect(await refused(() => query.execute())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => query.executeWithPagination())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => query.count())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => query.first())).toBe('SCOPE_VIOLATED')
      }
      const other = Task.query()
        .useIndex('byDate')
        .where((attr, op) => op.eq(attr.gsi1pk, 'TENANT#acme2#TASKS'))
      expect(await refused(() => other.execute())).toBe('SCOPE_VIOLATED')
      const own = Task.query()
        .useIndex('byDate')
        .where((attr, op) => op.eq(attr.gsi1pk, 'TENANT#acme#TASKS'))
      expect(await own.execute()).toHaveLength(3)
    })

    test('a condition on another tenant finds nothing', async () => {
      const { User } = scope().entities
      const query = User.query().where((attr, op) => op.eq(attr.tenantId, 'acme2'))
      expect(await query.execute()).toEqual([])
    })

    test('an index that has all tenants in one partition', async () => {
      const { Task } = scope().entities
      const query = Task.query({ status: 'open' }).useIndex('byStatus')
      const error = await failureOf(() => query.execute())
      expect(error.code).toBe('SCOPE_VIOLATED')
      expect(error.message).toContain('index "byStatus"')
    })

    test('a scan, or anything else on the whole table', async () => {
      const { User } = scope().entities
      expect(await refused(() => User.scan().execute())).toBe('SCOPE_VIOLATED')
      expect(await refused(() => User.scan().parallel(2).execute())).toBe('SCOPE_VIOLATED')
      expect(await refused(() => User.scan().count())).toBe('SCOPE_VIOLATED')
      expect(await refused(() => scope().delete())).toBe('SCOPE_VIOLATED')
      expect(await refused(() => scope().create())).toBe('SCOPE_VIOLATED')
    })

    test('a model whose partition key is of no tenant', async () => {
      const { Plan } = scope().entities
      expect(await refused(() => Plan.get({ planId: '1' }))).toBe('SCOPE_VIOLATED')
      expect(await refused(() => Plan.put({ planId: '1' }))).toBe('SCOPE_VIOLATED')
      expect(await refused(() => Plan.query({ planId: '1' }))).toBe('SCOPE_VIOLATED')
      expect(await refused(() => scope().collect(['Plan'], { planId: '1' }))).toBe('SCOPE_VIOLATED')
    })

    test('an update that moves the item to another tenant', async () => {
      const { User } = scope().entities
      const move = User.update({ userId: 'u' } as never).set('tenantId', 'acme2')
      expect(await codeOf(() => move.execute())).toBe('SCOPE_VIOLATED')
      expect(await table.entities.User.get(foreign).execute()).toMatchObject({ name: 'u of acme2' })
      expect(await User.get({ userId: 'u' } as never).execute()).toBeDefined()
    })

    test('cursors of other tenants, and of the table', async () => {
      const pages = (tenantId: string) =>
        table.scope({ tenantId }).entities.Task.query({ projectId: 'p' }).limit(1)
      const theirs = await pages('acme2').executeWithPagination()
      const whole = await table.entities.Task.query({ tenantId: 'acme', projectId: 'p' })
        .limit(1)
        .executeWithPagination()
      for (const { cursor } of [theirs, whole]) {
        expect(cursor).toBeDefined()
        expect(await refused(() => pages('acme').startFrom(cursor).execute())).toBe(
          'CURSOR_INVALID',
        )
      }
    })

    test('builders of another tenant, of the table, or of another table', async () => {
      const theirs = table.scope({ tenantId: 'acme2' }).entities.User
      const ours = acme().entities.User
      const elsewhere = new Table({
        name: `${table.name}-other`,
        schema: TenantSchema,
        client: target.client,
      }).entities.User
      const own = { tenantId: 'acme', userId: 'x' }
      for (const write of [
        theirs.put({ userId: 'x' }),
        theirs.delete({ userId: 'x' }),
        table.entities.User.put({ ...own, tenantId: 'acme2' }),
        elsewhere.put(own),
      ]) {
        const batch = acme().batchWrite([ours.put({ userId: 'first' }), write])
        expect(await refused(() => batch.execute())).toMatch(/SCOPE_VIOLATED|BATCH_INVALID/)
        const transaction = acme()
          .transactWrite()
          .add(ours.put({ userId: 'first' }))
          .add(write)
        expect(await refused(() => transaction.execute())).toBe('SCOPE_VIOLATED')
        expect(await refused(() => transaction.dbParams())).toBe('SCOPE_VIOLATED')
      }
      const get = theirs.get({ userId: 'u' })
      expect(await refused(() => acme().batchGet([get]).execute())).toBe('SCOPE_VIOLATED')
      expect(await refused(() => acme().transactGet().addGet(get).execute())).toBe('SCOPE_VIOLATED')
      const check = theirs.check({ userId: 'u' }).where((attr, op) => op.exists(attr.name))
      const checks = acme().transactWrite().addConditionCheck(check)
      expect(await refused(() => checks.execute())).toBe('SCOPE_VIOLATED')
      expect(await ours.get({ userId: 'first' }).execute()).toBeUndefined()
    })

    test('requests made by hand, which could write the keys of an index', async () => {
      const TableName = table.name
      const Key = { pk: 'TENANT#acme', sk: 'USER#u' }
      const transaction = acme().transactWrite()
      for (const call of [
        () => transaction.addPut({ TableName, Item: { ...Key, gsi1pk: 'TENANT#acme2#TASKS' } }),
        () =>
          transaction.addUpdate({
            TableName,
            Key,
            UpdateExpression: 'SET gsi1pk = :x',
            ExpressionAttributeValues: { ':x': 'TENANT#acme2#TASKS' },
          }),
        () => transaction.addDelete({ TableName, Key: { ...Key, pk: 'TENANT#acme2' } }),
      ]) {
        expect(await refused(() => call().execute())).toBe('TRANSACTION_INVALID')
      }
      const { User } = acme().entities
      const params = User.put({ userId: 'by-params' }).dbParams()
      await acme().transactWrite().addPut(params).execute()
      await User.delete({ userId: 'by-params' }).execute()
      const changed = { ...params, Item: { ...params.Item, pk: 'TENANT#acme2' } }
      expect(await refused(() => acme().transactWrite().addPut(changed).execute())).toBe(
        'TRANSACTION_INVALID',
      )
    })
  })

  describe('the values of a scope', () => {
    test('are data, whatever policies and templates make of them', async () => {
      const { User } = table.scope({ tenantId: '*' }).entities
      expect((await User.query().execute()).map(({ name }) => name)).toEqual(['u of *'])
      for (const tenantId of ['%', '${tenantId}', '$&', '__proto__']) {
        expect(await table.scope({ tenantId }).entities.User.query().execute()).toEqual([])
      }
    })

    test.each([
      ['a separator', { tenantId: 'acme#USER' }, 'KEY_COMPONENT_INVALID'],
      ['nothing', { tenantId: '' }, 'KEY_COMPONENT_INVALID'],
      ['undefined', { tenantId: undefined }, 'INPUT_INVALID'],
      ['null', { tenantId: null }, 'INPUT_INVALID'],
      ['an object', { tenantId: { $ne: 1 } }, 'INPUT_INVALID'],
      ['a number', { tenantId: 7 }, 'INPUT_INVALID'],
      ['no values', {}, 'INPUT_INVALID'],
      ['no object', undefined, 'INPUT_INVALID'],
      ['an attribute that is in the head of no key', { projectId: 'p' }, 'INPUT_INVALID'],
      ['an attribute that nobody has', { tenant: 'acme' }, 'INPUT_INVALID'],
    ])('can not be %s', async (_, values, code) => {
      expect(await refused(() => table.scope(values as never))).toBe(code)
    })
  })
})

const DerivedSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'TENANT#${tenantId}', sk: 'USER#${id}' },
      attributes: {
        tenantId: { type: String, required: true },
        id: { type: String, required: true },
        email: { type: String, unique: true },
        notes: { type: Number, counts: 'Note' },
      },
      copies: { UserByMail: { key: { pk: 'TENANT#${tenantId}#MAIL', sk: '${email}' } } },
    },
    Note: {
      key: { pk: 'TENANT#${tenantId}#NOTES', sk: '${id}#${note}' },
      attributes: {
        tenantId: { type: String, required: true },
        id: { type: String, required: true },
        note: { type: String, required: true },
      },
    },
    Offer: {
      key: { pk: 'TENANT#${tenantId}#OFFERS', sk: '${offer}' },
      attributes: {
        tenantId: { type: String, required: true },
        offer: { type: String, required: true },
      },
      copies: { PublicOffer: { key: { pk: 'OFFERS', sk: '${tenantId}#${offer}' } } },
    },
  },
})

onEachTarget((target) => {
  test('copies, unique values and counters are kept in a scope, and those outside of it are refused', async () => {
    const table = await target.table(DerivedSchema)
    const ours = table.scope({ tenantId: 'acme' }).entities
    const theirs = table.scope({ tenantId: 'acme2' }).entities
    await ours.User.create({ id: '1', email: 'x' }).execute()
    // Unique in the whole table, as it is declared.
    const taken = () => theirs.User.create({ id: '1', email: 'x' }).execute()
    expect(await codeOf(taken)).toBe('UNIQUE_TAKEN')
    await ours.Note.create({ id: '1', note: 'n' }).execute()
    expect((await ours.User.get({ id: '1' }).execute())?.notes).toBe(1)
    await ours.User.update({ id: '1' }).set('email', 'y').execute()
    expect(await ours.UserByMail.query().execute()).toHaveLength(1)
    expect(await theirs.UserByMail.query().execute()).toHaveLength(0)
    await taken()
    await ours.User.delete({ id: '1' }).execute()
    expect(await codeOf(() => ours.Offer.create({ offer: 'o' }).execute())).toBe('SCOPE_VIOLATED')
    expect(await table.entities.Offer.query({ tenantId: 'acme' }).execute()).toEqual([])
  })
})
