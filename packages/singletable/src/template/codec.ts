import type { Shape } from './shape.ts'

/** What a schema says of an attribute that stands in a key. */
export interface ComponentKind {
  /** `path` is an array of strings, each of them a segment of the key. */
  readonly type: 'text' | 'number' | 'bigint' | 'decimal' | 'boolean' | 'date' | 'path'
  /** Any text, escaped, or any number, with sign and exponent; both in the order of the values. */
  readonly encode: boolean
  /** Digits of a padded number, unless the placeholder says otherwise. */
  readonly pad?: number | undefined
  /** All that a text can be. */
  readonly values?: readonly string[] | undefined
}

/** Where a codec works. */
export interface CodecPlace {
  readonly name: string
  readonly kind: ComponentKind
  readonly separator: string
  /** What follows in the key: the first character of a literal, nothing at its end, `\uffff` for anything. */
  readonly next: string
  /** Throws what is wrong with a value: a phrase that completes "it …". */
  refuse(problem: string, fix: string): never
  /** Throws what is wrong with the definition. */
  invalid(what: string, fix: string): never
}

/** Between values of one kind and their text in a key. */
export interface Codec {
  /** Characters, if always the same. */
  readonly width: number | undefined
  /** Whether the order of keys is the order of the values, whatever stands behind them in the key. */
  readonly ordered: boolean
  readonly shape: Shape
  encode(value: unknown): string
  /** `undefined` for a text that no value gives. */
  decode(text: string): unknown
}
