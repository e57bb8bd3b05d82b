/** What this browser remembers; nothing where it is forbidden to. */
export function readKept<TValue>(name: string, otherwise: TValue): TValue {
  try {
    const text = localStorage.getItem(`singletable ${name}`)
    return text === null ? otherwise : (JSON.parse(text) as TValue)
  } catch {
    return otherwise
  }
}

export function writeKept(name: string, value: unknown): void {
  try {
    localStorage.setItem(`singletable ${name}`, JSON.stringify(value))
  } catch {
    // Private windows may have no storage: the page works without.
  }
}
