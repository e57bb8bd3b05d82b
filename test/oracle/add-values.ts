/** What an addition makes of a value: the sum of numbers, the union of sets; what was not there
 * counts as nothing. */
export function addValues(before: unknown, added: unknown): unknown {
  if (before === undefined) return added
  if (before instanceof Set && added instanceof Set) return new Set([...before, ...added])
  if (typeof before === 'number' && typeof added === 'number') return before + added
  if (typeof before === 'bigint' && typeof added === 'bigint') return before + added
  return addDecimals(String(before), String(added))
}

/** Of numbers that are kept as text because they can have more digits than others. */
function addDecimals(one: string, other: string): string {
  const digits = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const [first = 0n, second = 0n] = [one, other].map((text) => {
    const [whole = '0', rest = ''] = text.split('.')
    return BigInt(whole + rest.padEnd(digits, '0'))
  })
  const sum = String(first + second)
  const sign = sum.startsWith('-') ? '-' : ''
  const plain = sum.slice(sign.length).padStart(digits + 1, '0')
  const whole = plain.slice(0, plain.length - digits)
  const rest = plain.slice(plain.length - digits).replace(/0+$/, '')
  return `${sign}${whole}${rest && `.${rest}`}`
}
