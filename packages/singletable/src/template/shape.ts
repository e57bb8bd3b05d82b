/** Which strings a part of a template can become: enough to know whether two templates can make the
 * same key. */

/** A set of UTF-16 units: all that are listed, or all that pass the test. */
export type Letters = string | ((letter: string) => boolean)

/** One unit of the text, or with `many` none or more of them. */
export interface Run {
  readonly letters: Letters
  readonly many: boolean
}

/** One of these sequences. */
export type Shape = readonly (readonly Run[])[]

export const DIGITS = '0123456789'

export function literalRuns(text: string): Run[] {
  return text.split('').map((letters) => ({ letters, many: false }))
}

/** The pattern with any digit for each of its zeros. */
export function digitRuns(pattern: string): Run[] {
  return literalRuns(pattern).map((run) =>
    run.letters === '0' ? { ...run, letters: DIGITS } : run,
  )
}

export function oneOrMore(letters: Letters): Run[] {
  return [
    { letters, many: false },
    { letters, many: true },
  ]
}
