/** A condition on attribute values in words: `status is pending or shipped`. */
export function whenWords(when: ReadonlyMap<string, readonly unknown[]>): string {
  return [...when]
    .map(([name, allowed]) => `${name} is ${allowed.map((value) => String(value)).join(' or ')}`)
    .join(' and ')
}
