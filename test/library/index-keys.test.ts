import type { Item } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { operators } from '../../packages/singletable/src/plan/operators.ts'
import type { Reference } from '../../packages/singletable/src/plan/reference.ts'
import { registerOperand, toReference } from '../../packages/singletable/src/plan/references.ts'
import { requireWrite } from '../../packages/singletable/src/plan/write/require-write.ts'
import { createWriteTable, NOW, type WriteTable } from './write-table.ts'

const INDEXES = {
  primary: { hash: 'pk', sort: 'sk' },
  gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' },
} as const

const TASKS = {
  indexes: INDEXES,
  params: { timestamps: true },
  models: {
    Task: {
      key: { pk: 'ORG#${org}', sk: 'TASK#${id}' },
      index: {
        gsi1pk: 'ORG#${org}#${status}',
        gsi1sk: 'AT#${due}#${id}',
        gsi2pk: 'ASSIGNEE#${assignee}',
        gsi2sk: 'P#${priority:pad(3)}',
      },
      attributes: {
        org: { type: String },
        id: { type: String },
        status: { type: String, enum: ['open', 'done', 'late'], default: 'open' },
        due: { type: String },
        assignee: { type: String },
        priority: { type: Number },
        title: { type: String },
        points: { type: Number },
      },
    },
  },
} as const

const KEY = { org: 'acme', id: '1' }
const text = (item: Item | undefined, name: string): string | undefined => item?.[name]?.S

async function tasks(extra: object = {}): Promise<WriteTable> {
  const table = await createWriteTable(TASKS)
  await table.put('Task', { ...KEY, status: 'open', due: '2026-01', ...extra })
  table.sent.length = 0
  return table
}

const indexed = async (table: WriteTable, index: string): Promise<(string | undefined)[]> =>
  (await table.scan(index)).map((item) => text(item, index === 'gsi1' ? 'gsi1pk' : 'gsi2pk'))

describe('an update that gives all attributes of an index key', () => {
  test('writes the key in the same request (OneTable #301 #355 #508 #517)', async () => {
    const table = await tasks()
    await table.update('Task', KEY, { set: { status: 'done', due: '2026-02' } })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['UpdateItem'])
    const item = await table.item('Task', KEY)
    expect(text(item, 'gsi1pk')).toBe('ORG#acme#done')
    expect(text(item, 'gsi1sk')).toBe('AT#2026-02#1')
  })

  test('writes its partition key with its sort key, because the item may enter the index now (ElectroDB #366)', async () => {
    const table = await tasks({ due: undefined })
    expect(await indexed(table, 'gsi1')).toEqual([])
    await table.update('Task', KEY, { set: { due: '2026-03' }, given: { status: 'open' } })
    expect(await indexed(table, 'gsi1')).toEqual(['ORG#acme#open'])
  })

  test('keeps attributes that are themselves an index key (OneTable #244)', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' }, byOwner: { hash: 'owner', sort: 'rank' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: { id: { type: String }, owner: { type: String }, rank: { type: Number } },
        },
      },
    })
    await table.put('Thing', { id: '1', owner: 'a', rank: 1 })
    await table.update('Thing', { id: '1' }, { set: { owner: 'b' } })
    expect(await table.scan('byOwner')).toMatchObject([{ owner: { S: 'b' }, rank: { N: '1' } }])
    expect(table.sent.map(({ operation }) => operation)).toEqual(['PutItem', 'UpdateItem'])
    await expect(table.update('Thing', { id: '1' }, { set: { owner: '' } })).rejects.toThrow(
      /"owner" is empty/,
    )
  })

  test('takes what is set for the keys, and what is given only for the condition (ElectroDB #481)', async () => {
    const table = await tasks()
    await table.update('Task', KEY, {
      set: { status: 'late' },
      given: { status: 'open', due: '2026-01' },
    })
    expect(await indexed(table, 'gsi1')).toEqual(['ORG#acme#late'])
  })

  test('asserts what is given: keys are never made of values the item does not have (ElectroDB #372)', async () => {
    const table = await tasks()
    const wrong = table.update('Task', KEY, { set: { status: 'late' }, given: { due: '1999-01' } })
    await expect(wrong).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
      item: { due: '2026-01', status: 'open' },
    })
    expect(await indexed(table, 'gsi1')).toEqual(['ORG#acme#open'])
  })

  test('asserts that an attribute is absent where it is given as undefined', async () => {
    const table = await tasks()
    const given = { due: undefined }
    const plan = table.planUpdate('Task', KEY, { set: { status: 'late' }, given })
    expect(plan.kind).toBe('write')
    await expect(table.execute(plan)).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
  })
})

