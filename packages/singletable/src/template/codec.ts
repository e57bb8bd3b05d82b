import { kindOfValue } from '../errors/show-value.ts'
import type { Shape } from './shape.ts'

/** What a schema says of an attribute that is in a key. */
export interface ComponentKind {
  /** `path` is an array of strings, each of them a segment of the key. */
  readonly type: 'text' | 'number' | 'bigint' | 'decimal' | 'boolean' | 'date' | 'path'
  /** Any text, escaped, or any number, with sign and exponent; both in the order of the values.
   * `'raw'`: any text or number as it is. */
  readonly encode: boolean | 'raw'
  /** Digits of a padded number, unless the placeholder says otherwise. */
  readonly pad?: number | undefined
  /** Its values are not shown in messages. */
  readonly secret?: boolean | undefined
  /** All that a text can be. */
  readonly values?: readonly string[] | undefined
  /** The earliest time there is, in milliseconds since 1970. */
  readonly startMs?: number | undefined
}

/** Where a codec works. */
export interface CodecPlace {
  readonly kind: ComponentKind
  readonly separator: string
  /** What follows in the key: the first character of a literal, nothing at its end, `\uffff` for
   * anything. */
  readonly next: string
  readonly descending: boolean
  /** Throws what is wrong with the definition. */
  invalid(what: string, fix: string): never
}

/** Between values of one kind and their text in a key. */
export interface Codec {
  /** Characters, if always the same. */
  readonly width: number | undefined
  /** Whether the order of keys is the order of the values, whatever comes after them in the key. */
  readonly ordered: boolean
  readonly shape: Shape
  /** The text, or `undefined` for a value that can't be part of a key. */
  print(value: unknown): string | undefined
  /** The value that has this text. Other text may give anything: printing it gives another text. */
  read(text: string): unknown
  /** What is wrong with a value that has no text, as a phrase that completes "it …", and a way
   * out. */
  problem(value: unknown): readonly [problem: string, fix: string]
}

/** What is wrong with a value of another kind. */
export function unexpected(expected: string, fix = `give ${expected}`): Codec['problem'] {
  return (value) => [`is ${kindOfValue(value)}, not ${expected}`, fix]
}
