import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InputIssue } from '../../errors/input-error.ts'
import { anyCodec } from './any-codec.ts'

const numRuns = Number(process.env.PROPERTY_RUNS ?? 2000)

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Number.isInteger(number) && Math.abs(number) > 1e-100),
  fc.bigInt({ min: 2n ** 53n, max: 10n ** 38n - 1n }),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array(),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((strings) => new Set(strings)),
    fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 }).map((numbers) => new Set(numbers)),
  ),
}))

test('whatever can be written is read back the same, also after a way through JSON', () => {
  fc.assert(
    fc.property(value, (given) => {
      const any = anyCodec(1)
      const issues: InputIssue[] = []
      const stored = any.encode(given, issues)
      expect(issues).toEqual([])
      expect(any.decode(JSON.parse(JSON.stringify(stored)))).toEqual(given)
    }),
    { numRuns },
  )
})

test('no input makes it throw or hang', () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withTypedArray: true,
      }),
      (given) => {
        const issues: InputIssue[] = []
        anyCodec(1).encode(given, issues)
      },
    ),
    { numRuns },
  )
})