describe('an update that gives only some attributes of an index key', () => {
  test('reads the others and writes the whole key (ElectroDB #406, dynamodb-toolbox #196 #168)', async () => {
    const table = await tasks()
    await table.update('Task', KEY, { set: { status: 'late' } })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['GetItem', 'UpdateItem'])
    const item = await table.item('Task', KEY)
    expect(text(item, 'gsi1pk')).toBe('ORG#acme#late')
    expect(text(item, 'gsi1sk')).toBe('AT#2026-01#1')
  })

  test('reads only the attributes it needs, consistently', async () => {
    const table = await tasks()
    await table.update('Task', KEY, { set: { status: 'late' } })
    expect(table.sent[0]?.request).toMatchObject({
      ConsistentRead: true,
      ExpressionAttributeNames: { '#n0': 'due' },
    })
  })

  test('is planned again when another writer changes what was read', async () => {
    const table = await tasks()
    const plan = table.planUpdate('Task', KEY, { set: { status: 'late' } })
    table.before = async (operation) => {
      expect(operation).toBe('GetItem')
      table.before = async () => {
        await table.update('Task', KEY, { set: { due: '2027-07', status: 'open' } })
      }
    }
    await table.execute(plan)
    const item = await table.item('Task', KEY)
    expect(text(item, 'gsi1sk')).toBe('AT#2027-07#1')
    expect(text(item, 'gsi1pk')).toBe('ORG#acme#late')
  })

  test('gives up after a minute in which others change it again and again', async () => {
    const table = await tasks()
    const plan = table.planUpdate('Task', KEY, { set: { status: 'late' } })
    let round = 0
    const rival = async (operation: string): Promise<void> => {
      if (operation === 'UpdateItem') {
        const due = `2030-${++round}`
        table.now += 1000
        await table.update('Task', KEY, { set: { due, status: 'open' } })
      }
      table.before = rival
    }
    table.before = rival
    await expect(table.execute(plan)).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: expect.stringContaining('Others changed this Task during each of 60 attempts'),
      cause: { name: 'ConditionalCheckFailedException' },
    })
    expect(round).toBe(60)
  })

  test('distinguishes a false condition of the caller from a change by others', async () => {
    const table = await tasks()
    const where = operators.exists(titleOf(table))
    const update = table.update('Task', KEY, { set: { status: 'late' }, where })
    await expect(update).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['GetItem', 'UpdateItem'])
  })

  test('finds no item', async () => {
    const table = await tasks()
    const update = table.update('Task', { org: 'acme', id: '9' }, { set: { status: 'late' } })
    await expect(update).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND', item: undefined })
    expect(await table.scan()).toHaveLength(1)
  })

  test('is refused with the list of attributes where nothing can be read', async () => {
    const table = await tasks()
    const plan = table.planUpdate('Task', KEY, { set: { status: 'late' } })
    expect(() => requireWrite(plan, 'here')).toThrow(/UPDATE_NEEDS_ATTRIBUTES.*"due"/s)
  })

  test('adds to a number that is part of a key', async () => {
    const table = await tasks({ assignee: 'bob', priority: 7 })
    await table.update('Task', KEY, { add: { priority: 5 } })
    const item = await table.item('Task', KEY)
    expect(item?.priority).toEqual({ N: '12' })
    expect(text(item, 'gsi2sk')).toBe('P#012')
    expect(text(item, 'gsi2pk')).toBe('ASSIGNEE#bob')
  })

  test('adds to a number that is given without reading it', async () => {
    const table = await tasks({ assignee: 'bob', priority: 7 })
    const given = { assignee: 'bob', priority: 7 }
    await table.update('Task', KEY, { add: { priority: 5 }, given })
    expect(table.sent).toHaveLength(1)
    expect(text(await table.item('Task', KEY), 'gsi2sk')).toBe('P#012')
  })
})

