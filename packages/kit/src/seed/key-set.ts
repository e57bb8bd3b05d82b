const FIRST_SLOTS = 1 << 10
const FULL = 0.75
/** While the set grows, both the old and the new slots are in memory. */
const GROWTH = 1.5

/**
 * Remembers keys as hashes of eight bytes each: a million of them fit in memory, the strings would
 * not. Two keys have the same hash once in many millions; then another key is made.
 */
export class KeySet {
  #slots = new Float64Array(FIRST_SLOTS)
  #size = 0

  /** Returns false if the key was added before. */
  add(key: string): boolean {
    if (this.#size >= this.#slots.length * FULL) this.#grow()
    const isNew = put(this.#slots, hash(key))
    if (isNew) this.#size++
    return isNew
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * GROWTH)
    for (const each of this.#slots) if (each !== 0) put(slots, each)
    this.#slots = slots
  }
}

function put(slots: Float64Array, value: number): boolean {
  const last = slots.length - 1
  let at = value % slots.length
  while (slots[at] !== 0) {
    if (slots[at] === value) return false
    at = at === last ? 0 : at + 1
  }
  slots[at] = value
  return true
}

/** Two multiplicative hashes of 32 and 21 bits, as one number that is not 0. */
function hash(key: string): number {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b + code, 0x5bd1e995) ^ (b >>> 15)
  }
  return (b >>> 11) * 2 ** 32 + (a >>> 0) || 1
}
