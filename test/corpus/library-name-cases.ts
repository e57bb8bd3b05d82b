import { type SchemaDefinition, Table } from 'singletable'
import { expect } from 'vitest'
import { type CorpusCase, row, wire } from './corpus-case.ts'
import { libraryTable, refuses } from './library-table.ts'

const text = { type: String, required: true } as const

const freeSchema = (name = 'free') =>
  ({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Thing: {
        key: { pk: 'THING#${id}' },
        attributes: { id: text, note: { type: String }, [name]: { type: 'any' } },
      },
    },
  }) as const satisfies SchemaDefinition

/** Stores a member of that name in undeclared data, changes it and asks for it, and reads it back
 * as an own member. */
const roundTrips = (id: string, name: string): CorpusCase =>
  row(id, `undeclared data may have a member ${name}`, async ({ engine }) => {
    const { loose, table, items } = await libraryTable(engine, freeSchema())
    const { Thing } = loose
    const member = JSON.stringify(name)
    const free = wire(`{${member}:{${member}:"own","polluted":"yes","admin":true}}`) as object
    const written = await Thing.put({ id: '1', free }).execute()
    await Thing.put({ id: '2', free: {} }).execute()
    const ownMember = (value: object): object =>
      Object.getOwnPropertyDescriptor(value, name)?.value as object
    for (const output of [
      written,
      await Thing.get({ id: '1' }).execute(),
      (await Thing.query({ id: '1' }).execute())[0],
      (await Thing.batchGet([{ id: '1' }]).execute())[0],
      (
        await table
          .transactGet()
          .addGet(Thing.get({ id: '1' }))
          .execute()
      )[0],
    ]) {
      expect(Object.keys(output.free)).toEqual([name])
      expect(Object.getPrototypeOf(output.free)).toBe(Object.prototype)
      expect(ownMember(ownMember(output.free))).toBe('own')
      expect(output.free.admin).toBeUndefined()
    }
    // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
    type Any = any
    const deep = (attr: Any): Any => attr.free[name][name]
    const changed = await Thing.update({ id: '1' })
      .set(deep, 'changed')
      .where((attr: Any, op: Any) => op.eq(deep(attr), 'own'))
      .execute()
    expect(ownMember(ownMember(changed.free))).toBe('changed')
    const found = await Thing.scan()
      .where((attr: Any, op: Any) => op.exists(attr.free[name]))
      .execute()
    expect(found.map((thing: { id: string }) => thing.id)).toEqual(['1'])
    const [selected] = await Thing.query({ id: '1' })
      .select((attr: Any) => [deep(attr)])
      .execute()
    expect(ownMember(ownMember(selected.free))).toBe('changed')
    const removed = await Thing.update({ id: '1' }).remove(deep).execute()
    expect(Object.keys(ownMember(removed.free)).sort()).toEqual(['admin', 'polluted'])
    const stored = (await items()).find((item) => item.pk?.S === 'THING#1')
    expect(Object.keys(stored?.free?.M ?? {})).toEqual([name])
  })

/** The names a schema can give, where JavaScript has a meaning for them. */
const declared = (id: string, name: string): CorpusCase =>
  row(id, `an attribute may be declared as ${name}`, async ({ engine }) => {
    const { loose } = await libraryTable(engine, freeSchema(name))
    await loose.Thing.put({ id: '1' }).execute()
    expect(Object.keys(await loose.Thing.get({ id: '1' }).execute())).toEqual(['id'])
    await loose.Thing.update({ id: '1' })
      .set({ [name]: 'own' })
      .execute()
    const thing = await loose.Thing.get({ id: '1' }).execute()
    expect(Object.getOwnPropertyDescriptor(thing, name)?.value).toBe('own')
    await loose.Thing.update({ id: '1' }).remove(name).execute()
    expect(Object.keys(await loose.Thing.get({ id: '1' }).execute())).toEqual(['id'])
  })

const RESERVED = ['__proto__', 'constructor', 'prototype']

/** A schema in which the name is at one place. The places are JSON, so that `__proto__` is a member
 * like others. */
const reservedIn = (template: string, name: string): SchemaDefinition => {
  const definition = JSON.parse(template.replaceAll('NAME', name), (_, value) =>
    value === 'String' ? String : value,
  )
  return definition as SchemaDefinition
}