describe('values in index keys', () => {
  const FILES = {
    indexes: INDEXES,
    models: {
      File: {
        key: { pk: 'DRIVE#${drive}', sk: 'FILE#${id}' },
        index: {
          gsi1pk: 'DRIVE#${drive}',
          gsi1sk: 'IN#${folders}',
          gsi2pk: 'NAME#${name:lower}',
          gsi2sk: 'AT#${at}',
        },
        attributes: {
          drive: { type: String, normalize: 'NFC' },
          id: { type: String },
          folders: { type: Array, items: { type: String } },
          name: { type: String, normalize: 'NFC' },
          at: { type: Date },
        },
      },
    },
  } as const
  const key = { drive: 'e\u0301', id: '1' }
  const file = { ...key, folders: ['a', 'b'], name: 'E\u0301t', at: new Date(NOW) }

  test('are of the form that is stored: one Unicode form, dates as ISO text', async () => {
    const table = await createWriteTable(FILES)
    await table.put('File', file)
    const put = await table.item('File', key)
    await table.update('File', key, { set: { name: 'O\u0308l', at: new Date(0) } })
    expect(await table.item('File', key)).toMatchObject({
      pk: { S: 'DRIVE#\u00e9' },
      gsi2pk: { S: 'NAME#\u00f6l' },
      gsi2sk: { S: 'AT#1970-01-01T00:00:00.000Z' },
    })
    await table.update('File', key, { set: { name: file.name, at: file.at } })
    expect(await table.item('File', key)).toEqual(put)
    await table.delete('File', key)
    const { drive, id, ...rest } = file
    await table.upsert('File', { drive, id }, { set: rest })
    expect(await table.item('File', key)).toEqual(put)
  })

  test('follow changes inside a path of segments', async () => {
    const table = await createWriteTable(FILES)
    await table.put('File', file)
    await table.update('File', key, { append: { folders: ['c'] } })
    expect(text(await table.item('File', key), 'gsi1sk')).toBe('IN#a#b#c')
    await table.update('File', key, {
      more: ({ folders }: { folders: unknown[] }) => [
        { kind: 'set', target: toReference(folders[0])!, value: 'x' },
        { kind: 'remove', target: toReference(folders[1])! },
      ],
    } as never)
    expect(text(await table.item('File', key), 'gsi1sk')).toBe('IN#x#c')
    await table.update('File', key, { default: { folders: ['z'] } })
    expect(text(await table.item('File', key), 'gsi1sk')).toBe('IN#x#c')
    await table.update('File', key, { remove: ['folders'] })
    await table.update('File', key, { default: { folders: ['z'] } })
    expect(text(await table.item('File', key), 'gsi1sk')).toBe('IN#z')
  })

  test('that could be taken for more of the key are refused before anything is sent', async () => {
    const table = await createWriteTable(FILES)
    await table.put('File', file)
    table.sent.length = 0
    const wrong = { set: { name: 'a#b', at: new Date(0) } }
    expect(() => table.planUpdate('File', key, wrong)).toThrow(/KEY_COMPONENT_INVALID.*"name"/s)
    const long = { set: { name: 'x'.repeat(2048), at: new Date(0) } }
    expect(() => table.planUpdate('File', key, long)).toThrow(/"gsi2pk" has 2053 bytes/)
    expect(table.sent).toEqual([])
  })

  test('that are stored as another type are reported with the key of the item', async () => {
    const table = await createWriteTable(FILES)
    await table.put('File', file)
    const Item = { ...(await table.item('File', key)), at: { BOOL: true } }
    await table.engine.send('PutItem', { TableName: 'Things', Item })
    const update = table.update('File', key, { set: { name: 'x' } })
    await expect(update).rejects.toMatchObject({
      code: 'DECODE_FAILED',
      key: { pk: { S: 'DRIVE#\u00e9' }, sk: { S: 'FILE#1' } },
    })
  })
})

