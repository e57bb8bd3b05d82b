import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseYaml } from './parse-yaml.ts'
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

test('what is printed is read again as it was', () => {
  const root = fc.dictionary(text, tree, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
  fc.assert(
    fc.property(root, (value) => {
      expect(parseYaml(printYaml(value))).toEqual(value)
    }),
    { numRuns: RUNS },
  )
})

test.each(['a: !Ref b', 'a: |\n  b', 'a: {b: c}', 'a: &x 1', 'a: b\na: c', 'a'])(
  '%j means more than the reader knows, and is refused',
  (yaml) => {
    expect(() => parseYaml(yaml)).toThrow("can't be read")
  },
)
