const SET_TYPES = new Set(['SS', 'NS', 'BS'])

/** JSON in which the order of members and of set elements makes no difference. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonicalMember(name, member)}`).join(',')}}`
}

function canonicalMember(name: string, member: unknown): string {
  if (SET_TYPES.has(name) && Array.isArray(member)) return canonical([...member].sort())
  return canonical(member)
}

/** The same members in an order that follows from them alone. */
export function asMultiset(values: readonly unknown[]): unknown[] {
  return values
    .map((value) => [canonical(value), value] as const)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, value]) => value)
}
