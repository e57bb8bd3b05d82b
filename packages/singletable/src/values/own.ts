/**
 * Attribute, table and placeholder names come from outside and may be `__proto__` or `toString`.
 * Plain objects keyed by such names are read and written only through these functions, so that no
 * name can reach a prototype.
 */

/** The object's own member of that name; never one it inherits. */
export function getOwn<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets an own member, also under the name `__proto__`, where assignment would change the prototype
 * instead. */
export function setOwn<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  } else {
    object[name] = value
  }
}
