interface LargeValueAttribute {
  readonly type: ObjectConstructor
  readonly schema: {
    readonly text: { readonly type: StringConstructor }
    readonly bytes: { readonly type: Uint8ArrayConstructor }
    readonly object: { readonly type: StringConstructor }
    readonly sha256: { readonly type: StringConstructor }
    readonly size: { readonly type: NumberConstructor; readonly required: true }
    readonly kind: {
      readonly type: StringConstructor
      readonly enum: readonly ['text', 'bytes']
      readonly required: true
    }
  }
}

/** The attribute of a large value in a schema: `body: largeValue`. */
export const largeValue: LargeValueAttribute = {
  type: Object,
  schema: {
    text: { type: String },
    bytes: { type: Uint8Array },
    object: { type: String },
    sha256: { type: String },
    size: { type: Number, required: true },
    kind: { type: String, enum: ['text', 'bytes'], required: true },
  },
}

/** What an item holds of a large value: the value itself while it is small, else where it is. */
export interface LargeValue {
  kind: 'text' | 'bytes'
  /** In bytes, of UTF-8 for text. */
  size: number
  text?: string | undefined
  bytes?: Uint8Array | undefined
  /** The key of the object that has it. */
  object?: string | undefined
  /** Of the object's bytes, in hexadecimal digits. */
  sha256?: string | undefined
}
