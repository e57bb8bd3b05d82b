import { compareUtf8 } from 'singletable/tools'

/**
 * Orders two values of an attribute as DynamoDB does, from the values alone: strings by their
 * bytes, numbers by size, dates by time. `undefined` where there is no order.
 */
export function compareValues(a: unknown, b: unknown, isDecimal = false): number | undefined {
  if (isDecimal && typeof a === 'string' && typeof b === 'string') return compareDecimals(a, b)
  if (typeof a === 'string' && typeof b === 'string') return Math.sign(compareUtf8(a, b))
  if (a instanceof Date && b instanceof Date) return Math.sign(a.getTime() - b.getTime())
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  const isOrdered =
    typeof a === typeof b &&
    (typeof a === 'number' || typeof a === 'bigint' || typeof a === 'boolean')
  if (!isOrdered) return undefined
  // Both are of one of the types that JavaScript compares.
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0
}

/** Strings such as `-12.50`, whose digits can be more than a number has. */
function compareDecimals(a: string, b: string): number | undefined {
  const [one, other] = [a, b].map((text) => /^(-?)(\d+)(?:\.(\d+))?$/.exec(text))
  if (!one || !other) return Math.sign(Number(a) - Number(b))
  const digits = Math.max(one[3]?.length ?? 0, other[3]?.length ?? 0)
  const [first, second] = [one, other].map(([, sign, whole, rest = '']) =>
    BigInt(`${sign}${whole}${rest.padEnd(digits, '0')}`),
  )
  return compareValues(first, second)
}
