declare const message: unique symbol

/** Stands where a call is wrong, so that the compiler's complaint shows the text. No value has this type. */
export interface TypeMessage<TText extends string> {
  readonly [message]: TText
}
