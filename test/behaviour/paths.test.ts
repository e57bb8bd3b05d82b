import { defineSchema, type Table } from 'singletable'
import { beforeAll, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Hierarchies: a list of strings in a key, of which queries give the first ones. */

const TreeSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byPath: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Folder: {
      key: { pk: 'DISK#${disk}', sk: 'FOLDER#${path}' },
      attributes: {
        disk: { type: String, required: true },
        path: { type: Array, items: { type: String }, required: true, map: 'p' },
      },
    },
    Page: {
      key: { pk: 'PAGE#${id}', sk: 'PAGE' },
      index: { gsi1pk: 'SITE#${site}', gsi1sk: '${address}' },
      attributes: {
        id: { type: String, required: true },
        site: { type: String, required: true },
        address: { type: Array, items: { type: String }, required: true, encode: true },
      },
    },
  },
})

const PATHS = ['a', 'a/b', 'a/b/c', 'a/b/d/e', 'a/bc', 'a!', 'a!/b', 'ab', 'ab/c', 'b', 'b/a']

onEachTarget((target) => {
  let table: Table<typeof TreeSchema>
  beforeAll(async () => {
    table = await target.table(TreeSchema)
    await table.entities.Folder.batchWrite(
      PATHS.map((path) => ({ disk: '1', path: path.split('/') })),
    ).execute()
    await table.entities.Page.batchWrite(
      [...PATHS, 'a#x/b', 'a/#'].map((path) => ({
        id: path.replaceAll('#', '+'),
        site: 's',
        address: path.split('/'),
      })),
    ).execute()
  })
  const below = (...path: string[]) =>
    table.entities.Folder.query({ disk: '1' }).where((attr, op) => op.beginsWith(attr.path, path))
  const found = async (query: ReturnType<typeof below>): Promise<string[]> =>
    (await query.execute()).map(({ path }) => path.join('/')).sort()

  test('a folder is found with all that is below it, and nothing whose name only begins alike', async () => {
    expect(await found(below('a'))).toEqual(['a', 'a/b', 'a/b/c', 'a/b/d/e', 'a/bc'])
    expect(await found(below('a', 'b'))).toEqual(['a/b', 'a/b/c', 'a/b/d/e'])
    expect(await found(below('a', 'b', 'd', 'e', 'f'))).toEqual([])
    expect(await found(below('a!'))).toEqual(['a!', 'a!/b'])
  })

  test('the sort key narrows what is read to that subtree', async () => {
    expect(below('a', 'b').explain().keyCondition).toBe(
      'pk = "DISK#1" AND sk BETWEEN "FOLDER#a#b" AND "FOLDER#a#b#\\u{10ffff}"',
    )
    const page = await below('a', 'b').returnConsumedCapacity('TOTAL').executeWithPagination()
    expect(page.scannedCount).toBe(3)
  })

  test('what is directly in a folder has one element more', async () => {
    const children = below('a').where((attr, op) => op.size(attr.path).eq(2))
    expect(await found(children)).toEqual(['a/b', 'a/bc'])
  })

  test('elements can have the separator in them if they are escaped', async () => {
    const { Page } = table.entities
    const pages = (...address: string[]) =>
      Page.query({ site: 's' }).where((attr, op) => op.beginsWith(attr.address, address))
    const ids = async (...address: string[]) =>
      (await pages(...address).execute()).map(({ id }) => id).sort()
    expect(await ids('a#x')).toEqual(['a+x/b'])
    expect(await ids('a')).toEqual(['a', 'a/+', 'a/b', 'a/b/c', 'a/b/d/e', 'a/bc'])
    expect(pages('a').explain()).toMatchObject({ index: 'byPath' })
  })

  test('elements that are compared one by one do the same, if the first is among them', async () => {
    const { Folder } = table.entities
    const query = Folder.query({ disk: '1' })
    const first = query.where((attr, op) =>
      op.and(op.eq(attr.path[1], 'b'), op.eq(attr.path[0], 'a')),
    )
    expect(first.explain().keyCondition).toContain('BETWEEN "FOLDER#a#b"')
    expect(await found(first)).toEqual(['a/b', 'a/b/c', 'a/b/d/e'])
    const second = query.where((attr, op) => op.eq(attr.path[1], 'b'))
    expect(second.explain().keyCondition).toContain('begins_with(sk, "FOLDER#")')
    expect(await found(second)).toEqual(['a!/b', 'a/b', 'a/b/c', 'a/b/d/e'])
  })

  test('it is a condition like others: in scans, writes, or() and not()', async () => {
    const { Folder } = table.entities
    const scan = Folder.scan().where((attr, op) =>
      op.or(op.beginsWith(attr.path, ['b']), op.beginsWith(attr.path, ['ab', 'c'])),
    )
    expect((await scan.execute()).map(({ path }) => path.join('/')).sort()).toEqual([
      'ab/c',
      'b',
      'b/a',
    ])
    const others = Folder.scan().where((attr, op) => op.not(op.beginsWith(attr.path, ['a'])))
    expect(await others.count()).toBe(6)
    const remove = Folder.delete({ disk: '1', path: ['b'] })
    expect(
      await codeOf(() => remove.where((attr, op) => op.beginsWith(attr.path, ['a'])).execute()),
    ).toBe('CONDITION_FAILED')
  })

  test('a beginning that is not a list, or an empty one, is refused', async () => {
    expect(await codeOf(() => below().execute())).toBe('INPUT_INVALID')
    const { Folder } = table.entities
    const text = () =>
      Folder.query({ disk: '1' })
        .where((attr, op) => op.beginsWith(attr.path, 'a' as never))
        .execute()
    expect(await codeOf(text)).toBe('INPUT_INVALID')
  })
})
