/** An object that a store has. */
export interface StoredObject {
  readonly key: string
  /** When it was put, in milliseconds since 1970. */
  readonly storedAt: number
}

/** Where large values are kept. Objects are put once and never changed. */
export interface ObjectStore {
  /** Keeps an object for good before it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** `undefined` if there is none. */
  get(key: string): Promise<Uint8Array | undefined>
  /** Deletes an object; one that is not there is no failure. */
  delete(key: string): Promise<void>
  /** All objects whose keys begin so. */
  list(prefix: string): AsyncIterable<StoredObject>
}
