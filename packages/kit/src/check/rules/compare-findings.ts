import type { Finding, Place, Severity } from './rule.ts'

const RANKS: { readonly [TSeverity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** The worst first, then by place and code, so that the same design gives the same report. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    RANKS[a.severity] - RANKS[b.severity] ||
    comparePlaces(a.place, b.place) ||
    compareStrings(a.code, b.code) ||
    compareStrings(a.message, b.message)
  )
}

/** What a finding is about, as a heading: a model, a pattern, an index, a file, or the schema as a
 * whole. */
export function headingOf({ model, pattern, index, file }: Place): string {
  if (pattern !== undefined) return `pattern ${pattern}`
  if (model !== undefined) return `model ${model}`
  if (index !== undefined) return `index ${index}`
  return file === undefined ? 'schema' : `file ${file}`
}

/** The place in full, by the user's names: `Post.title in gsi1`. */
export function printPlace(place: Place): string {
  const { model, attribute, index, pattern, file, line } = place
  const parts = [
    ...(pattern === undefined ? [] : [`pattern ${pattern}`]),
    ...(model === undefined
      ? []
      : [attribute === undefined ? `model ${model}` : `${model}.${attribute}`]),
    ...(index === undefined ? [] : [`index ${index}`]),
    ...(file === undefined ? [] : [line === undefined ? file : `${file}:${line}`]),
  ]
  return parts.length > 0 ? parts.join(', ') : 'schema'
}

function comparePlaces(a: Place, b: Place): number {
  return (
    compareStrings(headingOf(a), headingOf(b)) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareStrings(printPlace(a), printPlace(b))
  )
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
