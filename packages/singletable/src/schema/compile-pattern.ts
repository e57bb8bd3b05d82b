import { compileQueryPattern, type PatternDraft } from './compile-query-pattern.ts'
import { keyVariables } from './key-variables.ts'
import type { Model, Pattern, Schema } from './model.ts'
import type { CheckPattern, PatternDefinition } from './pattern-definition.ts'
import { type PatternProblems, patternProblems, quoteNames } from './pattern-problems.ts'

type AnyPattern = PatternDefinition | CheckPattern

/** Patterns that name items by their primary keys. */
type KeyedPattern = Exclude<
  Extract<AnyPattern, { readonly by: readonly string[] }>,
  { readonly op: 'query' }
>

/** What each kind of pattern can say, besides what all can. */
const OPTIONS: { readonly [op in AnyPattern['op']]: string } = {
  get: 'entity by consistent project',
  query: 'entity index by range order limit consistent project filter then',
  batchGet: 'entity by',
  transactGet: 'entity by',
  create: 'entity',
  put: 'entity',
  update: 'entity by set add remove',
  delete: 'entity by',
  transact: 'steps',
  external: 'service reason',
  scan: 'entity reason',
  check: 'entity by',
}
const NOTES = ' op title note owner status expect afterWrite'
const OPERATIONS = Object.keys(OPTIONS).slice(0, -1)
const READS = ['get', 'query', 'batchGet', 'transactGet', 'scan']
const STEPS = ['create', 'put', 'update', 'delete', 'check']
const STEPS_MAX = 100

/** Names that would make what holds the patterns something else: a promise, or an object with another prototype. */
const FORBIDDEN = ['', 'then', '__proto__', 'constructor', 'prototype']

/** Makes the access patterns of a schema ready for use, and refuses those that its keys can't serve. */
export function compilePatterns(schema: Schema): ReadonlyMap<string, Pattern> {
  const patterns = Object.entries(schema.definition.patterns ?? {})
  return new Map(
    patterns.map(([name, each]) => [name, compilePattern(name, each, OPERATIONS, schema)]),
  )
}

function compilePattern(
  name: string,
  definition: AnyPattern,
  operations: readonly string[],
  schema: Schema,
): Pattern {
  const problems = patternProblems(name)
  const { refuse, requireName } = problems
  if (FORBIDDEN.includes(name.split('.').pop()!)) refuse('its name is taken', 'choose another name')
  if (typeof definition !== 'object' || definition === null) {
    refuse('it is no object', "give one, as in { op: 'get', entity: 'User', by: ['username'] }")
  }
  const { op } = definition
  requireName('op', op, operations)
  const known = (OPTIONS[op] + NOTES).split(' ')
  for (const option of Object.keys(definition)) requireName('option', option, known)
  // Those that need one refuse the entity that is not there by its name.
  const { entity = op === 'scan' || !known.includes('entity') ? [] : undefined } = definition as {
    readonly entity?: string | readonly string[]
  }
  const models = [entity].flat().map((each): Model => {
    requireName('entity', each, schema.models.keys())
    // It was just found.
    return schema.models.get(each!)!
  })
  const copy = models.find(({ source }) => source)
  if (copy && !READS.includes(op)) {
    refuse(`${copy.name} is a copy of ${copy.source?.name}, and copies are only read`, 'write that')
  }
  const pattern: PatternDraft = {
    name,
    definition,
    models,
    use: models[0]?.primary,
    input: undefined,
    filter: [],
    target: undefined,
    steps: new Map(),
  }
  switch (definition.op) {
    case 'create':
    case 'put':
      break
    case 'external':
    case 'scan': {
      const { reason, service = 'none' } = { service: '', ...definition }
      if (!reason) refuse('it gives no reason', 'say in reason why no key can answer it')
      if (op === 'external' && !service)
        refuse('it names no service', 'name the one that answers it')
      break
    }
    case 'transact': {
      const steps = Object.entries(definition.steps ?? {})
      if (steps.length === 0 || steps.length > STEPS_MAX) {
        refuse(`it has ${steps.length} steps`, `give 1 to ${STEPS_MAX}, each under a name`)
      }
      pattern.steps = new Map(
        steps.map(([step, each]) => [step, compilePattern(`${name}.${step}`, each, STEPS, schema)]),
      )
      break
    }
    case 'query':
      compileQueryPattern(pattern, definition, schema, problems)
      break
    default:
      compileKeyed(pattern, definition, problems)
  }
  return pattern
}

function compileKeyed(
  pattern: PatternDraft,
  definition: KeyedPattern,
  problems: PatternProblems,
): void {
  const { refuse, requireNames } = problems
  const [model] = pattern.models as [Model]
  const by = requireNames(definition.by, model, 'by')
  const keys = keyVariables([...model.primary.hash, ...model.primary.sort])
  const missing = keys.filter((key) => !by.includes(key))
  const extra = by.filter((name) => !keys.includes(name))
  if (missing.length + extra.length > 0) {
    const wrong = missing.length > 0 ? `lacks ${quoteNames(missing)}` : `has ${quoteNames(extra)}`
    refuse(
      `by ${wrong}, and the key of ${model.name} is made of ${quoteNames(keys)}`,
      `write by: [${keys.map((key) => `'${key}'`).join(', ')}], or use op: 'query' for other keys`,
    )
  }
  const input = new Map(by.map((name) => [name, true]))
  pattern.input = input
  if (definition.op === 'get') requireNames(definition.project ?? [], model, 'project')
  if (definition.op !== 'update') return
  const changed = new Set<string>(keys)
  for (const option of ['set', 'add', 'remove'] as const) {
    for (const name of requireNames(definition[option] ?? [], model, option)) {
      const { readonly, version } = model.attributes.get(name)!.definition
      if (changed.has(name) || readonly || version) {
        refuse(
          `${option} can't change "${name}"`,
          'name each attribute once, and none that is part of the key, readonly or the version',
        )
      }
      changed.add(name)
      if (option !== 'remove') input.set(name, false)
    }
  }
  if (changed.size === keys.length) refuse('it changes nothing', 'give set, add or remove')
}