describe('an update that touches no attribute of an index', () => {
  test('leaves its keys alone and reads nothing', async () => {
    const table = await tasks()
    const before = await table.item('Task', KEY)
    await table.update('Task', KEY, { set: { title: 'x' }, add: { points: 2 } })
    const after = await table.item('Task', KEY)
    expect(table.sent).toHaveLength(1)
    expect(text(after, 'gsi1pk')).toBe(text(before, 'gsi1pk'))
    expect(text(after, 'gsi1sk')).toBe(text(before, 'gsi1sk'))
  })

  test('keeps a constant sort key as it is (ElectroDB #412)', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        Pet: {
          key: { pk: 'PET#${id}', sk: 'PET' },
          index: { gsi1pk: 'KIND#${kind}', gsi1sk: 'PET' },
          attributes: { id: { type: String }, kind: { type: String }, name: { type: String } },
        },
      },
    })
    await table.put('Pet', { id: '1', kind: 'cat' })
    await table.update('Pet', { id: '1' }, { set: { name: 'Tom' } })
    await table.update('Pet', { id: '1' }, { set: { kind: 'dog' } })
    expect(await table.scan('gsi1')).toMatchObject([
      { gsi1pk: { S: 'KIND#dog' }, gsi1sk: { S: 'PET' }, name: { S: 'Tom' } },
    ])
  })
})

