import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Model } from './model.ts'

/** Ways to refuse an access pattern; each throws. */
export interface PatternProblems {
  refuse(what: string, fix: string): never
  /** Refuses a name that is none of those known. */
  requireName(kind: string, name: unknown, known: Iterable<string>): void
  /** The names of attributes under an option, as they were given. */
  requireNames(names: unknown, model: Model, option: string): readonly string[]
}

export function patternProblems(pattern: string): PatternProblems {
  const refuse = (what: string, fix: string): never => {
    throw new DefinitionError('PATTERN_INVALID', {
      what: `Access pattern "${pattern}": ${what}.`,
      where: 'schema, patterns',
      fix,
    })
  }
  const requireName = (kind: string, name: unknown, known: Iterable<string>): void => {
    const names = [...known]
    if (names.some((each) => each === name)) return
    const hint = didYouMean(String(name), names)
    refuse(`there is no ${kind} "${name}"${hint}`, `use ${names.join(', ')}`)
  }
  return {
    refuse,
    requireName,
    requireNames(names, model, option) {
      if (!Array.isArray(names)) {
        return refuse(`${option} is no list`, `name attributes, as in ${option}: ['name']`)
      }
      for (const name of names) {
        requireName(`attribute of ${model.name}`, name, model.attributes.keys())
      }
      return names
    },
  }
}

/** `"a" and "b"`. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ')
}
