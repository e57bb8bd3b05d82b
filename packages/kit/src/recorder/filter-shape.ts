import { allOf, type Condition, partsOf, printCondition, type Schema } from 'singletable/tools'

/** What is in place of a value. */
const VALUE = '${…}'

/** A filter without its values. */
export interface FilterShape {
  readonly text: string
  /** The stored names that it looks at. */
  readonly names: readonly string[]
}

/**
 * A filter with marks in place of its values, as far as callers asked for it; undefined if they did
 * not. What the library adds is left out: the type, where other entities can be among those read,
 * and the time to live.
 */
export function filterShape(
  { params, ttl }: Schema,
  filter: Condition | undefined,
): FilterShape | undefined {
  const own = allOf(
    (filter ? partsOf('and', filter) : []).filter(
      (part) => !isAbout(part, params.typeField) && !isAlive(part, ttl),
    ),
  )
  if (own === undefined) return undefined
  const names = new NameCollector()
  const text = printCondition(own, names)
  return { text, names: names.sorted() }
}

/** Collects the names of what is printed, and leaves out the values. */
export class NameCollector {
  readonly #names = new Set<string>()

  name(name: string): string {
    this.#names.add(name)
    return name
  }

  value(): string {
    return VALUE
  }

  sorted(): readonly string[] {
    return [...this.#names].sort()
  }
}

/** An equality of an attribute, or one with one of several values. */
function isAbout(part: Condition, name: string): boolean {
  const subject =
    part.kind === 'compare' ? part.left : part.kind === 'in' ? part.operand : undefined
  return subject?.kind === 'path' && subject.path[0] === name
}

/** That there is no time to live, or that it is not over. */
function isAlive(part: Condition, ttl: string | undefined): boolean {
  return (
    part.kind === 'or' &&
    part.left.kind === 'exists' &&
    part.left.path[0] === ttl &&
    isAbout(part.right, ttl ?? '')
  )
}
