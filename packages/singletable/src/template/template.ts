/** What is done to a value before it becomes text in a key. */
export type Modifier =
  /** A whole number, filled up with zeros to this many digits, so that texts order as the numbers do. */
  | { readonly kind: 'pad'; readonly width: number }
  /** Small letters: values that differ only in case share a key. */
  | { readonly kind: 'lower' }
  /** The order turned around: the greatest value comes first. */
  | { readonly kind: 'desc' }

/** A place in a template where the value of an attribute goes. */
export interface Placeholder {
  readonly name: string
  readonly modifiers: readonly Modifier[]
}

/** A pattern that makes a key, such as `POST#${postId}`, as literals and placeholders. */
export interface Template {
  readonly source: string
  readonly parts: readonly (string | Placeholder)[]
  /** The attributes it needs, each once, in the order of their first place. */
  readonly names: readonly string[]
}
