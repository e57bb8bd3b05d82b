import type { Environment } from '../values/environment.ts'

/**
 * Ids in the order they are made. Those with a time in milliseconds keep the order also within one
 * millisecond, and when the clock goes back: the random part then counts up from the last one. Each
 * environment counts for itself.
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const KSUID_EPOCH_SECONDS = 1_400_000_000
const KSUID_LENGTH = 27

const nextUlid = counter(32, 16)
const nextUuid = counter(16, 18)

const GENERATORS = new Map<unknown, (environment: Environment) => string>([
  [
    'ulid',
    (environment) => {
      const { timeMs, digits } = nextUlid(environment)
      let text = ''
      for (const digit of timeMs.toString(32).padStart(10, '0')) {
        text += CROCKFORD[Number.parseInt(digit, 32)]
      }
      for (const digit of digits) text += CROCKFORD[digit]
      return text
    },
  ],
  ['uuid', (environment) => uuid('4', hexBytes(environment))],
  [
    'uuid7',
    (environment) => {
      const { timeMs, digits } = nextUuid(environment)
      let text = ''
      for (const digit of digits) text += digit.toString(16)
      // The version and the variant are between the random digits.
      text = `${timeMs.toString(16).padStart(12, '0')}0${text.slice(0, 3)}0${text.slice(3)}`
      return uuid('7', text)
    },
  ],
  [
    'ksuid',
    // Twenty bytes, seconds and random, as one number in base 62.
    (environment) => {
      const seconds = Math.max(0, Math.floor(environment.now() / 1000) - KSUID_EPOCH_SECONDS)
      let number = BigInt(`0x${seconds.toString(16)}${hexBytes(environment)}`)
      let text = ''
      while (text.length < KSUID_LENGTH) {
        text = BASE62[Number(number % 62n)] + text
        number /= 62n
      }
      return text
    },
  ],
])

/** The generator of that name. */
export function namedGenerator(name: unknown): ((environment: Environment) => string) | undefined {
  return GENERATORS.get(name)
}

interface Count {
  timeMs: number
  readonly digits: number[]
}

/**
 * Makes a function that gives a time, and this many digits that count up as long as the time is the
 * same.
 */
function counter(base: number, length: number): (environment: Environment) => Count {
  const counts = new WeakMap<Environment, Count>()
  return (environment) => {
    const timeMs = Math.max(0, Math.floor(environment.now()))
    let count = counts.get(environment)
    if (count === undefined || timeMs > count.timeMs) {
      count = {
        timeMs,
        digits: Array.from(environment.randomBytes(length), (byte) => byte % base),
      }
      counts.set(environment, count)
      return count
    }
    let index = length - 1
    while (index >= 0 && ++count.digits[index]! === base) count.digits[index--] = 0
    // All digits ran over: the next millisecond begins early.
    if (index < 0) count.timeMs++
    return count
  }
}

function hexBytes(environment: Environment): string {
  let text = ''
  for (const byte of environment.randomBytes(16)) text += (byte + 256).toString(16).slice(1)
  return text
}

/** Puts the version, and the variant in two bits, at their places. */
function uuid(version: string, hex: string): string {
  const variant = (8 + (Number.parseInt(hex[16]!, 16) & 3)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
