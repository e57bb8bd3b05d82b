import { DefinitionError } from './definition-error.ts'
import { didYouMean } from './did-you-mean.ts'
import { kindOfValue } from './show-value.ts'

/** The options of a call: where they are given, and which there are. */
export interface KnownOptions {
  readonly where: string
  readonly names: readonly string[]
}

/** Throws what is wrong with an option. */
export function refuseOption({ where, names }: KnownOptions, what: string): never {
  const fix = names.length > 0 ? `correct it; the options are ${names.join(', ')}` : 'correct it'
  throw new DefinitionError('OPTION_INVALID', { what: `${what}.`, where, fix })
}

/** Refuses what is not an object, and options that nothing reads. */
export function checkOptions(known: KnownOptions, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    refuseOption(known, `options must be an object, not ${kindOfValue(options)}`)
  }
  for (const name of Object.keys(options)) {
    if (known.names.includes(name)) continue
    refuseOption(known, `"${name}" is unknown${didYouMean(name, known.names)}`)
  }
}

/** Refuses what is given and no number, or one that is too small. */
export function checkNumber(known: KnownOptions, name: string, value: unknown, least = 0): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  refuseOption(known, `${name} must be a number, at least ${least}`)
}

/** Refuses unknown options, and of those that are numbers what is not above 0. */
export function checkPositive(
  known: KnownOptions,
  options: object,
  numbers: readonly string[],
): void {
  checkOptions(known, options)
  for (const [name, value] of Object.entries(options)) {
    const isNumber = numbers.includes(name) && value !== undefined
    if (isNumber && !(typeof value === 'number' && value > 0)) {
      refuseOption(known, `${name} is not a positive number`)
    }
  }
}

/**
 * The numbers that are given, and defaults for the others: at least 1 for those named in
 * `positive`, and 0 for others. Infinity stands for no limit. A prefix, as in `retry.`, says that
 * they are options of an option, of which there are no others.
 */
export function readNumbers<T extends object>(
  known: KnownOptions,
  defaults: T,
  given: object,
  positive: readonly string[],
  prefix = '',
): T {
  const numbers = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(defaults, name)) {
      checkNumber(known, prefix + name, value, positive.includes(name) ? 1 : 0)
      // It is a number of the defaults.
      if (value !== undefined) numbers[name as keyof T] = value
    } else if (prefix) refuseOption(known, `${prefix}${name} is unknown`)
  }
  return numbers
}
