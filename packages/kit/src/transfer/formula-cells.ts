/**
 * Text that a spreadsheet executes, or could once its first character is dropped: a formula begins
 * with one of these signs, also in their wide forms and behind white space; a tab or a line end at
 * the start can move it into a cell of its own. Apostrophes in front are counted in, so that a text
 * that has them by itself is not taken for one that `guardCell` changed. See
 * https://owasp.org/www-community/attacks/CSV_Injection.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/

/** The text with an apostrophe in front if a spreadsheet would execute it. */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What `guardCell` was given. */
export function unguardCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}
