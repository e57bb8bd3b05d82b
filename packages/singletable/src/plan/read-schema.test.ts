import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { compileSchema } from './compile-schema.ts'
import { defineSchema } from './define-schema.ts'
import { readSchema } from './read-schema.ts'

const text = { type: String, required: true } as const
const indexes = {
  primary: { hash: 'pk', sort: 'sk' },
  gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
} as const

const User = {
  key: { pk: 'USER#${username}', sk: 'PROFILE' },
  index: { gsi1pk: 'USERS', gsi1sk: '${joinedAt}' },
  attributes: {
    username: text,
    joinedAt: { type: Date, required: true },
    posts: { type: Number, counts: 'Post' },
  },
} as const
const Post = {
  key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
  attributes: { username: text, postId: text, author: { type: String, copyOf: 'User.username' } },
  copies: { Latest: { key: { pk: 'LATEST', sk: '${postId}#${username}' } } },
} as const
const patterns = {
  profile: { op: 'get', entity: 'User', by: ['username'] },
  newest: { op: 'query', entity: 'User', index: 'gsi1', by: [] },
  posts: { op: 'query', entity: 'Post', by: ['username'] },
  latest: { op: 'query', entity: 'Latest', by: [] },
  publish: { op: 'transact', steps: { post: { op: 'create', entity: 'Post' } } },
} as const

/** A whole schema, with parts of it replaced by whatever JavaScript can hold. */
function blog(parts: { [name: string]: unknown } = {}): SchemaDefinition {
  return { indexes, models: { User, Post }, patterns, ...parts } as unknown as SchemaDefinition
}

function reported(definition: SchemaDefinition): readonly string[] {
  return readSchema(definition).issues.map(
    ({ code, subject, what }) => `${code} ${JSON.stringify(subject)} ${what}`,
  )
}

test('a schema without mistakes is read once', () => {
  const definition = blog()
  const reading = readSchema(definition)
  expect(reading.issues).toEqual([])
  expect([...reading.schema!.models.keys()]).toEqual(['User', 'Post', 'Latest'])
  expect(readSchema(definition)).toBe(reading)
  expect(compileSchema(definition)).toBe(reading.schema)
})

describe('all mistakes are reported, with what they are about', () => {
  const definition = blog({
    indexes: { ...indexes, gsi2: { hash: 'gsi2pk', project: ['titel'] } },
    models: {
      User: {
        ...User,
        key: { pk: 'USER#${userName}', sk: 'PROFILE' },
        attributes: { ...User.attributes, age: { type: 'int' }, nick: { type: String, max: 3 } },
      },
      Post: { ...Post, index: { gsi1pk: 'POSTS', gsi1sk: '${postId' } },
    },
    patterns: { ...patterns, posts: { op: 'query', entity: 'Post', by: ['postId'], limits: 3 } },
    params: { timestamp: true },
  })

  test('each once, in the order of the schema', () => {
    expect(reported(definition)).toEqual([
      'SCHEMA_INVALID {} "timestamp" is not an option here (did you mean "timestamps"?).',
      'SCHEMA_INVALID {"index":"gsi2"} no model has "titel", which it projects.',
      'SCHEMA_INVALID {"model":"User","attribute":"age"} its type is "int".',
      'SCHEMA_INVALID {"model":"User","attribute":"nick"} "max" is not an option here (did you mean "map"?).',
      'SCHEMA_INVALID {"model":"User","attribute":"pk","index":"primary"} its template names "userName", which is not an attribute (did you mean "username"?).',
      'TEMPLATE_INVALID {"model":"Post","attribute":"gsi1sk","index":"gsi1"} Template "${postId": it has a "${" that is not closed.',
      'PATTERN_INVALID {"pattern":"posts"} Access pattern "posts": there is no option "limits" (did you mean "limit"?).',
      'PATTERN_INVALID {"pattern":"posts"} Access pattern "posts": the partition key "USER#${username}" needs "username".',
    ])
  })

  test('what has no mistake is ready for use', () => {
    const { schema } = readSchema(definition)
    expect([...schema!.models.keys()]).toEqual(['Post', 'Latest'])
    expect(schema!.models.get('Post')?.indexes.map(({ index }) => index.name)).toEqual(['primary'])
    expect([...schema!.patterns.keys()]).toEqual(['latest', 'publish'])
  })

  test('issues are plain data that cannot be changed', () => {
    const { issues } = readSchema(definition)
    expect(JSON.parse(JSON.stringify(issues))).toEqual(issues)
    expect(
      [issues, ...issues, ...issues.map(({ subject }) => subject)].every(Object.isFrozen),
    ).toBe(true)
  })

  test.each([
    ['compileSchema', compileSchema],
    ['defineSchema', (given: SchemaDefinition) => defineSchema(given)],
  ])('%s throws one error that lists them', (_, define) => {
    let thrown: unknown
    try {
      define(definition)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(DefinitionError)
    const error = thrown as DefinitionError
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', where: 'schema', definition })
    expect(error.issues).toBe(readSchema(definition).issues)
    expect(error.message.split('\n').slice(0, 5)).toEqual([
      'SCHEMA_INVALID: The schema has 8 mistakes:',
      '  1. SCHEMA_INVALID: "timestamp" is not an option here (did you mean "timestamps"?).',
      '     where:  schema, params',
      '     fix:    use timestamps, isoDates, typeField, itemVersionField, separator, cleanInternalKeys',
      '  2. SCHEMA_INVALID: no model has "titel", which it projects.',
    ])
    expect(error.message.split('\n').slice(-3)).toEqual([
      '  where:  schema',
      '  fix:    correct each of them',
      '  more:   node_modules/singletable/docs/errors.md#schema_invalid',
    ])
  })
})

test('one mistake is an error of its own', () => {
  const definition = blog({ models: { User: { ...User, keys: {} }, Post } })
  expect(() => compileSchema(definition)).toThrow(
    /^SCHEMA_INVALID: "keys" is not an option here \(did you mean "key"\?\)\.\n {2}where: {2}schema, model "User"\n/,
  )
})

describe('one mistake is reported once, whatever depends on it', () => {
  const withUser = (changes: object): object => ({
    models: { User: { ...User, ...changes }, Post },
  })
  const withAttribute = (attribute: object): object =>
    withUser({ attributes: { ...User.attributes, ...attribute } })

  test.each<[string, object, string]>([
    [
      'the type of an attribute in the primary key',
      withAttribute({ username: { type: 'x' } }),
      'its type',
    ],
    [
      'the type of an attribute in another key',
      withAttribute({ joinedAt: { type: 'x' } }),
      'its type',
    ],
    ['an attribute that is null', withAttribute({ username: null }), 'not an object'],
    [
      'an unknown name in a key',
      withUser({ key: { pk: '${user}', sk: 'P' } }),
      'which is not an attribute',
    ],
    ['a key with another name', withUser({ key: { pk: 'U', SK: 'P' } }), 'its key names'],
    ['no key', withUser({ key: undefined }), 'its key names nothing'],
    ['no attributes', withUser({ attributes: undefined }), 'not an object'],
    ['a model that is null', { models: { User: null, Post } }, 'not an object'],
    ['an index that is null', { indexes: { ...indexes, gsi1: null } }, 'not an object'],
    ['an index without a hash', { indexes: { ...indexes, gsi1: { sort: 'gsi1sk' } } }, 'its hash'],
    ['no primary index', { indexes: { gsi1: indexes.gsi1 } }, 'no primary index'],
    ['a primary index that is wrong', { indexes: { ...indexes, primary: 7 } }, 'not an object'],
    ['the separator', { params: { separator: 'x' } }, 'separator'],
    ['the type attribute', { params: { typeField: '' } }, 'as a name'],
    ['timestamps', { params: { timestamps: 'yes' as never } }, 'neither true nor false'],
    ['dates', { params: { isoDates: 0 as never } }, 'isoDates is neither true nor false'],
    [
      'a shard',
      {
        models: {
          User,
          Post: {
            ...Post,
            shard: { count: 0 },
            key: { pk: 'P#${shard}', sk: '${username}#${postId}' },
          },
        },
        patterns: {},
      },
      'its count',
    ],
    [
      'a copy',
      {
        models: {
          User,
          Post: { ...Post, copies: { Latest: { key: { pk: 'L', sk: '${post}' } } } },
        },
      },
      'which is not an attribute',
    ],
    [
      'an attribute that is copied',
      { models: { User, Post: { ...Post, attributes: { ...Post.attributes, postId: 'x' } } } },
      'not an object',
    ],
    [
      'a step of a transaction',
      {
        patterns: {
          ...patterns,
          publish: { op: 'transact', steps: { post: { op: 'creat', entity: 'Post' } } },
        },
      },
      'no op',
    ],
  ])('%s', (_, changes, what) => {
    expect(reported(blog({ ...changes }))).toEqual([expect.stringContaining(what)])
  })
})

/** What can be anywhere in a schema that no type checker has seen. */
const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  7,
  -1,
  '',
  'x',
  '${',
  '${x}',
  true,
  [],
  {},
  [null],
  { a: null },
  () => 7,
  7n,
  Number.NaN,
  new Date(Number.NaN),
  /x/,
]

