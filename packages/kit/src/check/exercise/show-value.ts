/** A value as it could be written in code. */
export function showValue(value: unknown): string {
  if (value instanceof Date) return `new Date(${JSON.stringify(value.toISOString())})`
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Set) return `new Set(${showValue([...value])})`
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`
  if (value instanceof Uint8Array) return `Uint8Array.of(${[...value].join(', ')})`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(([name, inside]) => `${name}: ${showValue(inside)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
