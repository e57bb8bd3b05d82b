import { expect, test } from 'vitest'
import { InputError } from '../errors/input-error.ts'
import { Decimal } from './decimal-number.ts'

test('a Decimal has the canonical text of its number', () => {
  expect(new Decimal('+1.50e1').text).toBe('15')
  expect(`${new Decimal('0.10')}`).toBe('0.1')
})

test('a string that is not a number of DynamoDB makes no Decimal', () => {
  expect(() => new Decimal('1,5')).toThrow(InputError)
  expect(() => new Decimal(`1${'1'.repeat(38)}`)).toThrow(InputError)
})
