import { compileSchema, type SchemaDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { diffSchemas } from '../../packages/kit/src/migrate/diff-schemas.ts'
import { printMigration } from '../../packages/kit/src/migrate/print-migration.ts'
import {
  ATTRIBUTE_OPTIONS,
  ELEMENT_OPTIONS,
  INDEX_OPTIONS,
  MEMBER_OPTIONS,
  MODEL_OPTIONS,
  PARAMS_OPTIONS,
  SCHEMA_OPTIONS,
  SHARD_OPTIONS,
} from '../../packages/singletable/src/schema/check-options.ts'
import { schemaOf } from './migration-fixture.ts'

const NOTHING = { renames: new Map<string, string>(), removals: new Set<string>() }

/** The calls of the generated steps, without what is code in them. */
function stepsOf(before: SchemaDefinition, after: SchemaDefinition): readonly string[] {
  return diffSchemas(compileSchema(before), compileSchema(after), NOTHING).flatMap(({ steps }) =>
    steps.map((step) => step.replace(/\{\n.*\n +\}/g, '…')),
  )
}

const NOTE = {
  Note: {
    key: { pk: 'USER#${id}', sk: 'NOTE#${n}' },
    attributes: {
      id: { type: String, required: true },
      n: { type: String, required: true },
      s: { type: String },
      amount: { type: Number },
    },
  },
}
const CODEC = { encode: (value: object) => value, decode: (value: object) => value }
const upper = (value: string) => value.toUpperCase()

type Row = readonly [option: string, before: object, after: object, ...steps: readonly string[]]

const check = "checkAttribute('User', 'a')"
const add = (value?: string) => `addAttribute('User', 'a'${value ? `, ${value}` : ''})`
const retype = (rest: string) => `retypeAttribute('User', 'a', ${rest})`
const count = "countItems('User', 'a')"

/** Each option of an attribute, changed. */
const ATTRIBUTE_ROWS: readonly Row[] = [
  [
    'type',
    { type: String },
    { type: Number },
    retype('(value) => Number(value), { back: (value) => String(value), isLossless: true }'),
  ],
  ['type', { type: Number }, { type: BigInt }, check],
  ['type', { type: Number }, { type: 'decimal' }],
  ['type', { type: 'decimal' }, { type: Number }, check],
  ['type', { type: Date }, { type: String }],
  ['type', { type: String }, { type: Date }, check],
  ['type', { type: String }, { type: 'any' }],
  ['type', { type: 'any' }, { type: String }, check],
  ['type', { type: String }, { type: Boolean }, retype('() => …')],
  ['required', { type: String }, { type: String, required: true }, add('() => …')],
  ['required', { type: String, required: true }, { type: String }],
  ['enum', { type: String, enum: ['a', 'b'] }, { type: String, enum: ['a'] }, check],
  ['enum', { type: String, enum: ['a'] }, { type: String, enum: ['a', 'b'] }],
  ['enum', { type: String }, { type: String, enum: ['a'] }, check],
  ['const', { type: String, default: 'b' }, { type: String, const: 'a' }, check],
  ['const', { type: String }, { type: String, const: 'a' }, check, add("'a'")],
  ['nulls', { type: String, nulls: true }, { type: String }, check],
  ['nulls', { type: String }, { type: String, nulls: true }],
  ['normalize', { type: String }, { type: String, normalize: 'NFC' }, retype('(value) => value')],
  ['validate', { type: String }, { type: String, validate: /^a/ }, check],
  ['validate', { type: String, validate: /^a/ }, { type: String, validate: /^b/ }, check],
  ['validate', { type: String, validate: /^a/ }, { type: String }],
  ['maxBytes', { type: String, maxBytes: 9 }, { type: String, maxBytes: 8 }, check],
  ['maxBytes', { type: String, maxBytes: 8 }, { type: String }],
  ['examples', { type: String }, { type: String, examples: ['a'] }],
  ['items', { type: Array }, { type: Array, items: { type: String } }, check],
  [
    'items',
    { type: Array, items: { type: String } },
    { type: Array, items: { type: Number } },
    retype('() => …, { isConverted: () => … }'),
  ],
  ['items', { type: Set }, { type: Set, items: { type: Number } }, retype('() => …')],
  [
    'schema',
    { type: Object, schema: { x: { type: String } } },
    { type: Object, schema: { x: { type: String, required: true } } },
    check,
  ],
  [
    'schema',
    { type: Object, schema: { x: { type: String } } },
    { type: Object, schema: { x: { type: String, maxBytes: 2 } } },
    check,
  ],
  [
    'schema',
    { type: Object, schema: { x: { type: String } } },
    { type: Object, schema: { x: { type: String, map: 'y' } } },
    retype('() => …, { isConverted: () => … }'),
  ],
  [
    'schema',
    { type: Object, schema: {} },
    { type: Object, schema: { x: { type: String } } },
    check,
  ],
  [
    'schema',
    { type: Object, schema: { y: { type: String } } },
    { type: Object, schema: { y: { type: String }, x: { type: String } } },
  ],
  [
    'keys',
    { type: 'record', values: { type: String } },
    { type: 'record', values: { type: String }, keys: ['a'] },
    check,
  ],
  [
    'values',
    { type: 'record', values: { type: String } },
    { type: 'record', values: { type: String, enum: ['a'] } },
    check,
  ],
  [
    'elements',
    { type: 'tuple', elements: [{ type: String }] },
    { type: 'tuple', elements: [{ type: String }, { type: String }] },
    check,
  ],
  [
    'discriminator',
    { type: 'union', discriminator: 'k', variants: { a: {} } },
    { type: 'union', discriminator: 'l', variants: { a: {} } },
    retype('() => …, { isConverted: () => … }'),
  ],
  [
    'variants',
    { type: 'union', discriminator: 'k', variants: { a: {}, b: {} } },
    { type: 'union', discriminator: 'k', variants: { a: {} } },
    check,
  ],
  ['default', { type: String }, { type: String, default: 'x' }, add("'x'")],
  ['default', { type: String }, { type: String, default: () => 'x' }, add()],
  ['generate', { type: String }, { type: String, generate: 'ulid' }, add()],
  ['readonly', { type: String }, { type: String, readonly: true }],
  ['hidden', { type: String }, { type: String, hidden: true }],
  ['map', { type: String }, { type: String, map: 'b' }, "renameAttribute('User', 'a', 'a')"],
  ['version', { type: Number }, { type: Number, version: true }, add('1')],
  ['pad', { type: Number, pad: 4 }, { type: Number, pad: 8 }],
  ['encode', { type: String }, { type: String, encode: true }],
  ['unique', { type: String }, { type: String, unique: true }, "derivedItems('User')"],
  ['copyOf', { type: String }, { type: String, copyOf: 'User.id' }],
  ['counts', { type: Number }, { type: Number, counts: 'Note' }, count],
  [
    'counts',
    { type: Number, counts: { model: 'Note', when: { s: 'a' } } },
    { type: Number, counts: { model: 'Note', when: { s: 'b' } } },
    count,
  ],
  ['counts', { type: Number, counts: 'Note' }, { type: Number }],
  ['sums', { type: Number }, { type: Number, sums: 'Note.amount' }, count],
  ['sums', { type: Number, counts: 'Note' }, { type: Number, sums: 'Note.amount' }, count],
  ['start', { type: Date }, { type: Date, start: '2026-01-01' }],
  [
    'codec',
    { type: String },
    { type: String, codec: CODEC },
    retype('(value) => value, { back: (value) => value }'),
  ],
  [
    'codec',
    { type: String, codec: { ...CODEC, bound: true } },
    { type: String, codec: CODEC },
    retype('() => …, { isConverted: () => … }'),
  ],
  [
    'from',
    { type: String },
    { type: String, from: ['id'], compute: () => 'x' },
    "deriveAttribute('User', 'a')",
  ],
  ['compute', { type: String, from: ['id'], compute: () => 'x' }, { type: String }],
  [
    'stored',
    { type: String, from: ['id'], compute: () => 'x', stored: false },
    { type: String, from: ['id'], compute: () => 'x' },
    "deriveAttribute('User', 'a')",
  ],
  [
    'stored',
    { type: String, from: ['id'], compute: () => 'x' },
    { type: String, from: ['id'], compute: () => 'x', stored: false },
    "removeAttribute('User', 'a')",
  ],
  [
    'set',
    { type: String },
    { type: String, set: upper },
    retype('() => …, { isConverted: () => … }'),
  ],
  ['get', { type: String, set: upper }, { type: String, set: upper, get: upper }],
  ['onUpdate', { type: String }, { type: String, onUpdate: () => 'x' }],
  ['ttl', { type: Date }, { type: Date, ttl: true }, retype('(value) => value')],
  ['ttl', { type: Number }, { type: Number, ttl: true }],
  ['ttl', { type: Number, ttl: true }, { type: Date, ttl: true }],
]

const USER = schemaOf({ a: { type: String } })
const model = (more: object) => schemaOf({ a: { type: String } }, more)
const params = (given: object, attributes: object = { a: { type: Date } }) =>
  ({ ...schemaOf(attributes), params: given }) as SchemaDefinition
const index = (given: object) =>
  ({
    ...USER,
    indexes: { ...USER.indexes, byA: { hash: 'a', ...given } },
  }) as SchemaDefinition
const short = (shortKeys: readonly string[] | undefined) =>
  ({
    ...model({ index: { xpk: 'USERS', xsk: 'A#${a}' }, shortKeys }),
    indexes: { ...USER.indexes, byA: { hash: 'xpk', sort: 'xsk' } },
  }) as SchemaDefinition
const again = ["dropIndex('byA')", "createIndex('byA')"]
const shard = (given: object, name = 'shard') =>
  schemaOf(
    { a: { type: String, required: true } },
    { key: { pk: `USER#\${id}#\${${name}}`, sk: '${a}' }, shard: given },
  )
const shared = (sharesKeyWith: readonly string[] | undefined) =>
  schemaOf(
    {},
    { sharesKeyWith },
    {
      Other: {
        key: { pk: 'USER#${id}', sk: 'USER' },
        attributes: { id: { type: String, required: true } },
        ...(sharesKeyWith
          ? { sharesKeyWith: ['User'] }
          : { key: { pk: 'OTHER#${id}', sk: 'USER' } }),
      },
    },
  )

type SchemaRow = readonly [string, SchemaDefinition, SchemaDefinition, ...string[]]

/** Each option of the other parts of a schema, changed. */
const PARTS: Readonly<Record<string, readonly [options: string, rows: readonly SchemaRow[]]>> = {
  'a model': [
    MODEL_OPTIONS,
    [
      ['key', USER, model({ key: { pk: 'U#${id}', sk: 'USER' } }), "rekey('User')"],
      [
        'index',
        { ...USER, indexes: { ...USER.indexes, byA: { hash: 'xpk' } } },
        {
          ...model({ index: { xpk: '${a}' } }),
          indexes: { ...USER.indexes, byA: { hash: 'xpk' } },
        },
        "indexKeys('User')",
      ],
      ['attributes', USER, schemaOf({}), "removeAttribute('User', 'a')"],
      ['type', USER, model({ type: 'U' }), "renameModel('User', 'User')"],
      [
        'sharesKeyWith',
        shared(undefined),
        shared(['Other']),
        "renameModel('User', 'User')",
        "renameModel('Other', 'Other')",
        "rekey('Other')",
      ],
      [
        'when',
        {
          ...model({ index: { xpk: '${a}' } }),
          indexes: { ...USER.indexes, byA: { hash: 'xpk' } },
        },
        {
          ...model({ index: { xpk: '${a}' }, when: { byA: { a: 'open' } } }),
          indexes: { ...USER.indexes, byA: { hash: 'xpk' } },
        },
        "indexKeys('User')",
      ],
      ['shortKeys', short(undefined), short(['byA']), "indexKeys('User')"],
      [
        'copies',
        USER,
        model({ copies: { Copy: { key: { pk: 'A#${a}', sk: 'USER#${id}' } } } }),
        "derivedItems('User')",
      ],
      ['unique', USER, model({ unique: { pair: ['id', 'a'] } }), "derivedItems('User')"],
      [
        'shard',
        schemaOf({ a: { type: String, required: true } }),
        shard({ count: 2 }),
        "rekey('User')",
      ],
      ['stats', USER, model({ stats: { count: 5 } })],
    ],
  ],
  'a shard': [
    SHARD_OPTIONS,
    [
      ['count', shard({ count: 2 }), shard({ count: 4 }), "rekey('User')"],
      ['by', shard({ count: 2 }), shard({ count: 2, by: ['a'] }), "rekey('User')"],
      ['name', shard({ count: 2 }), shard({ count: 2, name: 's' }, 's')],
    ],
  ],
  'an index': [
    INDEX_OPTIONS,
    [
      ['hash', index({}), index({ hash: 'id' }), ...again],
      ['sort', index({}), index({ sort: 'id' }), ...again],
      // A local index can only be another one in another table.
      ['type', index({}), index({ type: 'global' })],
      ['project', index({}), index({ project: 'keys' }), ...again],
    ],
  ],
  'the parameters': [
    PARAMS_OPTIONS,
    [
      [
        'timestamps',
        params({}),
        params({ timestamps: true }),
        "addAttribute('User', 'createdAt', () => …)",
        "addAttribute('User', 'updatedAt', () => …)",
      ],
      [
        'isoDates',
        params({ isoDates: false }),
        params({ isoDates: true }),
        retype('(value) => value, { back: (value) => value, isLossless: true }'),
      ],
      ['itemVersionField', params({}), params({ itemVersionField: '_m' })],
      ['separator', params({}), params({ separator: '|' })],
      ['cleanInternalKeys', params({}), params({ cleanInternalKeys: false })],
    ],
  ],
  'a schema': [
    SCHEMA_OPTIONS,
    [
      ['format', USER, { ...USER, format: 'singletable:1' }],
      ['version', USER, { ...USER, version: '2' }],
      ['indexes', USER, index({}), "indexKeys('User')", "createIndex('byA')"],
      ['models', USER, schemaOf({ a: { type: String } }, {}, NOTE)],
      ['params', params({}), params({ cleanInternalKeys: false })],
      ['table', USER, { ...USER, table: { stream: 'keys' } }],
      [
        'patterns',
        USER,
        {
          ...USER,
          patterns: { one: { entity: 'User', op: 'get', by: ['id'] } },
        } as SchemaDefinition,
      ],
      ['lint', USER, { ...USER, lint: { H01: { off: 'x' } } }],
    ],
  ],
}

const ATTRIBUTE_CHANGES = ATTRIBUTE_ROWS.map(([option, before, after, ...steps]) => ({
  option,
  before,
  after,
  steps,
}))

test.each(ATTRIBUTE_CHANGES)(
  'a change of $option of an attribute: $before to $after',
  ({ before, after, steps }) => {
    const of = (a: object) => schemaOf({ a }, {}, NOTE)
    expect(stepsOf(of(before), of(after))).toEqual(steps)
  },
)

test('every option of an attribute has its change here, those of key attributes apart', () => {
  const known = new Set([...ATTRIBUTE_ROWS.map(([option]) => option), 'value'])
  const options = [ATTRIBUTE_OPTIONS, MEMBER_OPTIONS, ELEMENT_OPTIONS].join(' ').split(' ')
  expect(options.filter((option) => !known.has(option))).toEqual([])
})

describe.each(Object.entries(PARTS))('a change of %s', (_, [options, rows]) => {
  const changes = rows.map(([option, before, after, ...steps]) => ({
    option,
    before,
    after,
    steps,
  }))
  test.each(changes)('of its $option', ({ before, after, steps }) => {
    expect(stepsOf(before, after)).toEqual(steps)
  })
  test('each of its options has its change here, but for what needs another table', () => {
    const known = [...rows.map(([option]) => option), 'typeField']
    expect(options.split(' ').filter((option) => !known.includes(option))).toEqual([])
  })
})

test('digits and escapes of an attribute in a key move its items', () => {
  const inKey = (attribute: object) =>
    schemaOf({ a: { required: true, ...attribute } }, { key: { pk: 'USER#${id}', sk: '${a}' } })
  const padded = (pad: number) => inKey({ type: Number, pad })
  expect(stepsOf(padded(4), padded(8))).toEqual(["rekey('User')"])
  expect(stepsOf(inKey({ type: String }), inKey({ type: String, encode: true }))).toEqual([
    "rekey('User')",
  ])
})

test('another separator moves the items, and the guards of unique values', () => {
  const of = (separator: string): SchemaDefinition =>
    ({
      ...schemaOf(
        { a: { type: String, unique: true } },
        { key: { pk: `USER${separator}\${id}`, sk: 'USER' } },
      ),
      params: { separator },
    }) as SchemaDefinition
  expect(stepsOf(of('#'), of('|'))).toEqual(["rekey('User')", "derivedItems('User')"])
})

test('the type attribute can only be another one in another table', () => {
  expect(() => stepsOf(params({}), params({ typeField: 't' }))).toThrow('no table can change these')
})

test.each([
  [{ removals: new Set(['User.b']) }, 'There is no attribute "User.b"'],
  [{ removals: new Set(['Usr']) }, 'There is no model "Usr" (did you mean "User"?)'],
  [
    { renames: new Map([['User.aa', 'b']]) },
    'There is no attribute "User.aa" (did you mean "User.a"?)',
  ],
  [
    { renames: new Map([['User.a', 'c']]) },
    'There is no attribute "User.c" (did you mean "User.b"?)',
  ],
  [{ renames: new Map([['User', 'Person']]) }, 'There is no model "Person"'],
])('names that neither schema has are refused: %o', (options, message) => {
  const [before, after] = [USER, schemaOf({ b: { type: String } })].map((each) =>
    compileSchema(each),
  )
  expect(() => diffSchemas(before!, after!, { ...NOTHING, ...options })).toThrow(message)
})

test('a removal says that only the undo log has what it takes away', () => {
  const changes = diffSchemas(compileSchema(USER), compileSchema(schemaOf({})), NOTHING)
  expect(printMigration(changes)).toContain(
    '// User.a is gone: its values are removed. Only the undo log can give them back.',
  )
})