describe('sparse indexes', () => {
  test('an item without an optional attribute is not in the index, with no half of its key (ElectroDB #445 #229 #300)', async () => {
    const table = await tasks({ assignee: 'bob' })
    const item = await table.item('Task', KEY)
    expect(item).not.toHaveProperty('gsi2pk')
    expect(item).not.toHaveProperty('gsi2sk')
    expect(await indexed(table, 'gsi2')).toEqual([])
  })

  test('an item enters when its last attribute is set, and leaves when one is removed', async () => {
    const table = await tasks({ assignee: 'bob' })
    await table.update('Task', KEY, { set: { priority: 1 } })
    expect(await indexed(table, 'gsi2')).toEqual(['ASSIGNEE#bob'])
    table.sent.length = 0
    await table.update('Task', KEY, { remove: ['assignee'] })
    expect(table.sent).toHaveLength(1)
    const item = await table.item('Task', KEY)
    expect(item).not.toHaveProperty('gsi2pk')
    expect(item).not.toHaveProperty('gsi2sk')
    expect(item?.priority).toEqual({ N: '1' })
  })

  const LISTED = {
    indexes: INDEXES,
    models: {
      Post: {
        key: { pk: 'POST#${id}', sk: 'POST' },
        index: { gsi1pk: 'LISTED', gsi1sk: 'LANG#${lang}#${slug}' },
        when: { gsi1: { state: ['public', 'pinned'] } },
        attributes: {
          id: { type: String },
          lang: { type: String },
          slug: { type: String },
          state: { type: String },
          views: { type: Number },
        },
      },
    },
  } as const
  const post = { id: '1', lang: 'en', slug: 'x', state: 'public' }

  test('a false condition takes the item out without any other attribute being known (ElectroDB #366 #538)', async () => {
    const table = await createWriteTable(LISTED)
    await table.put('Post', post)
    expect(await table.scan('gsi1')).toHaveLength(1)
    await table.update('Post', { id: '1' }, { set: { state: 'draft' } })
    expect(await table.scan('gsi1')).toEqual([])
    expect(table.sent.map(({ operation }) => operation)).toEqual(['PutItem', 'UpdateItem'])
  })

  test('a condition is looked at when only its attribute changes (ElectroDB #479)', async () => {
    const table = await createWriteTable(LISTED)
    await table.put('Post', { ...post, state: 'draft' })
    expect(await table.scan('gsi1')).toEqual([])
    await table.update('Post', { id: '1' }, { set: { state: 'pinned' } })
    expect(await table.scan('gsi1')).toMatchObject([{ gsi1sk: { S: 'LANG#en#x' } }])
  })

  test('an item that does not meet the condition is put without the key, complete or not (ElectroDB #538)', async () => {
    const table = await createWriteTable(LISTED)
    await table.put('Post', { id: '1', state: 'draft' })
    await table.put('Post', { id: '2', state: 'public' })
    await table.put('Post', { ...post, id: '3', state: 'draft' })
    expect(await table.scan('gsi1')).toEqual([])
  })

  test('a key attribute of two indexes stays while one of them holds the item', async () => {
    const table = await createWriteTable({
      indexes: {
        primary: { hash: 'pk' },
        byDue: { hash: 'groupKey', sort: 'dueKey' },
        byRank: { hash: 'groupKey', sort: 'rankKey' },
      },
      models: {
        Job: {
          key: { pk: 'JOB#${id}' },
          index: { groupKey: 'G#${group}', dueKey: 'D#${due}', rankKey: 'R#${rank}' },
          attributes: {
            id: { type: String },
            group: { type: String },
            due: { type: String },
            rank: { type: String },
          },
        },
      },
    })
    const key = { id: '1' }
    await table.put('Job', { id: '1', group: 'a', due: 'mon', rank: 'x' })
    await table.update('Job', key, { remove: ['due'] })
    expect(await table.scan('byDue')).toEqual([])
    expect(await table.scan('byRank')).toMatchObject([{ groupKey: { S: 'G#a' } }])
    await table.update('Job', key, { remove: ['rank'] })
    const item = await table.item('Job', key)
    expect(Object.keys(item ?? {}).sort()).toEqual(['_type', 'group', 'id', 'pk'])
  })

  test('an index key cannot be made of null', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        Note: {
          key: { pk: 'NOTE#${id}', sk: 'NOTE' },
          index: { gsi1pk: 'TAG#${tag}', gsi1sk: 'NOTE#${id}' },
          attributes: { id: { type: String }, tag: { type: String, nulls: true } },
        },
      },
    })
    await table.put('Note', { id: '1', tag: 'a' })
    await table.update('Note', { id: '1' }, { set: { tag: null } })
    expect(await table.scan('gsi1')).toEqual([])
    expect(await table.item('Note', { id: '1' })).toMatchObject({ tag: { NULL: true } })
  })
})

