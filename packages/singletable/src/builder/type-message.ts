declare const message: unique symbol

/**
 * The type of a wrong argument, so that the compiler's error shows the text. No value has this
 * type.
 */
export interface TypeMessage<TText extends string> {
  readonly [message]: TText
}
