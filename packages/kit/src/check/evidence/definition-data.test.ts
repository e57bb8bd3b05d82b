import { defineSchema } from 'singletable'
import { describe, expect, test } from 'vitest'
import { readDesign } from '../design/design.ts'
import { definitionData, readDefinitionData } from './definition-data.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'at' } },
  models: {
    Post: {
      key: { pk: 'USER#${user}', sk: { type: String, value: 'POST#${id}' } },
      index: { gsi1pk: 'TYPE#${type}' },
      when: { gsi1: { type: 'String' } },
      attributes: {
        user: { type: String, validate: /^[a-z]+$/ },
        id: { type: String, generate: 'ulid' },
        type: { type: String, enum: ['String', 'Number'], default: 'String' },
        at: { type: String, generate: () => 'now' },
        price: { type: 'decimal', default: () => '0' },
        seen: { type: Date, default: new Date(0) },
        parts: { type: Array, items: { type: Object, schema: { type: { type: Set } } } },
        secret: {
          type: String,
          codec: { encode: (value) => value, decode: (value) => value },
        },
      },
    },
  },
  patterns: { posts: { op: 'query', entity: 'Post', by: ['user'] } },
})

describe('a schema as data', () => {
  test('goes through JSON and is the same schema again, but for its code', () => {
    const data = JSON.parse(JSON.stringify(definitionData(schema)))
    const again = readDesign(readDefinitionData(data))
    expect(again.issues).toEqual([])
    const { models, ...rest } = again.definition
    expect(models.Post?.when).toEqual({ gsi1: { type: 'String' } })
    const { models: wanted, ...others } = schema
    expect(rest).toEqual(others)
    const attributes = models.Post?.attributes ?? {}
    for (const name of ['user', 'price', 'seen', 'secret'] as const) {
      expect(attributes[name]?.type).toBe(wanted.Post.attributes[name].type)
    }
    expect({ ...attributes.parts, ...attributes.type }).toEqual({
      ...wanted.Post.attributes.parts,
      ...wanted.Post.attributes.type,
    })
    expect(again.plans.get('posts')).toEqual(readDesign(schema).plans.get('posts'))
  })

  test('has types by name and a note in place of code', () => {
    expect(definitionData(schema)).toMatchObject({
      models: {
        Post: {
          key: { sk: { type: 'String', value: 'POST#${id}' } },
          attributes: {
            user: { type: 'String', validate: { $code: '/^[a-z]+$/' } },
            price: { type: 'decimal', default: { $code: 'function' } },
            seen: { type: 'Date', default: { $code: 'object' } },
          },
        },
      },
    })
  })

  test('that goes round in circles is cut', () => {
    const circle: { [name: string]: unknown } = {}
    circle.models = circle
    expect(JSON.stringify(definitionData(circle as never))).toContain('"$code":"object"')
  })
})
