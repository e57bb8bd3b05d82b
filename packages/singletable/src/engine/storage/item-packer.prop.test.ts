import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { ItemPacker } from './item-packer.ts'

test('any items come back from one packer as they were, in any order of packing and unpacking', () => {
  fc.assert(
    fc.property(fc.array(anyItem(), { maxLength: 20 }), (items) => {
      const packer = new ItemPacker()
      const strings = items.map((item) => packer.pack(item))
      for (const [position, text] of [...strings.entries()].reverse()) {
        expect(JSON.stringify(packer.unpack(text))).toBe(JSON.stringify(items[position]))
        const json = packer.json(text)
        expect(json).toBe(JSON.stringify(items[position]))
        expect(packer.json(json)).toBe(json)
        expect(JSON.stringify(packer.unpack(json))).toBe(json)
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
  )
})

function anyItem(): fc.Arbitrary<Item> {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ S: text }),
      fc.record({ N: fc.integer().map(String) }),
      fc.record({ B: fc.base64String() }),
      fc.record({ BOOL: fc.boolean() }),
      fc.constant({ NULL: true }),
      fc.record({ SS: fc.uniqueArray(text, { minLength: 1 }) }),
      fc.record({ NS: fc.uniqueArray(fc.integer().map(String), { minLength: 1 }) }),
      fc.record({ BS: fc.uniqueArray(fc.base64String(), { minLength: 1 }) }),
      fc.record({ L: fc.array(tie('value')) }),
      fc.record({ M: map(tie('value')) }),
    ),
  }))
  return map(value)
}

/** Few names, so that items have some in common, and any others. */
function map(value: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Item> {
  const name = fc.oneof(fc.constantFrom('pk', 'sk', '__proto__', '7'), fc.string())
  return fc.array(fc.tuple(name, value), { maxLength: 8 }).map(Object.fromEntries)
}