/** Every path in a value, as far as it goes. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name])),
  ]
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy: Record<string, unknown> = Array.isArray(value)
    ? Object.assign([], value)
    : { ...Object(value) }
  copy[name] = replaced(copy[name], rest, by)
  return copy
}

test('nothing that JavaScript can hold makes the reading itself fail', () => {
  const whole = blog({
    models: {
      User: {
        ...User,
        when: { gsi1: { username: 'x' } },
        unique: { both: ['username', 'joinedAt'] },
      },
      Post: {
        ...Post,
        shard: { count: 2, by: ['postId'] },
        copies: {
          Latest: {
            key: { pk: 'L#${shard}', sk: '${postId}#${username}' },
            attributes: ['author'],
            when: { author: 'x' },
          },
        },
      },
    },
    patterns: {
      ...patterns,
      latest: { op: 'query', entity: 'Latest', by: [], filter: { author: { in: ['x'] } } },
      rename: { op: 'update', entity: 'User', by: ['username'], set: ['joinedAt'] },
      found: {
        op: 'query',
        entity: 'Post',
        by: ['username'],
        range: 'postId',
        limit: 3,
        // biome-ignore lint/suspicious/noThenProperty: it is a member of patterns
        then: { op: 'batchGet', entity: 'User' },
      },
      both: { op: 'query', entity: ['User', 'Post'], by: ['username'] },
    },
    params: { separator: '#', typeField: '_type', timestamps: true },
    table: { stream: 'new' },
  })
  expect(readSchema(whole).issues).toEqual([])
  const failures: string[] = []
  for (const [at, path] of pathsOf(whole).entries()) {
    // Some of it at each place, and all of it somewhere.
    for (const garbage of GARBAGE.filter((_, each) => each % 6 === at % 6)) {
      const definition = replaced(whole, path, garbage) as SchemaDefinition
      try {
        const { schema, issues } = readSchema(definition)
        if (schema !== undefined || issues.length > 0) continue
        failures.push(`${path.join('.')} = ${String(garbage)}: neither a schema nor an issue`)
      } catch (error) {
        failures.push(
          `${path.join('.')} = ${String(garbage)}: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`,
        )
      }
    }
  }
  expect(failures).toEqual([])
})
