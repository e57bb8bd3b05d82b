import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type {
  AttributeDefinition,
  ModelDefinition,
  SchemaDefinition,
} from '../schema/schema-definition.ts'
import type { Environment } from '../values/environment.ts'
import { compileSchema } from './compile-schema.ts'

const environment: Environment = {
  now: () => 1_767_225_600_000,
  randomBytes: (count) => new Uint8Array(count),
  schedule: () => () => undefined,
}

const indexes = {
  primary: { hash: 'pk', sort: 'sk' },
  gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
} as const

const reference: SchemaDefinition = {
  format: 'dynatable:1.0.0',
  version: '1.0.0',
  indexes,
  models: {
    User: {
      key: {
        pk: { type: String, value: 'USER#${username}' },
        sk: { type: String, value: 'USER#${username}' },
      },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String, required: true },
        bio: { type: String },
      },
    },
    Post: {
      key: {
        pk: { type: String, value: 'USER#${username}' },
        sk: { type: String, value: 'POST#${postId}' },
      },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
        content: { type: String },
        published: { type: Boolean, default: false },
        gsi1pk: { type: String, value: 'POST' },
        gsi1sk: { type: String, value: 'STATUS#${published}#${postId}' },
      },
    },
    Comment: {
      key: {
        pk: { type: String, value: 'POST#${postId}' },
        sk: { type: String, value: 'COMMENT#${commentId}' },
      },
      attributes: {
        postId: { type: String, required: true },
        commentId: { type: String, generate: 'ulid' },
        username: { type: String, required: true },
        content: { type: String, required: true },
        gsi1pk: { type: String, value: 'USER#${username}' },
        gsi1sk: { type: String, value: 'COMMENT#${commentId}' },
      },
    },
    PostTag: {
      key: {
        pk: { type: String, value: 'POST#${postId}' },
        sk: { type: String, value: 'TAG#${tag}' },
      },
      attributes: {
        postId: { type: String, required: true },
        tag: { type: String, required: true },
        gsi1pk: { type: String, value: 'TAG#${tag}' },
        gsi1sk: { type: String, value: 'POST#${postId}' },
      },
    },
  },
  params: { timestamps: true, isoDates: true },
}

/** The same with the templates of indexes next to those of the key, in long or in short. */
function respelled(upperCase: boolean, short: boolean): SchemaDefinition {
  const rename = (name: string): string => (upperCase ? name.toUpperCase() : name)
  const spell = (value: string): ModelDefinition['key'][string] =>
    short ? value : { type: String, value }
  const models: Record<string, ModelDefinition> = {}
  for (const [name, model] of Object.entries(reference.models)) {
    const all = Object.entries(model.attributes)
    const rendered = all.filter(([, attribute]) => attribute.value !== undefined)
    models[name] = {
      key: Object.fromEntries(
        Object.entries(model.key).map(([key, template]) => [
          rename(key),
          spell(typeof template === 'string' ? template : template.value),
        ]),
      ),
      index: Object.fromEntries(
        rendered.map(([key, { value }]) => [rename(key), spell(value ?? '')]),
      ),
      attributes: Object.fromEntries(all.filter(([, { value }]) => value === undefined)),
    }
  }
  return {
    ...reference,
    indexes: {
      primary: { hash: rename('pk'), sort: rename('sk') },
      gsi1: { hash: rename('gsi1pk'), sort: rename('gsi1sk') },
    },
    models,
  }
}

