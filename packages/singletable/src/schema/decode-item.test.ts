import { describe, expect, test } from 'vitest'
import { DecodeError, EntityMismatchError } from '../errors/decode-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { Item } from '../values/attribute-value.ts'
import type { ParamsDefinition } from './schema-definition.ts'

const modelOf = (params: ParamsDefinition = {}) =>
  compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk' } },
    models: {
      Post: {
        key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
        index: { gsi1pk: 'TITLE#${title}' },
        attributes: {
          username: { type: String },
          postId: { type: String },
          title: { type: String, required: true },
          secret: { type: String, hidden: true },
          views: { type: Number, map: 'v' },
          tags: { type: Array, items: { type: String } },
          toString: { type: String },
        },
      },
    },
    params,
  }).models.get('Post')!
const post = modelOf()

const item: Item = {
  pk: { S: 'USER#alice' },
  sk: { S: 'POST#7' },
  gsi1pk: { S: 'TITLE#x' },
  _type: { S: 'Post' },
  username: { S: 'alice' },
  postId: { S: '7' },
  title: { S: 'x' },
  secret: { S: 'hush' },
  v: { N: '3' },
  legacy: { S: 'no longer declared' },
}
const output = { username: 'alice', postId: '7', title: 'x', views: 3 }

function failure(stored: Item, partial = false): DecodeError {
  try {
    post.decode(stored, partial)
  } catch (error) {
    if (error instanceof DecodeError) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('an output has the declared attributes and nothing internal', () => {
  const decoded = post.decode(item, false)
  expect(decoded).toEqual(output)
  expect(Object.keys(decoded)).toEqual(Object.keys(output))
})

test('an attribute whose name every object inherits is there only if it is stored', () => {
  expect(Object.hasOwn(post.decode(item, false), 'toString')).toBe(false)
  const named = { ...item, toString: { S: 'mine' } }
  expect(post.decode(named, false)).toEqual({ ...output, toString: 'mine' })
})

test('keys and type are in the output where cleanInternalKeys is false', () => {
  expect(modelOf({ cleanInternalKeys: false }).decode(item, false)).toEqual({
    ...output,
    pk: 'USER#alice',
    sk: 'POST#7',
    gsi1pk: 'TITLE#x',
    _type: 'Post',
  })
})

describe('an item without a type', () => {
  const { _type, ...adopted } = item

  test('is accepted', () => {
    expect(post.decode(adopted, false)).toEqual(output)
  })

  test('that has its key attributes only in its keys has them from there', () => {
    const { username, postId, ...bare } = adopted
    expect(post.decode(bare, false)).toEqual(output)
    expect(post.decode(bare, true)).toEqual({ title: 'x', views: 3 })
  })
})

describe('an item of another model', () => {
  test.each([false, true])('is refused, partial or not', (partial) => {
    const error = failure({ ...item, _type: { S: 'User' } }, partial)
    expect(error).toBeInstanceOf(EntityMismatchError)
    expect(error.code).toBe('ENTITY_MISMATCH')
    expect(error.key).toEqual({ pk: item.pk, sk: item.sk })
    expect(error.message).toContain('is a "User", not a "Post"')
  })

  test('is one whose type is not a string', () => {
    expect(failure({ ...item, _type: { N: '1' } })).toBeInstanceOf(EntityMismatchError)
  })
})

describe('an item that does not fit', () => {
  test('is refused for a required attribute that is missing, unless it is partial', () => {
    const { title, ...incomplete } = item
    const error = failure(incomplete)
    expect(error.code).toBe('DECODE_FAILED')
    expect(error.message).toContain('"title" is missing')
    expect(error.message).toContain('["USER#alice","POST#7"]')
    expect(error.key).toEqual({ pk: item.pk, sk: item.sk })
    expect(post.decode(incomplete, true)).toEqual({ username: 'alice', postId: '7', views: 3 })
  })

  test('is refused for a value of another type, with its path', () => {
    expect(failure({ ...item, v: { S: '3' } }).message).toContain(
      '"views" is stored as S, not as N',
    )
    expect(failure({ ...item, tags: { L: [{ S: 'a' }, { N: '1' }] } }, true).message).toContain(
      '"tags[1]" is stored as N, not as S',
    )
  })
})
