/** One thing that does not agree. */
export interface Finding {
  readonly kind:
    | 'copy-of-stale'
    | 'copy-missing'
    | 'copy-stale'
    | 'copy-orphaned'
    | 'unique-missing'
    | 'unique-taken'
    | 'unique-orphaned'
    | 'counter-wrong'
    | 'unreadable'
  /** The model of the item it was found at; `undefined` for guards of unique values. */
  readonly entity: string | undefined
  /** The item's key as it is stored. */
  readonly key: Record<string, unknown>
  /** What is wrong, as a phrase about the item. */
  readonly message: string
  readonly repaired: boolean
}
