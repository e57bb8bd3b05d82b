import fc from 'fast-check'
import { DefinitionError, type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/** Keys of whole schemas: whatever a schema that was accepted renders, is read back, and belongs to
 * one model alone. */

// A long run: PROPERTY_RUNS=1000000 PROPERTY_SEED=1. Runs are keys; a failure prints its seed in
// any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 10_000)
const KEYS_PER_MODEL = 5
const MODELS = 3
const parameters: fc.Parameters<unknown> = {
  numRuns: Math.ceil(runs / KEYS_PER_MODEL / MODELS),
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}

const client = createEngine()

/** Attributes that every model has, one of each kind that may be in a key, with values. */
const attributes = {
  text: { type: String },
  free: { type: String, encode: true },
  kind: { type: String, enum: ['A', 'B'] },
  count: { type: Number, pad: 4 },
  real: { type: Number, encode: true },
  on: { type: Boolean },
  at: { type: Date },
} as const

const letters = fc.constantFrom(...'aAB01-.', ' ', 'é', '😀', '$', '%23')
const free = fc.constantFrom(...'aB#$ !"', '\0', 'A#', '#B', '中', '${x}')
const text = (letter: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(letter, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))

const values = fc.record({
  text: text(letters),
  free: text(free),
  kind: fc.constantFrom('A', 'B'),
  count: fc.integer({ min: 0, max: 9999 }),
  real: fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -9e15, max: 9e15 }))
    .map((number) => (Math.abs(number) < 1e-100 ? 0 : number + 0)),
  on: fc.boolean(),
  at: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
})

const placeholder = fc.constantFrom(...Object.keys(attributes)).map((name) => `\${${name}}`)
const segment = fc.oneof(
  fc.constantFrom('A', 'B', 'AB', 'A#B'),
  placeholder,
  fc.tuple(fc.constantFrom('A', 'B', 'v'), placeholder).map((parts) => parts.join('')),
)
const template = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('#'))
const key = fc.record({ pk: template, sk: template })

test('keys are read back as the values they were made of, and no two models of a schema share one', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      fc.array(key, { minLength: 2, maxLength: MODELS }),
      fc.array(values, { minLength: KEYS_PER_MODEL, maxLength: KEYS_PER_MODEL }),
      (keys, samples) => {
        const models = Object.fromEntries(
          keys.map((each, index) => [`Model${index}`, { key: each, attributes }]),
        )
        const schema: SchemaDefinition = {
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models,
        }
        let table: Table<SchemaDefinition>
        try {
          table = new Table({ name: 'Keys', schema, client })
        } catch (error) {
          if (!(error instanceof DefinitionError)) throw error
          return
        }
        accepted++
        const owners = new Map<string, string>()
        for (const [name, entity] of Object.entries(table.entities)) {
          for (const sample of samples) {
            const rendered = entity.renderKey(sample)
            const parsed = entity.parseKey(rendered)
            for (const [attribute, value] of Object.entries(parsed ?? { unread: rendered })) {
              expect({ [attribute]: value }).toEqual({
                [attribute]: sample[attribute as keyof typeof sample],
              })
            }
            const both = JSON.stringify([rendered.pk, rendered.sk])
            expect(owners.get(both) ?? name).toBe(name)
            owners.set(both, name)
          }
        }
      },
    ),
    parameters,
  )
  // Most random pairs of templates can't meet; if hardly any schema were accepted, the test would
  // say nothing.
  expect(accepted).toBeGreaterThan(parameters.numRuns! / 5)
}, 1_800_000)
