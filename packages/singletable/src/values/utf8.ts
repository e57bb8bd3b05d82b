/**
 * DynamoDB measures and orders text by its UTF-8 bytes, JavaScript holds it as UTF-16 units. These
 * functions give the UTF-8 answers without encoding.
 */

/** The bytes of the text in UTF-8. A lone surrogate counts three, as any encoder would write U+FFFD
 * in its place. */
export function utf8Length(text: string): number {
  const units = text.length
  let length = units
  for (let index = 0; index < units; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) {
      length += 1
    } else {
      length += 2
      // A pair is four bytes for two units, so the low half adds nothing more.
      if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index++
    }
  }
  return length
}

/** Orders two strings by their UTF-8 bytes: negative, zero or positive. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    const unitA = a.charCodeAt(index)
    const unitB = b.charCodeAt(index)
    if (unitA !== unitB) return utf8Rank(unitA) - utf8Rank(unitB)
  }
  return a.length - b.length
}

/** True if the text is not well-formed UTF-16, so that it has no UTF-8 form of its own. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed()
}

/**
 * Surrogates stand for U+10000 and above, whose bytes come after those of U+E000…U+FFFF, although
 * their units come before. Moving them behind makes the first differing unit decide just as the
 * first differing byte would.
 */
function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** False for the NaN that reading past the end gives. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