describe('the blog of the reference text', () => {
  test.each([
    ['as it is written there', reference, false],
    ['with templates under index and capital names', respelled(true, false), true],
    ['in the short form', respelled(false, true), false],
  ])('compiles %s', (_, definition, upperCase) => {
    const name = (text: string): string => (upperCase ? text.toUpperCase() : text)
    const { models } = compileSchema(definition)
    expect([...models.keys()]).toEqual(['User', 'Post', 'Comment', 'PostTag'])
    const input = { username: 'alice', postId: '7', title: 'Hello' }
    const { item, output } = models.get('Post')!.encodeNew(input, environment, 'put()')
    expect(item).toEqual({
      [name('pk')]: { S: 'USER#alice' },
      [name('sk')]: { S: 'POST#7' },
      _type: { S: 'Post' },
      username: { S: 'alice' },
      postId: { S: '7' },
      title: { S: 'Hello' },
      published: { BOOL: false },
      createdAt: { S: '2026-01-01T00:00:00.000Z' },
      updatedAt: { S: '2026-01-01T00:00:00.000Z' },
      [name('gsi1pk')]: { S: 'POST' },
      [name('gsi1sk')]: { S: 'STATUS#false#7' },
    })
    expect(output).toEqual({
      ...input,
      published: false,
      createdAt: new Date(1_767_225_600_000),
      updatedAt: new Date(1_767_225_600_000),
    })
    expect(models.get('User')!.indexes).toHaveLength(1)
    expect(models.get('PostTag')!.indexes).toHaveLength(2)
  })

  test('is compiled once, unchanged, also when it is frozen to the last', () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.freeze(value)
      for (const member of Object.values(value)) freeze(member)
    }
    const frozen = { ...reference }
    freeze(frozen)
    expect(compileSchema(frozen)).toBe(compileSchema(frozen))
    expect(compileSchema(frozen).definition).toBe(frozen)
  })
})

/** A schema of one model with these attributes in addition to its id. */
function schemaOf(
  attributes: Record<string, AttributeDefinition>,
  rest: Partial<SchemaDefinition> = {},
  model: Partial<ModelDefinition> = {},
): SchemaDefinition {
  return {
    indexes,
    models: {
      Thing: {
        key: { pk: 'THING#${id}', sk: 'THING' },
        attributes: { id: { type: String }, ...attributes },
        ...model,
      },
    },
    ...rest,
  }
}

function short(index: Record<string, string>): Partial<ModelDefinition> {
  return { index, shortKeys: ['gsi1'] }
}