describe('upsert', () => {
  test('writes the index keys that the primary key determines (ElectroDB #286)', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        Member: {
          key: { pk: 'ORG#${org}', sk: 'USER#${user}' },
          index: { gsi1pk: 'USER#${user}', gsi1sk: 'ORG#${org}' },
          attributes: {
            org: { type: String },
            user: { type: String },
            role: { type: String },
          },
        },
      },
    })
    await table.upsert('Member', { org: 'acme', user: 'bob' }, { set: { role: 'admin' } })
    expect(table.sent).toHaveLength(1)
    expect(await table.scan('gsi1')).toEqual([
      {
        pk: { S: 'ORG#acme' },
        sk: { S: 'USER#bob' },
        gsi1pk: { S: 'USER#bob' },
        gsi1sk: { S: 'ORG#acme' },
        _type: { S: 'Member' },
        org: { S: 'acme' },
        user: { S: 'bob' },
        role: { S: 'admin' },
      },
    ])
  })

  test('never sets an attribute of the primary key that shares its name (ElectroDB #530)', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'id', sort: 'at' } },
      models: {
        Event: {
          key: { id: '${name}', at: 'AT#${day}' },
          attributes: { name: { type: String }, day: { type: String }, note: { type: String } },
        },
      },
    })
    await table.upsert('Event', { name: 'n', day: 'd' }, { set: { note: 'x', name: 'n' } })
    expect(await table.scan()).toMatchObject([
      { id: { S: 'n' }, name: { S: 'n' }, at: { S: 'AT#d' } },
    ])
  })

  test('keeps createdAt and defaults of the item that is there (ElectroDB #256 #404 #85)', async () => {
    const table = await createWriteTable(TASKS)
    await table.upsert('Task', KEY, { set: { status: 'late', due: '2026-01' } })
    const first = await table.item('Task', KEY)
    expect(first).toMatchObject({ createdAt: { S: new Date(NOW).toISOString() } })
    table.now += 60_000
    const given = await table.upsert('Task', KEY, { set: { title: 'x' } })
    expect(await table.item('Task', KEY)).toEqual({
      ...first,
      title: { S: 'x' },
      updatedAt: { S: new Date(NOW + 60_000).toISOString() },
    })
    expect(given).toMatchObject({ status: 'late', title: 'x', createdAt: new Date(NOW) })
  })

  test('gives a new item its defaults, timestamps and type, and the keys they make', async () => {
    const table = await createWriteTable(TASKS)
    await table.upsert('Task', KEY, { set: { due: '2026-01' } })
    expect(await table.item('Task', KEY)).toMatchObject({
      _type: { S: 'Task' },
      status: { S: 'open' },
      gsi1pk: { S: 'ORG#acme#open' },
      createdAt: { S: new Date(NOW).toISOString() },
      updatedAt: { S: new Date(NOW).toISOString() },
    })
  })

  test('removes attributes, too, with the keys they make (ElectroDB #339)', async () => {
    const table = await tasks({ assignee: 'bob', priority: 1 })
    await table.upsert('Task', KEY, { set: { title: 'x' }, remove: ['assignee'] })
    expect(await indexed(table, 'gsi2')).toEqual([])
    await table.upsert('Task', { org: 'acme', id: '2' }, { remove: ['assignee'] })
    expect(await table.scan()).toHaveLength(2)
  })

  test('adds and appends to what a new item does not have', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Stat: {
          key: { pk: 'STAT#${id}' },
          attributes: {
            id: { type: String },
            count: { type: Number, required: true },
            tags: { type: Set, items: { type: String } },
            log: { type: Array, items: { type: String } },
          },
        },
      },
    })
    const changes = { add: { count: 2, tags: ['a'] }, append: { log: ['x'] } }
    await table.upsert('Stat', { id: '1' }, changes)
    expect(await table.upsert('Stat', { id: '1' }, changes)).toEqual({
      id: '1',
      count: 4,
      tags: new Set(['a']),
      log: ['x', 'x'],
    })
  })

  test('needs every attribute that a new item needs', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}' },
          attributes: {
            id: { type: String },
            email: { type: String, required: true },
            origin: { type: String, readonly: true },
          },
        },
      },
    })
    await expect(table.upsert('User', { id: '1' }, {})).rejects.toThrow(/"email" is missing/)
    await table.upsert('User', { id: '1' }, { set: { email: 'a@b', origin: 'web' } })
    const again = await table.upsert('User', { id: '1' }, { set: { email: 'c@d', origin: 'app' } })
    expect(again).toEqual({ id: '1', email: 'c@d', origin: 'web' })
    expect(table.sent).toHaveLength(2)
  })

  test('takes attributes that are in several templates once each (ElectroDB #343)', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        Twin: {
          key: { pk: 'T#${a}', sk: 'T#${a}#${b}' },
          index: { gsi1pk: 'B#${b}', gsi1sk: 'B#${b}#${a}#${c}' },
          attributes: { a: { type: String }, b: { type: String }, c: { type: String } },
        },
      },
    })
    await table.upsert('Twin', { a: '1', b: '2' }, { set: { c: '3' } })
    expect(await table.scan('gsi1')).toMatchObject([{ gsi1sk: { S: 'B#2#1#3' } }])
    await table.update('Twin', { a: '1', b: '2' }, { set: { c: '4' } })
    expect(await table.scan('gsi1')).toMatchObject([{ gsi1sk: { S: 'B#2#1#4' } }])
    expect(table.sent).toHaveLength(2)
  })
})

