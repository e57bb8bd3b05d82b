import fc from 'fast-check'
import { compileSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { keyTextShape } from './key-text-shape.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200)

const text = { type: String, required: true } as const
const schema = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Plain: {
      key: { pk: 'A#${a}', sk: 'B#${b}#C#${c}' },
      attributes: { a: text, b: text, c: text },
    },
    Number: {
      key: { pk: 'N#${n:pad(6)}', sk: 'N' },
      attributes: { n: { type: Number, required: true } },
    },
    Escaped: {
      key: { pk: 'E#${e}', sk: 'E#${e}#END' },
      attributes: { e: { type: String, required: true, encode: true } },
    },
    Path: {
      key: { pk: 'P', sk: 'P#${p}' },
      attributes: { p: { type: Array, items: { type: String }, required: true } },
    },
  },
})

/** What a key may be made of without an escape. */
const bare = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((each) => !/[#\p{Cc}\p{Cs}]/u.test(each))

const values = fc.oneof(
  fc.record({ model: fc.constant('Plain'), a: bare, b: bare, c: bare }),
  fc.record({ model: fc.constant('Number'), n: fc.nat(999_999) }),
  fc.record({ model: fc.constant('Escaped'), e: fc.oneof(bare, fc.constantFrom('a#b', '#', '$')) }),
  fc.record({ model: fc.constant('Path'), p: fc.array(bare, { minLength: 1, maxLength: 4 }) }),
)

test('of a key that a template makes nothing is left but the template', () => {
  fc.assert(
    fc.property(values, ({ model: name, ...given }) => {
      const { primary } = schema.models.get(name)!
      for (const { name: key, template } of [...primary.hash, ...primary.sort]) {
        const place = { schema, index: 'primary', entity: name }
        const rendered = template?.render(given)
        expect(keyTextShape(place, key, rendered)).toBe(template?.source)
        // Without the entity, another template may look the same; values are gone all the same.
        const shape = keyTextShape({ ...place, entity: undefined }, key, rendered)
        const sources = [...schema.models.values()].flatMap((model) =>
          [...model.primary.hash, ...model.primary.sort].map((part) => part.template?.source),
        )
        expect(sources).toContain(shape)
      }
    }),
    { numRuns: RUNS },
  )
})

test('a text that no template makes is all value', () => {
  const place = { schema, index: 'primary', entity: undefined }
  expect(keyTextShape(place, 'pk', 'alice@example.com')).toBe('${…}')
  expect(keyTextShape(place, 'pk', undefined)).toBe('${…}')
  expect(keyTextShape(place, 'nothing', 'A#1')).toBe('${…}')
})
