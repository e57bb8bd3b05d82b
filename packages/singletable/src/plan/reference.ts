import type { Codec } from '../schema/model.ts'

/**
 * What `attr.name` gives in a callback at run time: a place in the item and the codec of what is
 * there.
 */
export interface Reference {
  /** `size` for `op.size(attr.name)`, whose codec is that of sizes. */
  readonly kind: 'reference' | 'size'
  /** The attribute's name as callers know it; also the name of a key attribute. */
  readonly name: string
  /** Stored names and positions from the top of the item. */
  readonly path: readonly [string, ...(string | number)[]]
  readonly codec: Codec
  /** Every object there has it. */
  readonly required?: boolean | undefined
  /**
   * What is read where it is selected: of a tuple all, since the positions of a part are not known.
   */
  readonly reads?: Reference['path'] | undefined
  /** Why no update can change it alone: completes "it …". */
  readonly kept?: string | undefined
}
