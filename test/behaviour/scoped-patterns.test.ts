import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Access patterns as one tenant has them. */

const tenantId = { type: String, required: true } as const
const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byTitle: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byState: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    Tenant: {
      key: { pk: 'TENANT#${tenantId}', sk: 'TENANT' },
      attributes: { tenantId, noteCount: { type: Number, counts: 'Note' } },
    },
    Note: {
      key: { pk: 'TENANT#${tenantId}', sk: 'NOTE#${id}' },
      index: {
        gsi1pk: 'TENANT#${tenantId}#${shard}',
        gsi1sk: '${title}',
        gsi2pk: 'STATE#${state}',
        gsi2sk: '${id}',
      },
      shard: { count: 3 },
      attributes: {
        tenantId,
        id: { type: String, required: true },
        title: { type: String, required: true },
        state: { type: String, default: 'new' },
      },
      copies: {
        Title: { key: { pk: 'TENANT#${tenantId}#TITLES', sk: '${title}#${id}' }, attributes: [] },
      },
    },
    Plan: {
      key: { pk: 'PLAN#${plan}', sk: 'PLAN' },
      attributes: { plan: { type: String, required: true } },
    },
  },
  patterns: {
    note: { op: 'get', entity: 'Note', by: ['tenantId', 'id'] },
    someNotes: { op: 'batchGet', entity: 'Note', by: ['tenantId', 'id'] },
    notes: { op: 'query', entity: 'Note', by: ['tenantId'], range: 'id' },
    notesByTitle: { op: 'query', entity: 'Note', index: 'byTitle', by: ['tenantId'] },
    titles: {
      op: 'query',
      entity: 'Title',
      by: ['tenantId'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Note' },
    },
    everything: { op: 'query', entity: ['Tenant', 'Note'], by: ['tenantId'] },
    add: { op: 'create', entity: 'Note' },
    rename: { op: 'update', entity: 'Note', by: ['tenantId', 'id'], set: ['title'] },
    remove: { op: 'delete', entity: 'Note', by: ['tenantId', 'id'] },
    addTwo: {
      op: 'transact',
      steps: {
        first: { op: 'create', entity: 'Note' },
        tenant: { op: 'check', entity: 'Note', by: ['tenantId', 'id'] },
      },
    },
    newNotes: { op: 'query', entity: 'Note', index: 'byState', by: ['state'] },
    plan: { op: 'get', entity: 'Plan', by: ['plan'] },
    allNotes: { op: 'scan', entity: 'Note', reason: 'a report' },
    search: { op: 'external', service: 'OpenSearch', reason: 'full text' },
  },
})

