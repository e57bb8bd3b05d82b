/** Says what data keys are for. A key can only be decrypted with the very context it was made
 * with. */
export interface KeyContext {
  readonly [name: string]: string
}

/** A key that encrypts data: as it is used, and as it is stored with what it has encrypted. */
export interface DataKey {
  /** 32 bytes, kept in memory only. */
  readonly plaintext: Uint8Array
  readonly encrypted: Uint8Array
}

/**
 * Makes data keys and decrypts them again: what a key management service does. One that answers at
 * once, without a promise, makes everything else simpler: its keys are always ready.
 */
export interface KeyProvider {
  generateDataKey(context: KeyContext): DataKey | Promise<DataKey>
  decryptDataKey(encrypted: Uint8Array, context: KeyContext): Uint8Array | Promise<Uint8Array>
}

export const DATA_KEY_BYTES = 32

/** One text for each context, whatever the order of its members. */
export function contextText(context: KeyContext): string {
  return JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)))
}
