import fc from 'fast-check'
import type { SchemaDefinition } from 'singletable'
import type { IndexDefinition, Item } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { NO_CODE } from '../../../packages/kit/src/check/evidence/code-facts.ts'
import type { Evidence } from '../../../packages/kit/src/check/evidence/evidence.ts'
import { ALL_RULES } from '../../../packages/kit/src/check/rules/all-rules.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { randomSchema } from './random-schema.ts'

/** Whatever a schema says, right or wrong, every rule comes to an end, says whole sentences, and
 * says the same again. */

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 100)
const timeoutMs = 120_000 + 200 * runs
const parameters: fc.Parameters<unknown> = {
  numRuns: runs,
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}

/** Some of them are what every object inherits; user text may be any. */
const ATTRIBUTES = ['id', 'owner', 'at', 'status', 'n', 'on', 'tags', '__proto__', 'constructor']
const MODELS = ['User', 'Post', 'toString', '__proto__']
const INDEXES = ['gsi1', 'gsi2', 'lsi', 'wide', '__proto__']
const KEYS = ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk']

/** Mostly one of the names that are there. */
const nameOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.constant('unknown'))
const attributeName = nameOf(ATTRIBUTES)
const modelName = nameOf([...MODELS, 'M0'])
const indexName = nameOf([...INDEXES, 'primary'])
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 3 })
/** Leaves out what is undefined: an option that is there has a value. */
const optionsOf = (options: { readonly [name: string]: fc.Arbitrary<unknown> }) =>
  fc
    .record(
      Object.fromEntries(Object.entries(options).map(([name, each]) => [name, optional(each)])),
    )
    .map(defined)

const dictionary = (
  keys: fc.Arbitrary<string>,
  values: fc.Arbitrary<unknown>,
  maxKeys: number,
): fc.Arbitrary<object> => fc.dictionary(keys, values, { maxKeys, noNullPrototype: true })

const number = fc.oneof(fc.integer({ min: -1, max: 100 }), fc.constantFrom(0.1, 1e6, 1e12))
const type = fc.constantFrom<unknown>(
  ...[String, Number, Boolean, Date, Array, Object, Set, Uint8Array, BigInt, 'decimal', 'any'],
)
const element = fc.record({ type })

const attribute = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(String) }, type),
    optionsOf({
      required: fc.boolean(),
      enum: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      items: element,
      schema: dictionary(attributeName, element, 2),
      maxBytes: number,
      pad: number,
      encode: fc.boolean(),
      ttl: fc.boolean(),
      version: fc.boolean(),
      unique: fc.boolean(),
      generate: fc.constantFrom('ulid', 'uuid'),
      copyOf: fc.constantFrom('User.name', 'User.owner', 'nothing'),
      counts: fc.oneof(modelName, fc.record({ model: modelName })),
      value: fc.constant('X#${id}'),
    }),
    fc.boolean(),
  )
  // Most attributes have no options, or nothing would be accepted.
  .map(([of, options, isPlain]) => ({ type: of, ...(isPlain ? { required: true } : options) }))

const stats = optionsOf({
  count: number,
  itemBytes: number,
  perPartition: optionsOf({ average: number, max: number }),
  growth: fc.constantFrom('bounded', 'unbounded'),
})

const placeholder = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: attributeName }, fc.constant('shard')),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      fc.constantFrom(':day', ':month', ':pad(8)', ':lower', ':desc', ':wrong'),
    ),
  )
  .map(([name, modifier]) => `\${${name}${modifier}}`)
const template = fc
  .tuple(fc.constantFrom('A#', 'B#', '', 'C'), fc.array(placeholder, { maxLength: 3 }))
  .map(([prefix, parts]) => prefix + parts.join('#'))
const templates = dictionary(nameOf(KEYS.slice(2)), template, 4)
const primaryKey = fc.record({ pk: template, sk: template })
const when = dictionary(attributeName, fc.constantFrom('a', 'b', true, 1), 1)

