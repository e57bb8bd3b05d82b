import { didYouMean } from '../errors/did-you-mean.ts'
import type { InputIssue } from '../errors/input-error.ts'
import { isPlain } from '../schema/compile-filter.ts'
import { ownValue } from '../schema/index-keys.ts'
import { isObject, notAnObject, refuseInput } from '../schema/input-issues.ts'
import type { Pattern } from '../schema/model.ts'
import { type AskedQuery, RANGE_BOUNDS, type UpdatePattern } from '../schema/pattern-definition.ts'
import { getOwn, setOwn } from '../values/own.ts'

/**
 * Refuses an input that lacks a member or has one that the pattern does not know; all of them at
 * once.
 */
export function checkInput(
  { input: members, definition, filter, models }: Pattern,
  input: unknown,
  place: string,
): void {
  const issues: InputIssue[] = []
  if (!isObject(input)) issues.push({ path: [], message: notAnObject(input) })
  else if (members !== undefined) {
    for (const [name, isNeeded] of members) {
      if (isNeeded && ownValue(input, name) === undefined) {
        issues.push({ path: [name], message: 'is missing' })
      }
    }
    for (const name of Object.keys(input)) {
      if (members.has(name)) continue
      const message = `is not a member of the input${didYouMean(name, members.keys())}`
      issues.push({ path: [name], message })
    }
    const { in: listed = [], given } = definition as AskedQuery & UpdatePattern
    const lists = filter.flatMap(({ operands: [operand], whole }) =>
      whole && operand?.input !== undefined ? operand.input : [],
    )
    for (const name of [...listed, ...lists]) {
      const value = ownValue(input, name)
      if (value !== undefined && !Array.isArray(value)) {
        issues.push({ path: [name], message: 'is not a list' })
      }
    }
    if (given) issues.push(...givenIssues(given, ownValue(input, 'given')))
    const { range } = definition as { readonly range?: string }
    const bounds = range !== undefined && ownValue(input, range)
    const isList = models[0]?.attributes.get(range!)?.codec.tag === 'L'
    if (isPlain(bounds)) issues.push(...rangeIssues(range!, bounds, isList))
  }
  if (issues.length > 0) {
    const names = [...(members?.keys() ?? [])].join(', ')
    refuseInput(issues, place, `give ${names ? `{ ${names} }` : 'an item'}`)
  }
}

function givenIssues(names: readonly string[], given: unknown): InputIssue[] {
  if (given === undefined) return []
  if (!isObject(given)) return [{ path: ['given'], message: notAnObject(given) }]
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: ['given', name],
      message: `is not one of the current values${didYouMean(name, names)}; give ${names.join(', ')}`,
    }))
}

function rangeIssues(range: string, bounds: object, isList: boolean): InputIssue[] {
  const names = Object.keys(bounds)
  // Keys only have the beginning of a list.
  const known: readonly string[] = isList ? ['beginsWith'] : RANGE_BOUNDS
  const issues = names.flatMap((name): InputIssue[] => {
    if (!known.includes(name)) {
      const hint = isList ? didYouMean(name, known) : suggestion(name, known)
      const message = `is not a bound${hint}; use ${known.join(', ')}`
      return [{ path: [range, name], message }]
    }
    return ownValue(bounds, name) === undefined
      ? [{ path: [range, name], message: 'is undefined' }]
      : []
  })
  for (const [one, other] of [
    ['from', 'gt'],
    ['to', 'lt'],
  ]) {
    if (names.includes(one!) && names.includes(other!)) {
      issues.push({ path: [range], message: `has both ${one} and ${other}` })
    }
  }
  return issues
}

/** The members of an input that have these names. */
export function pickMembers(input: object, names: readonly string[]): object {
  const picked: Record<string, unknown> = {}
  for (const name of names) {
    if (Object.hasOwn(input, name)) setOwn(picked, name, ownValue(input, name))
  }
  return picked
}

/**
 * Words of other libraries for bounds; the nearest of ours would leave out the first or the last.
 */
const OTHER_WORDS: { readonly [word: string]: string } = {
  gte: 'from',
  ge: 'from',
  lte: 'to',
  le: 'to',
  between: 'from and to',
}

function suggestion(name: string, known: readonly string[]): string {
  const word = getOwn(OTHER_WORDS, name)
  return word === undefined ? didYouMean(name, known) : `: write ${word}`
}
