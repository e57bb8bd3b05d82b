/** More of a string is not shown. */
const LENGTH_MAX = 40

/** A value's type, for messages. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  if (isPromise(value)) {
    const isBuilder = Object.prototype.toString.call(value) === '[object LazyPromise]'
    return isBuilder ? 'a builder' : 'a promise that was not awaited'
  }
  const { name } = value.constructor ?? {}
  return !name || name === 'Object'
    ? 'an object'
    : `${name === 'Date' ? 'a' : 'an instance of'} ${name}`
}

/** Whether it can be awaited, as builders can. */
export function isPromise(value: object): boolean {
  return typeof (value as { readonly then?: unknown }).then === 'function'
}

/** A value for a message, shortened; undefined if it has no short form. Only of attributes that are
 * not secret. */
export function showValue(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const shown = JSON.stringify(value.slice(0, LENGTH_MAX))
    return value.length > LENGTH_MAX ? `${shown}… (${value.length} characters)` : shown
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  return /^(number|bigint|boolean)$/.test(typeof value) ? String(value) : undefined
}