const model = fc
  .tuple(
    primaryKey,
    dictionary(fc.constantFrom(...ATTRIBUTES), attribute, 6),
    optionsOf({
      index: templates,
      when: dictionary(indexName, when, 1),
      copies: dictionary(
        nameOf(['Copy', 'Other']),
        fc.tuple(primaryKey, optionsOf({ index: templates, when })).map(([key, rest]) => ({
          key,
          ...rest,
        })),
        1,
      ),
      shard: optionsOf({ count: number, by: fc.array(attributeName, { maxLength: 2 }) }),
      stats,
    }),
  )
  // What its key needs is there, more often than not.
  .map(([key, attributes, rest]) => ({
    key,
    attributes: { id: { type: String }, owner: { type: String }, ...attributes },
    ...rest,
  }))

const names = fc.uniqueArray(attributeName, { maxLength: 3 })
const write = fc
  .tuple(
    fc.constantFrom('create', 'put', 'update', 'delete', 'check'),
    modelName,
    names,
    optionsOf({ set: names, add: names, remove: names }),
  )
  .map(([op, entity, by, rest]) =>
    op === 'create' || op === 'put'
      ? { op, entity }
      : op === 'update'
        ? { op, entity, by, ...rest }
        : { op, entity, by },
  )
const expectation = optionsOf({
  rps: number,
  peakRps: number,
  itemsRead: number,
  itemBytes: number,
  distinctKeys: number,
  skew: number,
})
const pattern = fc
  .tuple(
    fc.oneof(
      write,
      fc.record({
        op: fc.constantFrom('get', 'batchGet', 'nothing'),
        entity: modelName,
        by: names,
      }),
      fc
        .tuple(
          fc.oneof(modelName, fc.array(modelName, { maxLength: 2 })),
          names,
          optionsOf({
            index: indexName,
            range: attributeName,
            order: fc.constantFrom('asc', 'desc'),
            limit: number,
            consistent: fc.boolean(),
            project: names,
            filter: dictionary(attributeName, fc.constantFrom('a', '$x', 1), 2),
            // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
            then: fc.record({ op: fc.constant('batchGet'), entity: modelName }),
          }),
        )
        .map(([entity, by, rest]) => ({ op: 'query', entity, by, ...rest })),
      fc.record({ op: fc.constant('transact'), steps: dictionary(attributeName, write, 3) }),
      fc.record({ op: fc.constantFrom('scan', 'external'), reason: fc.constant('') }),
    ),
    optionsOf({ expect: expectation, status: fc.constantFrom('live', 'planned') }),
  )
  .map(([of, rest]) => ({ ...of, ...rest }))

const index = fc
  .tuple(
    fc.oneof(nameOf([...KEYS, ...ATTRIBUTES]), fc.array(attributeName, { maxLength: 5 })),
    optionsOf({
      sort: fc.oneof(nameOf(KEYS), fc.array(attributeName, { maxLength: 5 })),
      type: fc.constantFrom('local', 'global'),
      project: fc.oneof(fc.constantFrom('all', 'keys'), names),
    }),
  )
  .map(([hash, rest]) => ({ hash, ...rest }))

const schema = fc
  .record({
    indexes: dictionary(indexName, index, 2),
    models: dictionary(fc.constantFrom(...MODELS), model, 3),
    patterns: dictionary(fc.string({ maxLength: 8 }), pattern, 4),
    params: optionsOf({ timestamps: fc.boolean(), typeField: fc.constantFrom('_type', 'kind') }),
  })
  .map(
    ({ indexes, ...rest }): SchemaDefinition =>
      // It is wrong in all ways that its type would not allow.
      ({
        ...rest,
        indexes: {
          gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
          ...indexes,
          primary: { hash: 'pk', sort: 'sk' },
        },
      }) as unknown as SchemaDefinition,
  )

const value = fc.oneof(
  fc.constantFrom('A#a', 'B#1#2', '', 'X').map((S) => ({ S })),
  fc.constantFrom('1', '1e30').map((N) => ({ N })),
  fc.constant({ BOOL: true }),
  fc.constant({ L: [] }),
)
const item = fc
  .tuple(dictionary(nameOf([...KEYS, ...ATTRIBUTES]), value, 6), optional(modelName))
  .map(([values, S]): Item => ({ ...values, ...(S !== undefined && { _type: { S } }) }))

