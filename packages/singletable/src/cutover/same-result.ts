/**
 * Whether two results have the same content: members in any order, sets in any order, times as
 * times. A member that is undefined is not there.
 */
export function sameResult(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b)
}

function textOf(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? typeof value
  if (value instanceof Date) return `Date ${value.getTime()}`
  if (value instanceof Set) return `Set ${[...value].map(textOf).sort().join(',')}`
  if (value instanceof Map) return textOf(Object.fromEntries(value))
  if (ArrayBuffer.isView(value)) return `Bytes ${Array.from(value as Uint8Array).join(',')}`
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .sort()
    .join(',')}}`
}
