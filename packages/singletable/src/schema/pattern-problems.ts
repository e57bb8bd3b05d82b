import { didYouMean } from '../errors/did-you-mean.ts'
import { kindOfValue } from '../errors/show-value.ts'
import type { Model } from './model.ts'
import type { Place } from './place.ts'

/** Ways to refuse an access pattern; each leaves it out. */
export interface PatternProblems {
  /** Reports a problem; reading continues. */
  report(what: string, fix: string, rule?: string): void
  refuse(what: string, fix: string, rule?: string): never
  /** Leaves the pattern out because a part of the schema that it names has a mistake. */
  requireSound(part: unknown): void
  /** Refuses a name that is none of those known. */
  requireName(kind: string, name: unknown, known: Iterable<string>): void
  /** The names of attributes under an option, as they were given. */
  requireNames(names: unknown, model: Model, option: string): readonly string[]
}

export function patternProblems(pattern: string, place: Place): PatternProblems {
  const report = (what: string, fix: string, rule?: string): void =>
    place.report(`Access pattern "${pattern}": ${what}.`, fix, { code: 'PATTERN_INVALID', rule })
  const refuse = (what: string, fix: string, rule?: string): never => {
    report(what, fix, rule)
    return place.leaveOut()
  }
  const isKnown = (
    kind: string,
    name: unknown,
    known: Iterable<string>,
    option = 'it',
  ): boolean => {
    const names = [...known]
    const found = names.some((each) => each === name)
    if (found) return true
    const what =
      typeof name === 'string'
        ? `there is no ${kind} "${name}"${didYouMean(name, names)}`
        : name === undefined
          ? `it has no ${kind}`
          : `${option} needs the name of an ${kind}, and has ${kindOfValue(name)}`
    report(what, `use ${names.join(', ')}`)
    return false
  }
  return {
    report,
    refuse,
    requireSound(part) {
      if (place.isFaulty(part)) place.leaveOut()
    },
    requireName(kind, name, known) {
      if (!isKnown(kind, name, known)) place.leaveOut()
    },
    requireNames(names, model, option) {
      if (!Array.isArray(names)) {
        return refuse(`${option} is not a list`, `name attributes, as in ${option}: ['name']`)
      }
      const isRight = names.map((name) =>
        isKnown(`attribute of ${model.name}`, name, model.attributes.keys(), option),
      )
      return isRight.includes(false) ? place.leaveOut() : names
    },
  }
}

/** `"a" and "b"`. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ')
}