const evidence: fc.Arbitrary<Evidence> = fc
  .record({
    sample: optional(
      fc.record({
        items: fc.array(item, { maxLength: 120 }),
        itemCount: optional(fc.nat()),
        takenOn: fc.constant('2026-11-16'),
      }),
    ),
    recording: optional(
      fc.record({
        shapes: fc.array(
          fc.record({
            operation: fc.constantFrom('Query', 'GetItem', 'UpdateItem', 'Scan'),
            index: fc.option(indexName),
            key: fc.option(fc.constantFrom('pk = A#${…}', 'gsi1pk = POST AND gsi1sk > 1', '')),
            filter: fc.constantFrom(null, 'a = ${…}'),
            pattern: fc.constant(null),
            count: fc.nat(300),
            itemsRead: fc.nat(300),
            itemsReturned: fc.nat(300),
          }),
          { maxLength: 4 },
        ),
      }),
    ),
    code: optional(
      fc.array(fc.tuple(modelName, names), { maxLength: 2 }).map((updates) => ({
        ...NO_CODE,
        updates: updates.map(([of, attributes]) => {
          const place = { file: 'a.ts', line: 1, text: 'update' }
          return { ...place, model: of, attributes, through: 'sdk' as const }
        }),
      })),
    ),
  })
  .map((parts) => defined(parts))

function defined(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, each]) => each !== undefined))
}

function noticesOf(
  definition: SchemaDefinition,
  given: Evidence,
  before: SchemaDefinition,
): readonly (readonly [string, Notice])[] {
  const design = readDesign(definition, { ...given, before: readDesign(before) })
  return ALL_RULES.flatMap((rule) =>
    Array.from(rule.check(design), (notice) => [rule.code, notice] as const),
  )
}

/** What is printed of a value that was not there; an order may well be undefined. */
const UNTOLD = /(?<!order is )undefined|NaN|\[object|Infinity/

/** What two looks at it find; whatever a rule prints was there to be printed. */
function look(
  definition: SchemaDefinition,
  given: Evidence,
  before: SchemaDefinition,
): ReadonlySet<string> {
  const notices = noticesOf(definition, given, before)
  expect(noticesOf(definition, given, before)).toEqual(notices)
  for (const [code, { message, fix }] of notices) {
    expect(message, code).not.toMatch(UNTOLD)
    expect(fix, code).not.toMatch(UNTOLD)
    expect(message, code).toMatch(/[.?]$/)
  }
  return new Set(notices.map(([code]) => code))
}

test('no wrong schema makes a rule fail', { timeout: timeoutMs }, () => {
  const reported = new Set<string>()
  fc.assert(
    fc.property(schema, evidence, schema, (definition, given, before) => {
      for (const code of look(definition, given, before)) reported.add(code)
    }),
    parameters,
  )
  // If hardly any rule had something to say, the test would say nothing.
  expect(reported.size).toBeGreaterThan(12)
})

/** A schema that is accepted, for the most part, with figures and projections. */
const figured = fc
  .record({
    definition: randomSchema,
    stats: fc.array(stats, { minLength: 1, maxLength: 3 }),
    expected: fc.array(expectation, { minLength: 1, maxLength: 5 }),
    project: fc.constantFrom<IndexDefinition['project']>('all', 'keys', ['id', 'note', 'at']),
    isLocal: fc.boolean(),
  })
  .map(({ definition, stats: all, expected, project, isLocal }): SchemaDefinition => {
    const { indexes, models, patterns = {} } = definition
    return {
      ...definition,
      indexes: {
        ...indexes,
        gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', ...(project && { project }) },
        ...(isLocal && { byName: { type: 'local', hash: 'pk', sort: 'name' } }),
      },
      models: Object.fromEntries(
        Object.entries(models).map(([name, each], at) => [
          name,
          { ...each, stats: all[at % all.length]! },
        ]),
      ),
      patterns: Object.fromEntries(
        Object.entries(patterns).map(([name, each], at) => [
          name,
          { ...each, expect: expected[at % expected.length]! },
        ]),
      ),
    }
  })

test('no schema that is accepted makes a rule fail', { timeout: timeoutMs }, () => {
  const reported = new Set<string>()
  let plans = 0
  fc.assert(
    fc.property(figured, evidence, figured, (definition, given, before) => {
      plans += readDesign(definition).plans.size
      for (const code of look(definition, given, before)) reported.add(code)
    }),
    { ...parameters, numRuns: Math.ceil(runs / 10) },
  )
  expect(reported.size).toBeGreaterThan(15)
  expect(plans).toBeGreaterThan(runs)
})
