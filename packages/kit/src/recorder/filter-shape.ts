import type { Schema } from 'singletable/tools'

/** What stands in place of a value. */
const VALUE = '${…}'

/** A filter without its values. */
export interface FilterShape {
  readonly text: string
  /** The stored names that it looks at. */
  readonly names: readonly string[]
}

/**
 * A filter with marks in place of its values, as far as callers asked for it; undefined if they did not. What the library adds is left out: the type, where other
 * entities can be among those read, and the time to live.
 */
export function filterShape(
  { params, ttl }: Schema,
  expression: string,
  nameOf: (placeholder: string) => string,
): FilterShape | undefined {
  if (expression === '') return undefined
  const own = conjunctsOf(expression).filter((conjunct) => {
    const text = readable(conjunct, nameOf)
    const bare = text.replace(/^\((.*)\)$/s, '$1')
    const isType =
      bare.startsWith(`${params.typeField} = `) || bare.startsWith(`${params.typeField} IN `)
    const isTime = ttl !== undefined && bare === `attribute_not_exists(${ttl}) OR ${ttl} > ${VALUE}`
    return !isType && !isTime
  })
  if (own.length === 0) return undefined
  const text = own.map((conjunct) => readable(conjunct, nameOf)).join(' AND ')
  return { text, names: namesIn(own.join(' '), nameOf) }
}

/** The names behind the placeholders of an expression, each once. */
export function namesIn(
  expression: string,
  nameOf: (placeholder: string) => string,
): readonly string[] {
  const names = [...expression.matchAll(/#\w+/g)].map(([placeholder]) => nameOf(placeholder))
  return [...new Set(names)].sort()
}

function readable(expression: string, nameOf: (placeholder: string) => string): string {
  return expression.replace(/#\w+/g, nameOf).replace(/:\w+/g, VALUE)
}

/** The parts that must all hold. An AND inside of parentheses or of a BETWEEN is none between parts. */
function conjunctsOf(expression: string): readonly string[] {
  const conjuncts: string[] = ['']
  let depth = 0
  let isBetween = false
  for (const token of expression.split(/(\s+AND\s+|\s+BETWEEN\s+|[()])/i)) {
    const word = token.trim().toUpperCase()
    if (word === '(') depth++
    if (word === ')') depth--
    if (word === 'BETWEEN') isBetween = true
    if (word === 'AND' && isBetween) isBetween = false
    else if (word === 'AND' && depth === 0) {
      conjuncts.push('')
      continue
    }
    conjuncts[conjuncts.length - 1] += token
  }
  return conjuncts
}
