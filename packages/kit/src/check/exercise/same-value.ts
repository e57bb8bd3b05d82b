/** Whether two JavaScript values are the same: dates by their time, sets in any order, bytes and
 * what is inside of others one by one. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime()
  if (a instanceof Set) {
    if (!(b instanceof Set) || a.size !== b.size) return false
    const others = [...b]
    return [...a].every((one) => others.some((other) => sameValue(one, other)))
  }
  if (Array.isArray(a) || a instanceof Uint8Array) {
    // Both kinds have an order and a length.
    const others = b as readonly unknown[]
    return (
      Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
      a.length === others.length &&
      a.every((one: unknown, at: number) => sameValue(one, others[at]))
    )
  }
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && sameValue(Reflect.get(a, name), Reflect.get(b, name)),
    )
  )
}
