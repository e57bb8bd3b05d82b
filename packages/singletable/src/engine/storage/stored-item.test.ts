import { expect, test } from 'vitest'
import { ItemPacker } from './item-packer.ts'
import { copyForCaller, StoredItem } from './stored-item.ts'

const item = { pk: { S: 'a' }, m: { M: { x: { N: '1' } } } }

test('an item is the same before and after it was packed', () => {
  const packer = new ItemPacker()
  const stored = new StoredItem(item, 10)
  const packed = StoredItem.packed(packer, stored.packedBy(packer), 10)
  expect(packed.item).toEqual(item)
  expect(packed.sizeBytes).toBe(10)
  expect(packed.packedBy(packer)).toBe(stored.packedBy(packer))
  expect(stored.item).toBe(item)
})

test('one that another packer has packed is packed again', () => {
  const [one, other] = [new ItemPacker(), new ItemPacker()]
  other.pack({ before: { S: 'a' } })
  const stored = new StoredItem(item, 10)
  stored.packedBy(one)
  expect(other.unpack(stored.packedBy(other))).toEqual(item)
})

test('as JSON it has an item and a size, whether packed or not', () => {
  const packer = new ItemPacker()
  const stored = new StoredItem(item, 10)
  const packed = StoredItem.packed(packer, packer.pack(item), 10)
  expect(JSON.parse(JSON.stringify([stored, packed]))).toEqual([
    { item, sizeBytes: 10 },
    { item, sizeBytes: 10 },
  ])
})

test('returned items can be changed without an effect on stored ones, wherever they come from', () => {
  const packer = new ItemPacker()
  const packed = StoredItem.packed(packer, packer.pack(item), 10)
  const fromJson = StoredItem.fromJson(JSON.stringify(item), 10)
  const before = structuredClone(item)
  for (const stored of [packed, fromJson, new StoredItem(item, 10), { item, sizeBytes: 10 }]) {
    const seen = stored.item
    const given = copyForCaller(stored) as { m: { M: { x: object } } }
    given.m.M.x = { S: 'changed' }
    expect(stored.item).toEqual(before)
    expect(seen).toEqual(before)
  }
})

test('two are surely the same only if their content is', () => {
  const packer = new ItemPacker()
  const packed = (content: typeof item) => StoredItem.packed(packer, packer.pack(content), 10)
  expect(packed(item).isSurelySame(packed(item))).toBe(true)
  expect(packed(item).isSurelySame(packed({ ...item, pk: { S: 'b' } }))).toBe(false)
  // Not packed, or by another packer, or a plain object: unknown.
  expect(packed(item).isSurelySame(new StoredItem(item, 10))).toBe(false)
  expect(new StoredItem(item, 10).isSurelySame(new StoredItem(item, 10))).toBe(false)
  expect(packed(item).isSurelySame({ item, sizeBytes: 10 })).toBe(false)
  const other = new ItemPacker()
  expect(packed(item).isSurelySame(StoredItem.packed(other, other.pack(item), 10))).toBe(false)
})
