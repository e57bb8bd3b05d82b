const ELLIPSIS = '…'
/** What shaping may add to the sum of the characters. */
const TOLERANCE = 1.03

/** A string and the width it is shown in. */
export interface FittedText {
  readonly text: string
  /** What fits, with an ellipsis; the whole string if only the browser can cut it. */
  readonly short: string
  /** Whether the whole string may be wider than its place. */
  readonly isWide: boolean
}

/** Measures a string in one font. */
export type Measure = (text: string) => number

/**
 * Cuts strings to a width without asking the browser for a layout. A cell that never overflows
 * needs no clip and no ellipsis of the browser, which are a third of what it costs while the table
 * scrolls. Characters of ASCII are measured once. A string with others that may not fit is left to
 * the browser, which knows their shapes.
 */
export class TextFit {
  readonly #widths = new Float64Array(128)
  readonly #ellipsis: number
  /** For characters that are not measured: an emoji, or a letter of a script with wide ones. */
  readonly #widest: number

  constructor(measure: Measure) {
    this.#ellipsis = measure(ELLIPSIS)
    this.#widest = 2 * measure('M')
    for (let code = 32; code < 127; code++) {
      this.#widths[code] = measure(String.fromCharCode(code))
    }
  }

  fit(text: string, px: number): FittedText {
    const room = px / TOLERANCE
    let width = 0
    let end = 0
    let isAscii = true
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code < 128) width += this.#widths[code] ?? 0
      else {
        width += this.#widest
        isAscii = false
      }
      if (width > room) {
        return { text, short: isAscii ? text.slice(0, end) + ELLIPSIS : text, isWide: true }
      }
      if (width <= room - this.#ellipsis) end = at + 1
    }
    return { text, short: text, isWide: false }
  }
}
