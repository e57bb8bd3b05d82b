import { InputError } from '../errors/input-error.ts'
import { parseDecimal } from './decimal.ts'

/**
 * A number of an undeclared attribute that JavaScript's own numbers can't hold. It is exact, and is
 * written back as it was read.
 *
 * @example
 * String(new Decimal('1.50')) // => '1.5'
 */
export class Decimal {
  /** The canonical text: plain digits, no needless zero or sign. */
  readonly text: string

  constructor(text: string) {
    const result = parseDecimal(text)
    if (result.text === undefined) {
      throw new InputError(
        'INPUT_INVALID',
        {
          what: `"${text}" is not a number that DynamoDB can hold.`,
          where: 'new Decimal()',
          fix: 'give a decimal number of up to 38 digits between 1E-130 and 1E126',
        },
        [{ path: [], message: 'is not a number' }],
      )
    }
    this.text = result.text
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }
}
