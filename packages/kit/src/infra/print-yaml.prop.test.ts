import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printYaml, type Yaml } from './print-yaml.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('no', 'N', '1e3', '- a', 'a: b', '#', '${x}', '', '~', '2010-09-09', '__proto__'),
)
const { tree } = fc.letrec<{ tree: Yaml }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.boolean(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test.each(['1.1', '1.2'] as const)('what is printed is read as it was, as YAML %s', (version) => {
  const root = fc.dictionary(text, tree, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
  fc.assert(
    fc.property(root, (value) => {
      expect(parse(printYaml(value), { version, merge: false })).toEqual(value)
    }),
    { numRuns: RUNS },
  )
})
