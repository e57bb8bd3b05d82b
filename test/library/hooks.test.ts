import { defineSchema, type HookedAnswer, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Note: {
      key: { pk: 'TENANT#${tenant}', sk: 'NOTE#${id}' },
      attributes: {
        tenant: { type: String, required: true },
        id: { type: String, required: true },
        text: { type: String },
      },
    },
  },
  patterns: { noteOf: { entity: 'Note', op: 'get', by: ['tenant', 'id'] } },
})

const engine = createEngine()
const warnings: string[] = []
let made = 0
let table = create()

function create() {
  const onWarning = (text: string) => warnings.push(text)
  return new Table({ name: `notes${made++}`, schema, client: engine, onWarning })
}

beforeEach(async () => {
  warnings.length = 0
  table = create()
  await table.create()
})

describe('use', () => {
  test('calls hooks before and after each request, the last ones innermost', async () => {
    const seen: unknown[] = []
    const at = (name: string) => ({
      before: ({
        operation,
        verb,
        entity,
      }: {
        operation: string
        verb: string
        entity?: string | undefined
      }) => {
        seen.push([`${name} before`, operation, verb, entity])
      },
      after: ({ operation }: { operation: string }) => {
        seen.push([`${name} after`, operation])
      },
    })
    table.use(at('a'))
    table.use(at('b'))
    await table.entities.Note.put({ tenant: 't', id: '1' })
    expect(seen).toEqual([
      ['a before', 'PutItem', 'put', 'Note'],
      ['b before', 'PutItem', 'put', 'Note'],
      ['b after', 'PutItem'],
      ['a after', 'PutItem'],
    ])
  })

  test('narrows the type of a request by its operation', async () => {
    const strings: (string | undefined)[] = []
    table.use({
      before(call) {
        if (call.operation !== 'PutItem') return
        expectTypeOf(call.request.TableName).toEqualTypeOf<string>()
        strings.push(call.request.Item.text?.S)
      },
    })
    await table.entities.Note.put({ tenant: 't', id: '1', text: 'hello' })
    expect(strings).toEqual(['hello'])
  })

  test('a hook that throws refuses the call, and nothing is sent', async () => {
    const end = table.use({
      before: async ({ verb }) => {
        await null
        if (verb !== 'get') throw new Error('read-only')
      },
    })
    const { Note } = table.entities
    await expect(Note.put({ tenant: 't', id: '1' })).rejects.toThrow('read-only')
    expect(await Note.get({ tenant: 't', id: '1' })).toBeUndefined()
    end()
    end()
    await Note.put({ tenant: 't', id: '1' })
    expect(await Note.get({ tenant: 't', id: '1' })).toBeDefined()
  })

  test('changes of what a hook is given change nothing', async () => {
    table.use({
      before(call) {
        const request = call.request as { Item?: Record<string, unknown>; Key?: object }
        if (request.Item) request.Item.pk = { S: 'TENANT#other' }
      },
      after({ response }: HookedAnswer) {
        const { Item } = Object(response)
        if (Item) Item.text = { S: 'changed' }
      },
    })
    const scope = table.scope({ tenant: 't' })
    await scope.entities.Note.put({ id: '1', text: 'mine' })
    expect(await scope.entities.Note.get({ id: '1' })).toMatchObject({ text: 'mine' })
    expect(await table.entities.Note.query({ tenant: 'other' })).toEqual([])
  })

  test('hold for scopes and for other handles of the table, and know patterns', async () => {
    const seen: unknown[] = []
    table.use({ before: ({ pattern, verb }) => seen.push([verb, pattern]) })
    await table.scope({ tenant: 't' }).entities.Note.get({ id: '1' })
    await table.with({ client: engine }).patterns.noteOf({ tenant: 't', id: '1' })
    expect(seen).toEqual([
      ['get', undefined],
      ['get', 'noteOf'],
    ])
  })

  test('after a failure the error is given; what a hook throws then is only reported', async () => {
    const errors: unknown[] = []
    table.use({
      after({ error, response }) {
        errors.push([error instanceof Error, response])
        throw new Error('log is full')
      },
    })
    const { Note } = table.entities
    await Note.create({ tenant: 't', id: '1' })
    await expect(Note.create({ tenant: 't', id: '1' })).rejects.toThrow(/ITEM_EXISTS/)
    expect(errors).toEqual([
      [false, expect.any(Object)],
      [true, undefined],
    ])
    expect(warnings[0]).toBe('a hook failed after PutItem of create(): log is full')
  })

  test('refuses what is not a hook', () => {
    expect(() => table.use({ befor: () => 1 } as never)).toThrow(/did you mean "before"/)
    expect(() => table.use({ before: 1 } as never)).toThrow(/before must be a function/)
  })
})
