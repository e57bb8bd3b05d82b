/**
 * True if both are the same attribute value, or items of the same ones: sets in any order, lists in
 * order, maps by name. Numbers are in canonical form, so their strings are compared. This is the
 * short way, for where it is asked now and then; the engine has a fast one.
 */
export function sameValue(a: object | undefined, b: object | undefined): boolean {
  return canonicalText(a) === canonicalText(b)
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
