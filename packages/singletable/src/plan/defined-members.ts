/** The members that have a value: a request has no others. */
export function definedMembers<T extends object>(
  members: {
    readonly [TName in keyof T]: T[TName] | undefined
  },
): T {
  const defined: Partial<T> = {}
  for (const name in members) {
    if (members[name] !== undefined) defined[name] = members[name]
  }
  // Members that are left out are those that may be absent.
  return defined as T
}
