import type { AttributeReference } from './attribute-references.ts'

/**
 * An output of which only some places were asked for: everything in it may be absent, down to the
 * last member.
 */
export type DeepPartial<TValue> = TValue extends Date | Uint8Array | ReadonlySet<unknown>
  ? TValue
  : TValue extends readonly (infer TElement)[]
    ? DeepPartial<TElement>[]
    : TValue extends object
      ? { [TName in keyof TValue]?: DeepPartial<TValue[TName]> }
      : TValue

/** Names the places to read: `(attr) => [attr.title, attr.address.city]`. */
export type SelectPlaces<TReferences> = (
  attr: TReferences,
) => readonly AttributeReference<unknown>[]
