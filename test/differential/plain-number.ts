/** A number without exponent and needless zeros, as DynamoDB prints numbers; other strings stay as
 * they are. */
export function plainNumber(text: string): string {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text)
  if (parts === null) return text
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  if (digits === '') return text
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const split = Math.max(point, 1)
  const left = padded.slice(0, split).replace(/^0+(?=\d)/, '')
  const right = padded.slice(split).replace(/0+$/, '')
  const plain = right === '' ? left : `${left}.${right}`
  return sign === '-' && plain !== '0' ? `-${plain}` : plain
}

/** The value with all its numbers (members `N`, elements of `NS`) plain. */
export function withPlainNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'N' && typeof member === 'string') return [name, plainNumber(member)]
      if (name === 'NS' && Array.isArray(member)) return [name, member.map(plainNumber)]
      return [name, withPlainNumbers(member)]
    }),
  )
}
