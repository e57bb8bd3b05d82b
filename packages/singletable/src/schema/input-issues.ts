import type { ErrorCode } from '../errors/codes.ts'
import { InputError, type InputIssue } from '../errors/input-error.ts'
import { isPromise, kindOfValue, showValue } from '../errors/show-value.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import type { Codec, WriteMode } from './model.ts'

/** The message shows this many issues; the error has the rest. */
const ISSUES_SHOWN = 3

/** After this many issues, the other parts of a value are not checked. */
export const ISSUES_MAX = 100

/** What an encoder gives for a value that is wrong; never sent. */
const NOTHING: AttributeValue = Object.freeze({ NULL: true })

/** Adds what is wrong with a value: a phrase that completes "it …". */
export function addIssue(
  issues: InputIssue[],
  message: string,
  ...path: (string | number)[]
): AttributeValue {
  issues.push({ path, message })
  return NOTHING
}

/** Adds what is wrong with a value, which the message shows. */
export function addWrongValue(
  issues: InputIssue[],
  value: unknown,
  message: string,
): AttributeValue {
  issues.push({ path: [], message, given: showValue(value) })
  return NOTHING
}

/** Makes an encoder keep values out of messages. */
export function withoutValues(encode: Codec['encode']): Codec['encode'] {
  return (value, issues, writes) => {
    const from = issues.length
    const encoded = encode(value, issues, writes)
    for (let index = from; index < issues.length; index++) {
      issues[index] = { ...issues[index]!, given: undefined }
    }
    return encoded
  }
}

/** What a type that was given in place of another one may have been meant to be. */
const HINTS: { readonly [mistake: string]: string } = {
  'null for': '; leave it out, or declare nulls: true',
  'a string for a Date': '; use new Date()',
  'a number for a Date': '; use new Date()',
  'a Date for a string': '; use toISOString(), or declare type: Date',
  'an array for a Set': '; use new Set()',
}

/** Adds that a value is of another type than expected. */
export function addWrongType(
  issues: InputIssue[],
  value: unknown,
  expected: string,
): AttributeValue {
  const kind = kindOfValue(value)
  const hint = HINTS[value === null ? 'null for' : `${kind} for ${expected}`] ?? ''
  return addWrongValue(issues, value, `is ${kind}, not ${expected}${hint}`)
}

/** Encodes a part of a value; what is wrong is added under its name or position. */
export function encodePart(
  encode: Codec['encode'],
  value: unknown,
  place: string | number,
  issues: InputIssue[],
  writes?: WriteMode,
): AttributeValue {
  const from = issues.length
  const encoded = encode(value, issues, writes)
  if (issues.length > from) placeIssues(issues, from, place)
  return encoded
}

/** Puts a place before the paths of all issues from that one on. */
export function placeIssues(issues: InputIssue[], from: number, place: string | number): void {
  for (let index = from; index < issues.length; index++) {
    const issue = issues[index]!
    issues[index] = { ...issue, path: [place, ...issue.path] }
  }
}

/** `address.city`, `tags[2]`. */
export function printPath(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('')
}

/** The first of the issues as a sentence, and how many more there are. */
export function describeIssues(issues: readonly InputIssue[]): string {
  const shown = issues.slice(0, ISSUES_SHOWN).map(({ path, message, given }) => {
    const name = path.length === 0 ? '' : `"${printPath(path)}"${given ? ': ' : ' '}`
    return name + (given ? `${given} ` : '') + message
  })
  const more = issues.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}

/** Whether a value has members to read: no list, and no promise that somebody forgot to await. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value)
}

export function notAnObject(value: unknown): string {
  return `an object was expected, not ${kindOfValue(value)}`
}

/** Throws all that is wrong with an input at once; one message alone is about all of it. */
export function refuseInput(
  problem: readonly InputIssue[] | string,
  where: string,
  fix = 'correct these values; error.issues lists them all',
  code: ErrorCode = 'INPUT_INVALID',
): never {
  const issues = typeof problem === 'string' ? [{ path: [], message: problem }] : problem
  // Of an issue as options the error takes the cause.
  const options = issues.find((issue: InputIssue) => issue.cause !== undefined)
  throw new InputError(code, { what: describeIssues(issues), where, fix }, issues, options)
}