describe('update of what is not there', () => {
  test('makes no item (ElectroDB #85)', async () => {
    const table = await tasks()
    const update = table.update('Task', { org: 'acme', id: '9' }, { set: { title: 'x' } })
    await expect(update).rejects.toMatchObject({ name: 'ItemNotFoundError' })
    expect(await table.scan()).toHaveLength(1)
  })
})

describe('setting an attribute of the primary key', () => {
  test('moves the item, with the keys of all indexes', async () => {
    const table = await tasks({ assignee: 'bob', priority: 3, title: 'x' })
    table.now += 1000
    const output = await table.update('Task', KEY, {
      set: { org: 'umbrella' },
      add: { priority: 1 },
    })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['GetItem', 'TransactWriteItems'])
    expect(await table.item('Task', KEY)).toBeUndefined()
    const items = await table.scan()
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      pk: { S: 'ORG#umbrella' },
      org: { S: 'umbrella' },
      gsi1pk: { S: 'ORG#umbrella#open' },
      gsi2sk: { S: 'P#004' },
      createdAt: { S: new Date(NOW).toISOString() },
      updatedAt: { S: new Date(NOW + 1000).toISOString() },
    })
    expect(output).toMatchObject({ org: 'umbrella', id: '1', title: 'x', priority: 4 })
  })

  test('gives what returning asks for', async () => {
    const table = await tasks({ title: 'x' })
    const move = (
      id: string,
      from: string,
      returning: 'ALL_OLD' | 'UPDATED_NEW' | 'UPDATED_OLD' | 'NONE',
    ) => table.update('Task', { org: 'acme', id: from }, { set: { id, title: id }, returning })
    const at = new Date(NOW)
    expect(await move('2', '1', 'ALL_OLD')).toMatchObject({ id: '1', title: 'x', status: 'open' })
    expect(await move('3', '2', 'UPDATED_OLD')).toEqual({ id: '2', title: '2', updatedAt: at })
    expect(await move('4', '3', 'UPDATED_NEW')).toEqual({ id: '4', title: '4', updatedAt: at })
    expect(await move('5', '4', 'NONE')).toBeUndefined()
    expect(await table.scan('gsi1')).toMatchObject([{ gsi1sk: { S: 'AT#2026-01#5' } }])
  })

  test('in another case only changes the attribute, where the key has small letters', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        User: {
          key: { pk: 'USER#${email:lower}', sk: 'USER' },
          index: { gsi1pk: 'MAIL#${email}', gsi1sk: 'USER' },
          attributes: { email: { type: String }, name: { type: String } },
        },
      },
    })
    await table.put('User', { email: 'Bob' })
    await table.update('User', { email: 'BOB' }, { set: { name: 'x' } })
    await table.upsert('User', { email: 'BOB' }, { set: { name: 'y' } })
    expect(await table.scan('gsi1')).toMatchObject([
      { email: { S: 'Bob' }, gsi1pk: { S: 'MAIL#Bob' } },
    ])
    await table.update('User', { email: 'bob' }, { set: { email: 'boB' } })
    expect(await table.scan('gsi1')).toMatchObject([
      { email: { S: 'boB' }, gsi1pk: { S: 'MAIL#boB' } },
    ])
    expect(table.sent.map(({ operation }) => operation)).not.toContain('TransactWriteItems')
  })

  test('which one template has in small letters and another as it is keeps its letters', async () => {
    const table = await createWriteTable({
      indexes: INDEXES,
      models: {
        User: {
          key: { pk: 'USER#${email}#${day}', sk: 'MAIL#${email:lower}' },
          index: { gsi1pk: 'MAIL#${email}', gsi1sk: 'NAME#${name}' },
          attributes: {
            email: { type: String },
            day: { type: String },
            name: { type: String },
          },
        },
      },
    })
    const key = { email: 'Bob', day: 'mon' }
    await table.upsert('User', key, { set: { name: 'x' } })
    await table.update('User', key, { set: { name: 'y' } })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['UpdateItem', 'UpdateItem'])
    await table.update('User', key, { set: { day: 'tue' } })
    expect(await table.scan('gsi1')).toMatchObject([
      { pk: { S: 'USER#Bob#tue' }, email: { S: 'Bob' }, gsi1pk: { S: 'MAIL#Bob' } },
    ])
  })

  test('to the value it has changes nothing where nothing else does', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' } },
      models: { Thing: { key: { pk: 'THING#${id}' }, attributes: { id: { type: String } } } },
    })
    await table.put('Thing', { id: '1' })
    expect(await table.update('Thing', { id: '1' }, { set: { id: '1' } })).toEqual({ id: '1' })
    const missing = table.update('Thing', { id: '2' }, { set: { id: '2' } })
    await expect(missing).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  test('of a missing item is reported as such, also with changes inside attributes', async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: { id: { type: String }, data: { type: 'any' } },
        },
      },
    })
    const move = table.update('Thing', { id: '1' }, {
      set: { id: '2' },
      more: ({ data }: { data: { x: unknown } }) => [
        { kind: 'set', target: toReference(data.x)!, value: 1 },
      ],
    } as never)
    await expect(move).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  test('to the value it has is an ordinary update', async () => {
    const table = await tasks()
    await table.update('Task', KEY, { set: { org: 'acme', title: 'x' } })
    expect(table.sent.map(({ operation }) => operation)).toEqual(['UpdateItem'])
    expect(await table.item('Task', KEY)).toMatchObject({ title: { S: 'x' }, org: { S: 'acme' } })
  })

  test('never overwrites an item that is there', async () => {
    const table = await tasks()
    await table.put('Task', { org: 'acme', id: '2', title: 'other' })
    const move = table.update('Task', KEY, { set: { id: '2' } })
    await expect(move).rejects.toMatchObject({ code: 'ITEM_EXISTS', item: { title: 'other' } })
    expect(await table.scan()).toHaveLength(2)
  })

  test('takes what others wrote in between with it', async () => {
    const table = await tasks()
    table.before = async () => {
      table.before = async () => {
        await table.update('Task', KEY, { set: { title: 'new' } })
      }
    }
    expect(await table.update('Task', KEY, { set: { id: '2' } })).toMatchObject({ title: 'new' })
    expect(await table.scan()).toHaveLength(1)
  })

  test('of an item that is not there finds no item', async () => {
    const table = await createWriteTable(TASKS)
    const move = table.update('Task', KEY, { set: { id: '2' } })
    await expect(move).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  test('is refused where it would take more than one request, and in upsert', async () => {
    const table = await tasks()
    const plan = table.planUpdate('Task', KEY, { set: { id: '2' } })
    expect(() => requireWrite(plan, 'here')).toThrow(/UPDATE_MOVES_ITEM.*"id"/s)
    expect(() => table.planUpdate('Task', KEY, { set: { id: '2' } }, 'upsert')).toThrow(
      /another primary key/,
    )
  })

  test('with a value that would forge another key is refused', async () => {
    const table = await tasks()
    expect(() => table.planUpdate('Task', KEY, { set: { id: 'TASK#2' } })).toThrow(
      /KEY_COMPONENT_INVALID/,
    )
  })
})

/** Tests write conditions as operators make them. */
function titleOf(table: WriteTable): Reference {
  const { name, stored, codec } = table.model('Task').attributes.get('title')!
  return registerOperand({ kind: 'reference', name, path: [stored], codec })
}
