import { describe, expect, test } from 'vitest'
import { InputError } from '../errors/input-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'

const { models } = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk' } },
  models: {
    Post: {
      key: { pk: 'USER#${username}', sk: 'YEAR#${year:pad(4)}#POST#${postId}' },
      attributes: {
        username: { type: String, normalize: 'NFC' },
        year: { type: Number },
        postId: { type: String },
        title: { type: String },
      },
    },
    File: {
      key: { pk: 'FILE#${path}', sk: 'FILE' },
      attributes: { path: { type: String, encode: true } },
    },
  },
})
const post = models.get('Post')!
const whole = { username: 'alice', year: 2026, postId: '7' }

function refusal(values: unknown, warn?: (message: string) => void): InputError {
  try {
    post.encodeKey(values as object, 'get()', warn)
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('a primary key', () => {
  const key = { pk: { S: 'USER#alice' }, sk: { S: 'YEAR#2026#POST#7' } }

  test('is made of the attributes of its templates', () => {
    expect(post.encodeKey(whole, 'get()')).toEqual(key)
  })

  test('is made of an item with more attributes', () => {
    expect(post.encodeKey({ ...whole, title: 'x', _type: 'Post' }, 'get()')).toEqual(key)
  })

  test('is made of normalized text', () => {
    const { pk } = post.encodeKey({ ...whole, username: 'e\u0301' }, 'get()')
    expect(pk).toEqual({ S: 'USER#é' })
  })

  test('is taken as it is stored, if the templates could have made it', () => {
    expect(post.encodeKey({ pk: 'USER#alice', sk: 'YEAR#2026#POST#7' }, 'get()')).toEqual(key)
    expect(post.encodeKey({ ...whole, pk: 'USER#alice' }, 'get()')).toEqual(key)
  })

  test.each([
    { pk: 'GROUP#x', sk: 'YEAR#2026#POST#7' },
    { pk: 'USER#alice', sk: 'YEAR#26#POST#7' },
    { pk: 5, sk: 'YEAR#2026#POST#7' },
    { ...whole, pk: 'USER#bob' },
  ])('of another model or other attributes is refused: %j', (values) => {
    expect(refusal(values).code).toBe('KEY_MISMATCH')
  })

  test('needs all of its attributes, and names each missing one once', () => {
    expect(refusal({}).issues).toEqual([
      { path: ['username'], message: 'is missing' },
      { path: ['year'], message: 'is missing' },
      { path: ['postId'], message: 'is missing' },
    ])
    expect(refusal({ ...whole, year: undefined }).issues).toHaveLength(1)
  })

  test('is refused for unknown attributes and wrong values, all at once', () => {
    const { issues } = refusal({ usrname: 'alice', year: '2026', postId: null })
    expect(issues.map(({ path }) => path[0])).toEqual(['usrname', 'year', 'postId'])
    expect(issues[0]?.message).toContain('did you mean "username"')
  })

  test('is refused for a value that would forge another one', () => {
    expect(refusal({ ...whole, username: 'alice#ADMIN' }).code).toBe('KEY_COMPONENT_INVALID')
  })

  test('is refused if it is longer than DynamoDB takes', () => {
    expect(refusal({ ...whole, postId: 'x'.repeat(1024) }).message).toContain('at most 1024')
  })

  test('is refused if it is not an object', () => {
    expect(refusal(undefined).message).toContain('an object was expected')
    expect(refusal('alice').message).toContain('an object was expected')
  })
})

describe('a value that carries the literal before its placeholder', () => {
  test('is read without it, with one warning for each attribute', () => {
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const prefixed = { username: 'USER#alice', year: 2026, postId: 'POST#7' }
    for (let turn = 0; turn < 2; turn++) {
      expect(post.encodeKey(prefixed, 'get()', warn)).toEqual(post.encodeKey(whole, 'get()'))
    }
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('Post.username')
    expect(warnings[1]).toContain('Post.postId')
  })

  test('is refused where nobody is warned', () => {
    expect(refusal({ ...whole, postId: 'POST#7' }).code).toBe('KEY_COMPONENT_INVALID')
  })

  test('is refused with the literal of another placeholder, or more of them', () => {
    const warn = (): void => undefined
    expect(refusal({ ...whole, postId: 'USER#7' }, warn).code).toBe('KEY_COMPONENT_INVALID')
    expect(refusal({ ...whole, postId: 'POST#POST#7' }, warn).code).toBe('KEY_COMPONENT_INVALID')
  })

  test('is the value itself where every text can be one', () => {
    const file = models.get('File')!
    const values = { path: 'FILE#x' }
    const written = file.encodeKey(values, 'put()')
    expect(file.encodeKey(values, 'get()', () => expect.unreachable())).toEqual(written)
  })
})
