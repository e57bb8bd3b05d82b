import {
  type AskedPattern,
  askedPattern,
  type CheckPattern,
  type PatternDefinition,
  type SchemaDefinition,
} from 'singletable/tools'

/** An access pattern as the schema says it, also one that the library refuses. Steps of a
 * transaction are patterns of their own. */
export interface DeclaredPattern {
  /** `placeOrder`, or of a step `placeOrder.order`. */
  readonly name: string
  /** In the words that the library has today. */
  readonly definition: AskedPattern
  readonly entities: readonly string[]
  readonly by: readonly string[]
  /** The one it reads; `primary` unless said. */
  readonly index: string
  /** The transaction that it is a step of. */
  readonly transaction: string | undefined
}

/** All of a schema, each transaction before its steps. */
export function declaredPatterns({ patterns }: SchemaDefinition): readonly DeclaredPattern[] {
  return Object.entries(patterns ?? {}).flatMap(([name, definition]) => {
    if (!isObject(definition)) return []
    const steps = 'steps' in definition && isObject(definition.steps) ? definition.steps : {}
    return [
      declaredPattern(name, definition),
      ...Object.entries(steps)
        .filter(([, step]) => isObject(step))
        .map(([step, each]) => declaredPattern(`${name}.${step}`, each, name)),
    ]
  })
}

function declaredPattern(
  name: string,
  definition: PatternDefinition | CheckPattern,
  transaction?: string,
): DeclaredPattern {
  // What is written need not be what the types ask for.
  const given = definition as { entity?: unknown; by?: unknown; index?: unknown }
  const index = typeof given.index === 'string' ? given.index : 'primary'
  return {
    name,
    definition: askedPattern(definition),
    entities: strings(given.entity),
    by: strings(given.by),
    index,
    transaction,
  }
}

function strings(given: unknown): readonly string[] {
  return [given].flat().filter((each) => typeof each === 'string')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
