import { defineSchema } from 'singletable'
import { compileSchema, type MemberDefinition } from 'singletable/tools'
import { expect, test } from 'vitest'
import { checkDesign } from '../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import {
  definitionData,
  readDefinitionData,
} from '../../packages/kit/src/check/evidence/definition-data.ts'
import { estimateBytes } from '../../packages/kit/src/cost/estimate-bytes.ts'
import { typeWords } from '../../packages/kit/src/docs/type-words.ts'
import { makeItems } from '../../packages/kit/src/seed/make-items.ts'
import { makeValue } from '../../packages/kit/src/seed/make-value.ts'
import { createRandom, seededEnvironment } from '../../packages/kit/src/seed/seeded-random.ts'
import { readJsonValue } from '../../packages/kit/src/text/typed-values.ts'
import { documentOf } from './docs/document-of.ts'

/** Records, tuples, unions, constants and options of members, as the tools see them. */

const titles = { type: 'record', values: { type: String } } as const
const position = { type: 'tuple', elements: [{ type: Number }, { type: Date }] } as const
const shape = {
  type: 'union',
  discriminator: 'kind',
  variants: {
    circle: { radius: { type: Number, required: true } },
    text: { words: { type: Array, items: { type: Object, schema: {} } }, made: { type: Date } },
  },
} as const
const owner = {
  type: Object,
  schema: { name: { type: String, map: 'n' }, id: { type: String, generate: 'uuid' } },
} as const

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Drawing: {
      key: { pk: 'DRAWING#${id}' },
      attributes: {
        id: { type: String, required: true },
        format: { type: String, const: 'v2' },
        titles,
        position,
        shape,
        owner,
      },
    },
  },
})
const model = compileSchema(schema).models.get('Drawing')!

test('sample data has values of every type', () => {
  const random = createRandom(7)
  const environment = seededEnvironment(random)
  const place = { model, random, environment, number: 1, isOwnKey: false }
  for (let count = 0; count < 20; count++) {
    for (const attribute of model.attributes.values()) {
      // Throws if none is found that the attribute takes.
      expect(makeValue(attribute, place)).toBeDefined()
    }
  }
})

test('the living document says what the types are', async () => {
  const words = [titles, position, shape, { type: String, const: 'v2' }].map((definition) =>
    typeWords(definition as MemberDefinition),
  )
  expect(words).toEqual([
    'record of String',
    'tuple of Number, Date',
    'union by kind { circle, text }',
    'String "v2"',
  ])
  expect(JSON.stringify(await documentOf(schema))).toContain('union by kind { circle, text }')
})

test('a schema is the same after it was written as JSON', () => {
  const data = JSON.parse(JSON.stringify(definitionData(schema)))
  const { attributes } = readDefinitionData(data).models.Drawing!
  expect(attributes).toMatchObject({ titles, position, shape })
})

test('values of JSON are read by the types inside', () => {
  const day = '2026-01-02T00:00:00.000Z'
  expect(readJsonValue([1, day], position)).toEqual([1, new Date(day)])
  expect(readJsonValue({ kind: 'text', made: day }, shape)).toEqual({
    kind: 'text',
    made: new Date(day),
  })
  const marks = { type: 'record', values: { type: Date } } as const
  expect(readJsonValue({ a: day }, marks)).toEqual({ a: new Date(day) })
})

test('sizes are estimated from what is inside', () => {
  const bytes = estimateBytes(model)
  expect(bytes.get('titles')).toBeGreaterThan(50)
  expect(bytes.get('position')).toBeGreaterThan(24)
  expect(bytes.get('shape')).toBeGreaterThan(20)
  expect(bytes.get('format')).toBe('format'.length + 2)
})

test('a record without keys, and a list in a union, can grow without bound', () => {
  const { findings } = checkDesign(readDesign(schema), { today: '2026-11-18', only: ['S03'] })
  expect(findings.map(({ place, severity }) => [place.attribute, severity])).toEqual([
    ['shape', 'warning'],
    ['titles', 'info'],
  ])
})

test('sample items leave computed attributes to the library', () => {
  const computed = compileSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Person: {
        key: { pk: 'PERSON#${id}' },
        attributes: {
          id: { type: String, required: true },
          first: { type: String, required: true },
          name: { type: String, from: ['first'], compute: ({ first }) => `Dr. ${first}` },
        },
      },
    },
  })
  const random = createRandom(1)
  const environment = seededEnvironment(random)
  const items = [...makeItems(computed, { count: 3, random, environment })]
  expect(items).toHaveLength(3)
  for (const { input } of items) expect(input).not.toHaveProperty('name')
})

test('what is computed and not stored has no size, and keys made from it are as they should be', () => {
  const definition = defineSchema({
    indexes: { primary: { hash: 'pk' }, byName: { hash: 'gsi1pk' } },
    models: {
      Person: {
        key: { pk: 'PERSON#${id}' },
        index: { gsi1pk: 'NAME#${name}' },
        attributes: {
          id: { type: String, required: true },
          first: { type: String, required: true },
          name: {
            type: String,
            required: true,
            stored: false,
            from: ['first'],
            compute: ({ first }) => `Dr. ${first}`,
          },
        },
      },
    },
  })
  const compiled = compileSchema(definition)
  const model = compiled.models.get('Person')!
  expect([...estimateBytes(model).keys()]).not.toContain('name')
  const { item } = model.encodeNew(
    { id: '1', first: 'Ada' },
    seededEnvironment(createRandom(1)),
    'test',
  )
  const found = (items: readonly (typeof item)[]) =>
    checkDesign(
      readDesign(definition, { sample: { items, itemCount: 1, takenOn: '2026-11-18' } }),
      {
        today: '2026-11-18',
        only: ['D01', 'D02', 'D03'],
      },
    ).findings.map(({ code }) => code)
  expect(found([item])).toEqual([])
  expect(found([{ ...item, first: { S: 'Eve' } }])).toEqual(['D03'])
})