function refusal(definition: SchemaDefinition): DefinitionError {
  try {
    compileSchema(definition)
  } catch (error) {
    if (error instanceof DefinitionError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('how a model fills the keys of an index', () => {
  const indexNames = (definition: SchemaDefinition, model = 'Thing'): string[] =>
    compileSchema(definition)
      .models.get(model)!
      .indexes.map(({ index }) => index.name)

  test('by attributes as they are, under their stored names', () => {
    const definition = schemaOf({
      owner: { type: String, map: 'gsi1pk' },
      at: { type: Number, map: 'gsi1sk' },
    })
    const schema = compileSchema(definition)
    const [, gsi1] = schema.models.get('Thing')!.indexes
    expect(gsi1?.hash[0]?.attribute?.name).toBe('owner')
    expect(gsi1?.names).toEqual(['owner', 'at'])
    expect(schema.keyTypes.get('gsi1sk')).toBe('N')
    expect(schema.models.get('Thing')!.derived).toEqual([])
  })

  test('not at all if a part is left empty', () => {
    expect(indexNames(schemaOf({ owner: { type: String, map: 'gsi1pk' } }))).toEqual(['primary'])
  })

  test('an inverted index by the primary templates', () => {
    const definition = schemaOf(
      {},
      {
        indexes: { primary: { hash: 'pk', sort: 'sk' }, inverted: { hash: 'sk', sort: 'pk' } },
      },
    )
    const schema = compileSchema(definition)
    const [, inverted] = schema.models.get('Thing')!.indexes
    expect(inverted?.hash[0]?.template?.source).toBe('THING')
    expect(inverted?.sort[0]?.template?.source).toBe('THING#${id}')
  })

  test('a local index by the primary hash and a sort of its own', () => {
    const definition = schemaOf(
      { at: { type: Date } },
      {
        indexes: {
          primary: { hash: 'pk', sort: 'sk' },
          lsi: { hash: 'pk', sort: 'at', type: 'local' },
        },
      },
    )
    expect(indexNames(definition)).toEqual(['primary', 'lsi'])
  })

  test('a key of several attributes', () => {
    const definition = schemaOf(
      { country: { type: String }, city: { type: String }, size: { type: Number } },
      {
        indexes: {
          primary: { hash: 'pk', sort: 'sk' },
          place: { hash: ['country', 'city'], sort: ['size'] },
        },
      },
    )
    const [, place] = compileSchema(definition).models.get('Thing')!.indexes
    expect(place?.names).toEqual(['country', 'city', 'size'])
  })

  test('the types of key attributes that no model fills are text', () => {
    expect(compileSchema(schemaOf({})).keyTypes.get('gsi1pk')).toBe('S')
  })
})

describe('params', () => {
  test('have their defaults', () => {
    expect(compileSchema(schemaOf({})).params).toEqual({
      timestamps: false,
      isoDates: true,
      typeField: '_type',
      itemVersionField: '_v',
      separator: '#',
      cleanInternalKeys: true,
    })
  })

  test('timestamps add attributes unless they are declared', () => {
    const on = { params: { timestamps: true } }
    const model = compileSchema(schemaOf({ createdAt: { type: String } }, on)).models.get('Thing')!
    expect(model.createdAt?.definition.type).toBe(String)
    expect(model.updatedAt?.definition.type).toBe(Date)
    expect(model.attributes.get('updatedAt')).toBe(model.updatedAt)
    expect(
      compileSchema(schemaOf({ createdAt: { type: String } })).models.get('Thing')!.createdAt,
    ).toBeUndefined()
  })

  test('createdAt can be in a template', () => {
    const definition = schemaOf(
      {},
      { params: { timestamps: true } },
      {
        key: { pk: 'THING#${id}', sk: 'AT#${createdAt}' },
      },
    )
    const model = compileSchema(definition).models.get('Thing')!
    expect(model.encodeNew({ id: '1' }, environment, 'put()').item.sk).toEqual({
      S: 'AT#2026-01-01T00:00:00.000Z',
    })
  })
})

describe('a schema that cannot be used is refused', () => {
  const index = (gsi: object): SchemaDefinition =>
    schemaOf({}, { indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi } as never })

  test.each<[string, SchemaDefinition, string]>([
    ['not an object', null as never, 'not an object'],
    ['an unknown option', { ...schemaOf({}), modles: {} } as never, 'did you mean "models"'],
    ['no models', { indexes } as never, 'not an object'],
    ['a model that is none', { indexes, models: { A: undefined as never } }, 'not an object'],
    ['no indexes', { models: {} } as never, 'not an object'],
    ['no primary index', { indexes: { gsi1: indexes.gsi1 } as never, models: {} }, 'no primary'],
    ['an unknown option of an index', index({ hash: 'a', range: 'b' }), '"range" is not an option'],
    ['an unknown type of index', index({ hash: 'a', type: 'lsi' }), '"lsi"'],
    ['an index without hash', index({ sort: 'a' }), 'hash has 0'],
    ['too many attributes in a hash', index({ hash: ['a', 'b', 'c', 'd', 'e'] }), 'hash has 5'],
    [
      'several attributes in the primary hash',
      schemaOf({}, { indexes: { primary: { hash: ['a', 'b'] as never } } }),
      'hash has 2',
    ],
    [
      'several attributes in a local index',
      index({ hash: 'pk', sort: ['a', 'b'], type: 'local' }),
      'sort 2',
    ],
    [
      'a local index with another hash',
      index({ hash: 'x', sort: 'y', type: 'local' }),
      'local index',
    ],
    ['a local index without sort', index({ hash: 'pk', type: 'local' }), 'local index'],
    ['the type as key attribute', index({ hash: '_type' }), "can't be a key attribute"],
    ['a key attribute __proto__', index({ hash: '__proto__' }), "can't be used as a name"],
    ['an empty projection', index({ hash: 'a', project: [] }), 'projection is empty'],
    ['a projection of what no model has', index({ hash: 'a', project: ['nope'] }), '"nope"'],
    [
      'an unknown param',
      schemaOf({}, { params: { timestamp: true } as never }),
      'did you mean "timestamps"',
    ],
    [
      'an unknown table option',
      schemaOf({}, { table: { biling: 1 } as never }),
      'did you mean "billing"',
    ],
    [
      'a model named __proto__',
      { indexes, models: JSON.parse('{"__proto__":{}}') },
      "can't be used as a name",
    ],
    [
      'a model named constructor',
      { indexes, models: { constructor: {} as never } },
      "can't be used as a name",
    ],
    ['an unknown option of a model', schemaOf({}, {}, { keys: {} } as never), 'did you mean "key"'],
    ['a model without key', schemaOf({}, {}, { key: undefined as never }), 'key names nothing'],
    ['a key without sort', schemaOf({}, {}, { key: { pk: 'A' } }), 'give templates for pk and sk'],
    [
      'a key with more',
      schemaOf({}, {}, { key: { pk: 'A', sk: 'B', gsi1pk: 'C' } }),
      'give templates',
    ],
    [
      'a template of an attribute in no index',
      schemaOf({}, {}, { index: { gsi9pk: 'A' } }),
      'no index has',
    ],
    [
      'two templates of one key attribute',
      schemaOf(
        { gsi1pk: { type: String, value: 'A' } },
        {},
        { index: { gsi1pk: 'B', gsi1sk: 'C' } },
      ),
      'two templates',
    ],
    [
      'a template that is not a string',
      schemaOf({ gsi1pk: { type: Number, value: 'A' }, gsi1sk: { type: String, value: 'B' } }),
      'not String',
    ],
    [
      'a template for half of an index',
      schemaOf({ gsi1pk: { type: String, value: 'A' } }),
      'needs gsi1sk as well',
    ],
    [
      'an unknown placeholder',
      schemaOf({
        gsi1pk: { type: String, value: 'A#${idd}' },
        gsi1sk: { type: String, value: 'B' },
      }),
      'did you mean "id"',
    ],
    [
      'an attribute named prototype',
      schemaOf({ prototype: { type: String } }),
      "can't be used as a name",
    ],
    [
      'an attribute stored as constructor',
      schemaOf({ a: { type: String, map: 'constructor' } }),
      "can't be used as a name",
    ],
    [
      'an unknown option of an attribute',
      schemaOf({ a: { type: String, requierd: true } as never }),
      'did you mean "required"',
    ],
    ['an unknown type', schemaOf({ a: { type: 'string' as never } }), '"string"'],
    [
      'two attributes under one name',
      schemaOf({ a: { type: String }, b: { type: String, map: 'a' } }),
      'taken',
    ],
    ['an attribute under the type', schemaOf({ _type: { type: String } }), 'taken'],
    ['an attribute under a rendered key', schemaOf({ pk: { type: String } }), 'taken'],
    [
      'an attribute with the name of a rendered key',
      schemaOf({ pk: { type: String, map: 'x' } }),
      'taken',
    ],
    ['a version that is not a number', schemaOf({ a: { type: String, version: true } }), 'version'],
    [
      'two versions',
      schemaOf({ a: { type: Number, version: true }, b: { type: Number, version: true } }),
      'two attributes with version',
    ],
    [
      'a time to live that is not a time',
      schemaOf({ a: { type: String, ttl: true } }),
      'time to live',
    ],
    [
      'two times to live',
      schemaOf({ a: { type: Number, ttl: true }, b: { type: Date, ttl: true } }),
      'two attributes with ttl',
    ],
    ['a generated number', schemaOf({ a: { type: Number, generate: 'ulid' } }), 'generated'],
    [
      'an unknown generator',
      schemaOf({ a: { type: String, generate: 'uid' as never } }),
      'no generator "uid"',
    ],
    [
      'a generated default',
      schemaOf({ a: { type: String, generate: 'ulid', default: 'x' } }),
      'generated',
    ],
    [
      'a default of another type',
      schemaOf({ a: { type: Number, default: '1' } }),
      'default "1" is a string',
    ],
    [
      'a default outside the enum',
      schemaOf({ a: { type: String, enum: ['x'], default: 'y' } }),
      'default "y" is not one of',
    ],
    ['an empty enum', schemaOf({ a: { type: String, enum: [] } }), 'enum'],
    [
      'a timestamp that is not a time',
      schemaOf({ createdAt: { type: Boolean } }, { params: { timestamps: true } }),
      'timestamp',
    ],
    [
      'updatedAt in the primary key',
      schemaOf(
        {},
        { params: { timestamps: true } },
        { key: { pk: 'A#${id}', sk: 'B#${updatedAt}' } },
      ),
      '"updatedAt"',
    ],
    [
      'null in the primary key',
      schemaOf({ n: { type: String, nulls: true } }, {}, { key: { pk: 'A#${id}', sk: 'B#${n}' } }),
      '"n"',
    ],
    [
      'the version in the primary key',
      schemaOf(
        { n: { type: Number, version: true, pad: 4 } },
        {},
        { key: { pk: 'A#${id}', sk: 'B#${n}' } },
      ),
      '"n"',
    ],
    [
      'a set in a key',
      schemaOf({ n: { type: Set } }, {}, { key: { pk: 'A#${id}', sk: 'B#${n}' } }),
      "can't be in a key",
    ],
    ['a boolean as a key', schemaOf({ gsi1pk: { type: Boolean } }), "can't be of its type"],
    ['null as a key', schemaOf({ gsi1pk: { type: String, nulls: true } }), "can't be of its type"],
    ['when for an unknown index', schemaOf({}, {}, { when: { gsi7: { id: 'x' } } }), '"gsi7"'],
    [
      'when with an unknown attribute',
      schemaOf({}, {}, { when: { gsi1: { nope: 'x' } } }),
      '"nope"',
    ],
    [
      'when with a value it cannot have',
      schemaOf({}, {}, { when: { gsi1: { id: 5 } } }),
      'the value of "id" 5 is a number',
    ],
    [
      'when for an index the model is not in',
      schemaOf({}, {}, { when: { gsi1: { id: 'x' } } }),
      'not in index "gsi1"',
    ],
    [
      'short keys of the primary index',
      schemaOf({}, {}, { shortKeys: ['primary'] }),
      '"primary" is not an option here',
    ],
    [
      'short keys of an index the model is not in',
      schemaOf({}, {}, { shortKeys: ['gsi1'] }),
      'not in index "gsi1"',
    ],
    [
      'short keys without text to begin with',
      schemaOf({ n: { type: String } }, {}, short({ gsi1pk: '${n}#A', gsi1sk: 'A' })),
      "can't have short keys",
    ],
    [
      'short keys of an index with a condition',
      schemaOf(
        { n: { type: String } },
        {},
        { ...short({ gsi1pk: 'A#${n}', gsi1sk: 'A' }), when: { gsi1: { id: 'x' } } },
      ),
      "can't have short keys",
    ],
    [
      'short keys of buckets of time',
      schemaOf({ n: { type: Date } }, {}, short({ gsi1pk: 'A#${n:day}', gsi1sk: 'A' })),
      "can't have short keys",
    ],
    [
      'short keys of an attribute as it is',
      schemaOf({ gsi1pk: { type: String } }, {}, short({ gsi1sk: 'A' })),
      "can't have short keys",
    ],
  ])('%s', (_, definition, message) => {
    const error = refusal(definition)
    expect(error.code).toBe('SCHEMA_INVALID')
    expect(error.message).toContain(message)
    expect(error.message).toMatch(/where: {2}schema/)
  })

  test('a number in a key without a width', () => {
    const definition = schemaOf(
      { n: { type: Number } },
      {},
      { key: { pk: 'A#${id}', sk: 'B#${n}' } },
    )
    expect(refusal(definition).code).toBe('TEMPLATE_INVALID')
  })

  test.each([
    ['USER#{email}', '${email}'],
    ['USER#{ email }', '${email}'],
    ['USER#{{email}}', '${email}'],
    ['USER#${id}#{email:lower}', '${email:lower}'],
  ])('the name of an attribute in braces without a $: %s', (template, fix) => {
    const email = { email: { type: String } }
    const isRefused = (definition: SchemaDefinition): void => {
      const error = refusal(definition)
      expect(error.code).toBe('TEMPLATE_INVALID')
      expect(error.message).toContain(`fix:    write ${fix}\n`)
    }
    isRefused(schemaOf(email, {}, { key: { pk: template, sk: 'B#${id}' } }))
    isRefused(schemaOf(email, {}, { index: { gsi1pk: template, gsi1sk: 'B#${id}' } }))
    isRefused(schemaOf({ ...email, gsi1pk: { type: String, value: template } }, {}, {}))
    // The copy itself does not have the attribute.
    const copies = { Copy: { key: { pk: template, sk: 'C#${id}' }, attributes: ['id'] } }
    isRefused(schemaOf(email, {}, { copies }))
  })

  test('braces around anything else are text', () => {
    const definition = schemaOf({}, {}, { key: { pk: 'A{x}#${id}', sk: '{}' } })
    expect(() => compileSchema(definition)).not.toThrow()
  })

  test('a key attribute with two types', () => {
    const model = (id: string, type: AttributeDefinition['type']): ModelDefinition => ({
      key: { pk: `${id}#\${id}`, sk: id },
      attributes: { id: { type: String }, gsi1pk: { type: String }, gsi1sk: { type } },
    })
    const error = refusal({ indexes, models: { A: model('A', String), B: model('B', Number) } })
    expect(error.message).toContain('"gsi1sk" is N here and S in another model')
  })

  test('times to live under two names', () => {
    const model = (
      id: string,
      attributes: Record<string, AttributeDefinition>,
    ): ModelDefinition => ({
      key: { pk: `${id}#\${id}`, sk: id },
      attributes: { id: { type: String }, ...attributes },
    })
    const a = model('A', { ends: { type: Date, ttl: true } })
    expect(
      refusal({ indexes, models: { A: a, B: model('B', { until: { type: Date, ttl: true } }) } })
        .message,
    ).toContain("map: 'ends'")
    const same = model('B', { until: { type: Number, ttl: true, map: 'ends' } })
    expect(compileSchema({ indexes, models: { A: a, B: same } }).ttl).toBe('ends')
  })

  test('two models whose keys can meet', () => {
    const model = (sk: string): ModelDefinition => ({
      key: { pk: 'USER#${id}', sk },
      attributes: { id: { type: String }, x: { type: String } },
    })
    const error = refusal({
      indexes,
      models: { A: model('A#${x}'), B: model('B'), C: model('${x}#y') },
    })
    expect(error.code).toBe('KEYS_MEET')
    expect(error.message).toContain('"A" and "C"')
    expect(error.message).toContain('"A#${x}"')
    expect(error.message).toContain('"${x}#y"')
    expect(refusal({ indexes, models: { A: model('A'), B: model('A') } }).code).toBe('KEYS_MEET')
  })
})

test('names that every object inherits are names like others', () => {
  const definition = schemaOf(
    { toString: { type: String }, hasOwnProperty: { type: String } },
    {},
    {
      key: { pk: 'A#${id}', sk: 'B#${valueOf}' },
      attributes: { id: { type: String }, valueOf: { type: String }, toString: { type: String } },
    },
  )
  const model = compileSchema(definition).models.get('Thing')!
  expect(() => model.encodeNew({ id: '1' }, environment, 'put()')).toThrow('"valueOf" is missing')
  const { item, output } = model.encodeNew({ id: '1', valueOf: 'x' }, environment, 'put()')
  expect(Object.keys(item)).toEqual(['pk', 'sk', '_type', 'id', 'valueOf'])
  expect(Object.keys(output)).toEqual(['id', 'valueOf'])
  expect(Object.keys(model.decode(item, false))).toEqual(['id', 'valueOf'])
})

test('the projected attributes of an index are stored names, with type and time to live', () => {
  const schema = compileSchema(
    schemaOf(
      { title: { type: String, map: 't' }, ends: { type: Date, ttl: true } },
      {
        indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi: { hash: 'a', project: ['title'] } },
      },
    ),
  )
  expect(schema.indexes.get('gsi')?.project).toEqual(['_type', 't', 'ends'])
})
