import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { itemSize, storedSize } from './item-size.ts'
import { type LargeItem, watchSizes } from './watch-sizes.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}' },
      attributes: {
        id: { type: String, required: true },
        text: { type: String },
        tags: { type: Set, items: { type: String } },
      },
    },
  },
})

async function start(bytesMax?: number) {
  const engine = createEngine()
  const reported: LargeItem[] = []
  const onLarge = (large: LargeItem): void => {
    reported.push(large)
  }
  const client = watchSizes(engine, { onLarge, ...(bytesMax && { bytesMax }) })
  const table = new Table({ name: 'Notes', schema, client })
  await table.create()
  return { engine, reported, table, Note: table.entities.Note }
}

test('the units are those that the service counts', async () => {
  const { Note, engine } = await start()
  for (const length of [1, 900, 1100, 4096, 9000]) {
    const input = { id: 'a', text: 'x'.repeat(length), tags: new Set(['t']) }
    const size = itemSize(Note, input)
    const put = await engine.send('PutItem', {
      TableName: 'Notes',
      Item: {
        pk: { S: 'NOTE#a' },
        _type: { S: 'Note' },
        id: { S: 'a' },
        text: { S: input.text },
        tags: { SS: ['t'] },
      },
      ReturnConsumedCapacity: 'TOTAL',
    })
    // The first put makes the item, and later ones may pay for the larger item before.
    expect(put.ConsumedCapacity?.CapacityUnits).toBe(size.writeUnits.standard)
    const get = { TableName: 'Notes', Key: { pk: { S: 'NOTE#a' } }, ConsistentRead: true }
    const read = await engine.send('GetItem', { ...get, ReturnConsumedCapacity: 'TOTAL' })
    expect(read.ConsumedCapacity?.CapacityUnits).toBe(size.readUnits.consistent)
    expect(storedSize(read.Item!).bytes).toBe(size.bytes)
    expect(size.readUnits.transactional).toBe(4 * size.readUnits.eventual)
  }
})

test('attributes come by size, with their part of the item', async () => {
  const { Note } = await start()
  const size = itemSize(Note, { id: 'a', text: 'x'.repeat(204_800) })
  expect(size.attributes[0]).toEqual({ name: 'text', bytes: 204_804, percent: 100 })
  expect(size.percentOfLimit).toBe(50)
  expect(size.fits).toBe(true)
  expect(size.attributes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(size.bytes)
})

test('an item at the limit fits, and one byte more does not', () => {
  const itemOf = (bytes: number) => ({ pk: { S: 'x'.repeat(bytes - 2) } })
  expect(storedSize(itemOf(409_600))).toMatchObject({ bytes: 409_600, fits: true })
  expect(storedSize(itemOf(409_601)).fits).toBe(false)
  expect(storedSize({}).percentOfLimit).toBe(0)
})

test('an input that could not be put has no size', async () => {
  const { Note } = await start()
  expect(() => itemSize(Note, { id: 1 } as never)).toThrow('INPUT_INVALID')
})

test('large items are reported, however they are written', async () => {
  const { Note, table, reported } = await start(500)
  const text = 'x'.repeat(600)
  await Note.put({ id: '1', text: 'x'.repeat(400) }).execute()
  expect(reported).toEqual([])
  await Note.put({ id: '2', text }).execute()
  await Note.batchWrite([{ id: '3', text }]).execute()
  await table
    .transactWrite()
    .add(Note.put({ id: '4', text }))
    .execute()
  await Note.update({ id: '1' }).set({ text }).execute()
  await Note.get({ id: '1' }).execute()
  expect(reported).toHaveLength(4)
  expect(reported[0]?.message).toBe(
    'an item of table "Notes" has 624 bytes, 0.2% of the limit: "text" 604, "_type" 9, "pk" 8',
  )
})