const refusedNames = (id: string, name: string, ...templates: readonly string[]): CorpusCase =>
  row(id, name, async ({ engine }) => {
    for (const reserved of RESERVED) {
      for (const template of templates) {
        const schema = reservedIn(template, reserved)
        const error = await refuses(
          () => new Table({ name: 'x', schema, client: engine }),
          'SCHEMA_INVALID',
        )
        expect(error.message).toContain(reserved)
      }
      // The same definition with another name is right, so nothing else was refused.
      for (const template of templates) {
        new Table({ name: 'x', schema: reservedIn(template, 'other'), client: engine })
      }
    }
  })

/** Names that every JavaScript object knows, in schemas, data and inputs of the library. */
export const libraryNameCases: readonly CorpusCase[] = [
  roundTrips('P1', '__proto__'),
  roundTrips('P2', 'constructor'),
  roundTrips('P3', 'prototype'),
  roundTrips('P4', 'toString'),
  roundTrips('P5', 'hasOwnProperty'),
  roundTrips('P6', '__defineGetter__'),
  declared('P4', 'toString'),
  declared('P5', 'hasOwnProperty'),
  declared('P6', '__defineGetter__'),
  declared('P6', 'valueOf'),
  declared('P6', 'then'),
  row('P7', 'the library works with tables whose names every object has', async ({ engine }) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const { table } = await libraryTable(engine, freeSchema(), { name })
      const { Thing } = table.entities
      expect(await table.exists()).toBe(true)
      await Thing.batchWrite([{ id: '1' }, { id: '2' }]).execute()
      await table
        .transactWrite()
        .addPut(Thing.put({ id: '3' }))
        .addUpdate(Thing.update({ id: '1' }).set({ note: 'x' }))
        .execute()
      expect(await Thing.batchGet([{ id: '3' }, { id: '1' }]).execute()).toEqual([
        { id: '3' },
        { id: '1', note: 'x' },
      ])
      expect(await Thing.scan().count()).toBe(3)
      await Thing.batchWrite([])
        .delete([{ id: '1' }, { id: '2' }, { id: '3' }])
        .execute()
      expect(await Thing.scan().count()).toBe(0)
      await table.delete()
      expect(await table.exists()).toBe(false)
    }
  }),
  row(
    'P7',
    'unprocessed members of a batch are seen in a table called __proto__',
    async ({ engine }) => {
      const { table } = await libraryTable(engine, freeSchema(), { name: '__proto__' })
      const { Thing } = table.entities
      engine.faults.add({ kind: 'unprocessed', operation: 'BatchWriteItem', count: 3 })
      await Thing.batchWrite([{ id: '1' }, { id: '2' }]).execute()
      engine.faults.add({ kind: 'unprocessed', operation: 'BatchGetItem', count: 3 })
      expect(await Thing.batchGet([{ id: '1' }, { id: '2' }]).execute()).toEqual([
        { id: '1' },
        { id: '2' },
      ])
    },
  ),
  row('P8', 'an index may have a name that every object has', async ({ engine }) => {
    for (const index of ['constructor', 'toString', 'hasOwnProperty']) {
      const { loose } = await libraryTable(
        engine,
        {
          indexes: { primary: { hash: 'pk' }, [index]: { hash: 'gsi1pk' } },
          models: {
            Thing: {
              key: { pk: 'THING#${id}' },
              index: { gsi1pk: 'NOTE#${note}' },
              when: { [index]: { open: true } },
              attributes: { id: text, note: { type: String }, open: { type: Boolean } },
            },
          },
        },
        { name: `index-${index}` },
      )
      await loose.Thing.put({ id: '1', note: 'x', open: true }).execute()
      await loose.Thing.put({ id: '2', note: 'x', open: false }).execute()
      const query = loose.Thing.query({ note: 'x' }).useIndex(index)
      expect(query.explain().index).toBe(index)
      expect(await query.execute()).toEqual([{ id: '1', note: 'x', open: true }])
    }
  }),
  row(
    'P8',
    'an index nobody defined is unknown, also when every object has its name',
    async ({ engine }) => {
      const { loose, sent } = await libraryTable(engine, freeSchema())
      for (const index of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
        await refuses(
          () => loose.Thing.query({ id: '1' }).useIndex(index).execute(),
          'PLAN_NO_INDEX',
          'PLAN_INVALID',
        )
      }
      expect(sent).toEqual([])
    },
  ),
  refusedNames(
    'P12',
    'a model can not be called as what every object has',
    '{"indexes":{"primary":{"hash":"pk"}},"models":{"NAME":{"key":{"pk":"X#${id}"},"attributes":{"id":{"type":"String"}}}}}',
  ),
  refusedNames(
    'P12',
    'an attribute can not be declared, stored or used as a key under such a name',
    '{"indexes":{"primary":{"hash":"pk"}},"models":{"M":{"key":{"pk":"X#${id}"},"attributes":{"id":{"type":"String"},"NAME":{"type":"String"}}}}}',
    '{"indexes":{"primary":{"hash":"pk"}},"models":{"M":{"key":{"pk":"X#${id}"},"attributes":{"id":{"type":"String"},"a":{"type":"String","map":"NAME"}}}}}',
    '{"indexes":{"primary":{"hash":"NAME"}},"models":{"M":{"key":{"NAME":"X#${id}"},"attributes":{"id":{"type":"String"}}}}}',
    '{"indexes":{"primary":{"hash":"pk"}},"params":{"typeField":"NAME"},"models":{"M":{"key":{"pk":"X#${id}"},"attributes":{"id":{"type":"String"}}}}}',
    '{"indexes":{"primary":{"hash":"pk"}},"models":{"M":{"key":{"pk":"X#${id}"},"attributes":{"id":{"type":"String"},"a":{"type":"any"},"b":{"type":"String","map":"NAME"}}}}}',
  ),
  row(
    'P12',
    'a model that is not there is not there, whatever every object has',
    async ({ engine }) => {
      const { loose } = await libraryTable(engine, freeSchema())
      for (const name of [...RESERVED, 'toString', 'hasOwnProperty']) {
        expect(loose[name]).toBeUndefined()
      }
    },
  ),
  row('P12', 'a model may be called toString', async ({ engine }) => {
    const { loose } = await libraryTable(engine, {
      indexes: { primary: { hash: 'pk' } },
      models: { toString: { key: { pk: 'X#${id}' }, attributes: { id: text } } },
    })
    // As text, because the type of every object has a member of this name.
    const name: string = 'toString'
    await loose[name].put({ id: '1' }).execute()
    expect(await loose[name].get({ id: '1' }).execute()).toEqual({ id: '1' })
  }),
  row(
    'P14',
    'a member __proto__ of an input is an attribute that nobody knows',
    async ({ engine }) => {
      const { loose, sent } = await libraryTable(engine, freeSchema())
      const { Thing } = loose
      const bare = wire('{"__proto__":{"id":"1","polluted":"yes"}}')
      const added = wire('{"id":"1","__proto__":{"note":"x","polluted":"yes"}}')
      for (const call of [
        () => Thing.put(bare).execute(),
        () => Thing.put(added).execute(),
        () => Thing.create(added).execute(),
        () => Thing.batchWrite([added]).execute(),
        () => Thing.get(bare).execute(),
        () => Thing.get(added).execute(),
        () => Thing.delete(added).execute(),
        () => Thing.query(bare).execute(),
        () => Thing.query(added).execute(),
        () => Thing.update({ id: '1' }).set(bare).execute(),
        () => Thing.update({ id: '1' }).setDefault(bare).execute(),
        () => Thing.update({ id: '1' }).set({ note: 'x' }).given(bare).execute(),
        () => Thing.update({ id: '1' }).remove('__proto__').execute(),
        () => Thing.update({ id: '1' }).set('constructor', 'x').execute(),
        () => Thing.get({ id: '1' }).select(['__proto__']).execute(),
      ]) {
        await refuses(call, 'INPUT_INVALID')
      }
      expect(sent).toEqual([])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    },
  ),
  row('P14', 'attributes that an input only inherits are not given', async ({ engine }) => {
    const { loose, sent } = await libraryTable(engine, freeSchema())
    const { Thing } = loose
    const inheriting = Object.create({ id: '1' })
    for (const call of [
      () => Thing.put(inheriting).execute(),
      () => Thing.get(inheriting).execute(),
      () => Thing.query(inheriting).execute(),
    ]) {
      await refuses(call, 'INPUT_INVALID')
    }
    expect(sent).toEqual([])
  }),
  row(
    'P14',
    'an option called __proto__ is refused as any other unknown one',
    async ({ engine }) => {
      const schema = freeSchema()
      const options = wire('{"__proto__":{"deadlineMs":1}}') as object
      await refuses(
        () => new Table({ name: 'x', schema, client: engine, ...options }),
        'OPTION_INVALID',
      )
      const call = wire('{"__proto__":{"deadlineMs":-1}}') as object
      const { table } = await libraryTable(engine, schema)
      await refuses(() => table.entities.Thing.get({ id: '1' }).execute(call), 'OPTION_INVALID')
    },
  ),
]
