import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoDateCodec } from './date-codec.ts'

const numRuns = Number(process.env.PROPERTY_RUNS ?? 5000)

test('every Date that can be stored is read back the same', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, (given) => {
      expect(isoDateCodec.decode(isoDateCodec.encode(given, []))).toEqual(given)
    }),
    { numRuns },
  )
})
