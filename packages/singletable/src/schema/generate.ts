import type { Environment } from './environment.ts'

/**
 * Ids in the order they are made. Those with a time in milliseconds keep the order also within one millisecond, and when the clock goes
 * back: the random part then counts up from the last one. Each environment counts for itself.
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const HEX = '0123456789abcdef'

const ULID_TIME_DIGITS = 10
const ULID_RANDOM_DIGITS = 16
/** After the version: twelve bits, two below the variant, and sixty; as hexadecimal digits. */
const UUID7_DIGITS = 19
const UUID7_VARIANT_DIGIT = 3

const KSUID_EPOCH_SECONDS = 1_400_000_000
const KSUID_RANDOM_BYTES = 16
const KSUID_LENGTH = 27

interface Count {
  timeMs: number
  readonly digits: Uint8Array
}

const ulids = new WeakMap<Environment, Count>()
const uuids = new WeakMap<Environment, Count>()

const GENERATORS = new Map<unknown, (environment: Environment) => string>([
  ['ulid', ulid],
  ['uuid', uuid],
  ['uuid7', uuid7],
  ['ksuid', ksuid],
])

/** The generator of that name. */
export function namedGenerator(name: unknown): ((environment: Environment) => string) | undefined {
  return GENERATORS.get(name)
}

function ulid(environment: Environment): string {
  const { timeMs, digits } = nextCount(ulids, environment, ULID_RANDOM_DIGITS, () => 32)
  let text = ''
  let time = timeMs
  for (let index = 0; index < ULID_TIME_DIGITS; index++) {
    text = CROCKFORD[time % 32] + text
    time = Math.floor(time / 32)
  }
  for (const digit of digits) text += CROCKFORD[digit]
  return text
}

function uuid7(environment: Environment): string {
  const baseOf = (index: number): number => (index === UUID7_VARIANT_DIGIT ? 4 : 16)
  const { timeMs, digits } = nextCount(uuids, environment, UUID7_DIGITS, baseOf)
  let text = `${timeMs.toString(16).padStart(12, '0')}7`
  for (let index = 0; index < UUID7_DIGITS; index++) {
    text += HEX[digits[index]! + (index === UUID7_VARIANT_DIGIT ? 8 : 0)]
  }
  return dashed(text)
}

function uuid(environment: Environment): string {
  const bytes = environment.randomBytes(16)
  let text = ''
  for (let index = 0; index < 16; index++) {
    const byte = bytes[index]!
    const fixed = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    text += HEX[fixed >> 4]! + HEX[fixed & 15]
  }
  return dashed(text)
}

/** Twenty bytes, seconds and random, as one number in base 62. */
function ksuid(environment: Environment): string {
  const bytes = [...environment.randomBytes(KSUID_RANDOM_BYTES)]
  let seconds = Math.max(0, Math.floor(environment.now() / 1000) - KSUID_EPOCH_SECONDS)
  for (let index = 0; index < 4; index++) {
    bytes.unshift(seconds % 256)
    seconds = Math.floor(seconds / 256)
  }
  let text = ''
  for (let digit = 0; digit < KSUID_LENGTH; digit++) {
    let remainder = 0
    for (let index = 0; index < bytes.length; index++) {
      const part = remainder * 256 + bytes[index]!
      bytes[index] = Math.floor(part / 62)
      remainder = part % 62
    }
    text = BASE62[remainder] + text
  }
  return text
}

function nextCount(
  counts: WeakMap<Environment, Count>,
  environment: Environment,
  length: number,
  baseOf: (index: number) => number,
): Count {
  let count = counts.get(environment)
  const now = Math.floor(environment.now())
  if (count !== undefined && now <= count.timeMs) {
    let index = length - 1
    while (index >= 0 && ++count.digits[index]! === baseOf(index)) count.digits[index--] = 0
    // All digits ran over: the next millisecond begins early.
    if (index < 0) count.timeMs++
    return count
  }
  const random = environment.randomBytes(length)
  count ??= { timeMs: 0, digits: new Uint8Array(length) }
  count.timeMs = Math.max(0, now)
  for (let index = 0; index < length; index++) count.digits[index] = random[index]! % baseOf(index)
  counts.set(environment, count)
  return count
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
