/**
 * True if both are the same attribute value, or items of the same ones: sets in any order, lists in
 * order, maps by name. Numbers are in canonical form, so their strings are compared.
 */
export function sameValue(a: object | undefined, b: object | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameContent(name, Reflect.get(a, name), b))
  )
}

function sameContent(name: string, content: unknown, other: object): boolean {
  const found: unknown = Reflect.get(other, name)
  if (typeof content !== 'object' || typeof found !== 'object') return content === found
  if (content === null || found === null) return content === found
  if (!Array.isArray(content) || name === 'L') return sameValue(content, found)
  return canonicalText({ [name]: content }) === canonicalText({ [name]: found })
}

/** The same text for all values that are the same. */
export function canonicalText(value: object | undefined): string | undefined {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    // Only the content of a set is an array under a tag of two letters: what is under a name is an
    // attribute value.
    return Object.entries(part)
      .map(([name, content]) => [
        name,
        Array.isArray(content) && name !== 'L' ? [...content].sort() : content,
      ])
      .sort()
  })
}