onEachTarget((target) => {
  let table: Table<typeof schema>
  beforeAll(async () => {
    table = await target.table(schema)
    for (const tenantId of ['acme', 'other']) {
      await table.entities.Tenant.create({ tenantId }).execute()
      for (const id of ['1', '2', '3', '4']) {
        await table.patterns.add({ tenantId, id, title: `${tenantId} ${9 - Number(id)}` })
      }
    }
  })
  const patterns = () => table.scope({ tenantId: 'acme' }).patterns
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join('')

  describe('patterns of a scope', () => {
    test('need no attributes of it, and take them if they are equal', async () => {
      const { note, someNotes, notes } = patterns()
      expect((await note({ id: '1' })).item?.title).toBe('acme 8')
      expect((await note({ id: '1', tenantId: 'acme' })).item?.title).toBe('acme 8')
      const some = await someNotes([{ id: '2' }, { id: 'x' }, { id: '1' }])
      expect(some.items.map((item) => item?.id)).toEqual(['2', undefined, '1'])
      expect(idsOf((await notes({})).items)).toBe('1234')
      expect(idsOf((await notes({ id: { from: '2', lt: '4' } })).items)).toBe('23')
    })

    test('read several partitions, copies and several entities', async () => {
      const { notesByTitle, titles, everything } = patterns()
      expect(idsOf((await notesByTitle({})).items)).toBe('4321')
      const page = await notesByTitle({}).page({ limit: 3 })
      const { cursor } = page
      expect(idsOf(page.items)).toBe('432')
      expect(idsOf((await notesByTitle({}, { cursor })).items)).toBe('1')
      expect(
        await codeOf(() => table.patterns.notesByTitle({ tenantId: 'acme' }, { cursor })),
      ).toBe('CURSOR_INVALID')
      expect(idsOf((await titles({})).items)).toBe('4321')
      const all: string[] = []
      for await (const { id } of titles.all({})) all.push(id)
      expect(all.join('')).toBe('4321')
      const { groups } = await everything({})
      expect([groups.Tenant.length, groups.Note.length]).toEqual([1, 4])
    })

    test('ask for an attribute of the scope once', () => {
      expect(patterns().notes.params({})).toEqual(table.patterns.notes.params({ tenantId: 'acme' }))
    })

    test('write in it', async () => {
      const { add, rename, remove, addTwo, note } = patterns()
      expect((await add({ id: '5', title: 'new' })).item.tenantId).toBe('acme')
      expect((await rename({ id: '5', title: 'newer' })).item.title).toBe('newer')
      const both = await addTwo({ first: { id: '6', title: 'six' }, tenant: { id: '5' } })
      expect(both.items.first.tenantId).toBe('acme')
      expect((await table.entities.Tenant.get({ tenantId: 'acme' }).execute())?.noteCount).toBe(6)
      for (const id of ['5', '6']) await remove({ id })
      expect((await note({ id: '5' })).item).toBeUndefined()
    })
  })

  test.each<[string, string, (tenant: ReturnType<typeof patterns>) => unknown]>([
    ['a query of another tenant', 'INPUT_INVALID', (own) => own.notes({ tenantId: 'other' })],
    [
      'a shard of another tenant',
      'INPUT_INVALID',
      (own) => own.notesByTitle({ tenantId: 'other' }),
    ],
    [
      'a collection of another one',
      'INPUT_INVALID',
      (own) => own.everything({ tenantId: 'other' }),
    ],
    [
      'an item of another tenant',
      'INPUT_INVALID',
      (own) => own.note({ tenantId: 'other', id: '1' }),
    ],
    [
      'a write to another tenant',
      'INPUT_INVALID',
      (own) => own.add({ tenantId: 'other', id: '9', title: 't' }),
    ],
    [
      'a step of another tenant',
      'INPUT_INVALID',
      (own) =>
        own.addTwo({
          first: { id: '7', title: 't' },
          tenant: { tenantId: 'other', id: '1' },
        }),
    ],
    ['an index that all tenants share', 'SCOPE_VIOLATED', (own) => own.newNotes({ state: 'new' })],
    ['an entity outside of the scope', 'SCOPE_VIOLATED', (own) => own.plan({ plan: 'big' })],
    [
      'a scan',
      'SCOPE_VIOLATED',
      // @ts-expect-error: the compiler says so, too.
      (own) => own.allNotes({}),
    ],
    [
      'what another service answers',
      'PLAN_INVALID',
      // @ts-expect-error: as on the table.
      (own) => own.search({}),
    ],
  ])('%s is refused, and nothing is sent', async (_, code, call) => {
    const requests = await requestsOf(table, async () => {
      expect(await codeOf(async () => call(patterns()))).toBe(code)
    })
    expect(requests).toEqual([])
  })
})

test('a scope of a scope fills in both attributes', async () => {
  const table = new Table({
    name: 'nested',
    client: createEngine(),
    schema: defineSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Task: {
          key: { pk: '${tenantId}#${project}', sk: '${id}' },
          attributes: { tenantId, project: tenantId, id: tenantId },
        },
      },
      patterns: { tasks: { op: 'query', entity: 'Task', by: ['tenantId', 'project'] } },
    }),
  })
  await table.create()
  await table.entities.Task.put({ tenantId: 'a', project: 'p', id: '1' }).execute()
  const site = table.scope({ tenantId: 'a' }).scope({ project: 'p' })
  expect((await site.patterns.tasks({})).items).toHaveLength(1)
})
