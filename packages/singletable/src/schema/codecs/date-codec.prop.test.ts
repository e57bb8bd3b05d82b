import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateCodec } from './date-codec.ts'

const codec = dateCodec()
const numRuns = Number(process.env.PROPERTY_RUNS ?? 5000)

test('every Date that can be stored is read back the same', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, (given) => {
      expect(codec.decode(codec.encode(given, []))).toEqual(given)
    }),
    { numRuns },
  )
})
