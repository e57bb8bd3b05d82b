import { compileSchema, type Environment, type SchemaDefinition } from 'singletable/tools'
import { expect, test } from 'vitest'
import { makeValue, UnseedableError } from './make-value.ts'
import { createRandom, seededEnvironment } from './seeded-random.ts'

const random = createRandom(1)
const environment: Environment = seededEnvironment(random)

function madeFor(attribute: SchemaDefinition['models'][string]['attributes'][string]): unknown {
  const { models } = compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      File: {
        key: { pk: 'FILE#${id}', sk: 'FILE' },
        attributes: { id: { type: String, required: true }, at: attribute },
        copies: { Daily: { key: { pk: 'DAY#${at:day}', sk: '${id}' } } },
      },
    },
  })
  const model = models.get('File')
  const found = model?.attributes.get('at')
  if (model === undefined || found === undefined) throw new Error('It was declared.')
  const place = { model, random, environment, number: 1, isOwnKey: false, isInKey: false }
  return makeValue(found, place)
}

test('a made-up text is a time where a key has a bucket of it', () => {
  expect(madeFor({ type: String })).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
})

test('a default is used where nothing can be made up', () => {
  const validate = (text: string): boolean => text === '2026-02-03T04:05:06.000Z'
  expect(madeFor({ type: String, default: '2026-02-03T04:05:06.000Z', validate })).toBe(
    '2026-02-03T04:05:06.000Z',
  )
  expect(() => madeFor({ type: String, validate: () => false })).toThrow(UnseedableError)
})
