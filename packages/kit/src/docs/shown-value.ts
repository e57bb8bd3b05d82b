/** A value as examples show it: a string without quotes, the day and time of a date. */
export function shownValue(value: unknown, charactersMax: number): string {
  const characters = [...plain(value).replaceAll(/\s+/g, ' ')]
  return characters.length > charactersMax
    ? `${characters.slice(0, charactersMax - 1).join('')}…`
    : characters.join('')
}

function plain(value: unknown): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return 'not a date'
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace('.000Z', 'Z')
  }
  if (value instanceof Set || Array.isArray(value)) return [...value].map(plain).join(', ')
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, each]) => `${name} ${plain(each)}`)
    .join(', ')
}
