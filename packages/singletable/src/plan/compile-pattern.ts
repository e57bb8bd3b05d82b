import { entriesOf } from '../schema/check-options.ts'
import { addMembers, compileFilter } from '../schema/compile-filter.ts'
import { keyVariables } from '../schema/key-variables.ts'
import type { Model, Pattern, Schema } from '../schema/model.ts'
import {
  type AskedPattern,
  type AskedUpdate,
  askedPattern,
  type CheckPattern,
  type PatternDefinition,
  type TransactPattern,
} from '../schema/pattern-definition.ts'
import { type PatternProblems, patternProblems, quoteNames } from '../schema/pattern-problems.ts'
import type { Place } from '../schema/place.ts'
import { neededValues } from '../schema/step-values.ts'
import { compileQueryPattern, type PatternDraft } from './compile-query-pattern.ts'

type AnyPattern = PatternDefinition | CheckPattern

/** Patterns that name items by their primary keys. */
type KeyedPattern = Exclude<
  Extract<AskedPattern, { readonly by: readonly string[] }>,
  { readonly op: 'query' }
>

const QUESTION = 'entity index by in ignoreCase range consistent where filter'

/** What each kind of pattern can say, besides what all can. */
const OPTIONS: { readonly [op in AnyPattern['op']]: string } = {
  get: 'entity by consistent select project',
  getByUnique: 'entity by select project',
  query: `${QUESTION} order limit select project then`,
  count: QUESTION,
  exists: QUESTION,
  batchGet: 'entity by',
  transactGet: 'entity by',
  create: 'entity',
  put: 'entity where',
  update: 'entity by set add remove where given ifVersion',
  upsert: 'entity by set add remove where',
  delete: 'entity by where given ifVersion',
  transact: 'steps shared',
  external: 'service reason',
  scan: 'entity reason',
  check: 'entity by where ifVersion',
}
const NOTES = ' op title note owner status expect afterWrite'
// Without `check`, which is last: it exists only as a step of a transaction.
const OPERATIONS = Object.keys(OPTIONS).slice(0, -1)
const READS = ['get', 'getByUnique', 'query', 'count', 'exists', 'batchGet', 'transactGet', 'scan']
const STEPS = ['create', 'put', 'update', 'upsert', 'delete', 'check']
const STEPS_MAX = 100

/**
 * Names that would make what holds the patterns something else: a promise, or an object with
 * another prototype.
 */
const FORBIDDEN = ['', 'then', '__proto__', 'constructor', 'prototype']

/** Makes the access patterns of a schema ready for use, without those that its keys can't serve. */
export function compilePatterns(schema: Schema, place: Place): ReadonlyMap<string, Pattern> {
  const patterns = new Map<string, Pattern>()
  const all = place.at('patterns')
  for (const [name, each] of entriesOf(schema.definition.patterns, all)) {
    const at = all.in({ pattern: name })
    const pattern = at.attempt(() =>
      compilePattern(name, each as AnyPattern, OPERATIONS, schema, at),
    )
    if (pattern) patterns.set(name, pattern)
  }
  return patterns
}

function compilePattern(
  name: string,
  written: AnyPattern,
  operations: readonly string[],
  schema: Schema,
  place: Place,
): Pattern {
  const problems = patternProblems(name, place)
  const { refuse, requireName, requireSound } = problems
  if (FORBIDDEN.includes(name.split('.').pop()!)) refuse('its name is taken', 'choose another name')
  if (typeof written !== 'object' || written === null) {
    refuse('it is not an object', "give one, as in { op: 'get', entity: 'User', by: ['username'] }")
  }
  const { op } = written
  requireName('op', op, operations)
  const known = (OPTIONS[op] + NOTES + (operations === STEPS ? ' each' : '')).split(' ')
  for (const option of Object.keys(written)) {
    place.attempt(() => requireName('option', option, known))
  }
  for (const [word, older] of [
    ['select', 'project'],
    ['where', 'filter'],
  ] as const) {
    if (word in written && older in written) {
      refuse(`it has ${word} and ${older}, which are the same`, `leave out ${older}`)
    }
  }
  const definition = askedPattern(written)
  // Those that need one refuse the entity that is not there by its name.
  const { entity = op === 'scan' || !known.includes('entity') ? [] : undefined } = definition as {
    readonly entity?: string | readonly string[]
  }
  const models = [entity].flat().map((each): Model => {
    requireSound(`model ${each}`)
    requireName('entity', each, schema.models.keys())
    // It was just found.
    return schema.models.get(each!)!
  })
  if (models.length === 0 && op !== 'scan' && known.includes('entity')) {
    refuse('it names no entity', 'name one')
  }
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
      break
    case 'put':
      compileWhere(pattern, problems)
      break
    case 'external':
    case 'scan': {
      const { reason, service = 'none' } = { service: '', ...definition }
      if (!reason) refuse('it gives no reason', 'give a reason: why no key can answer it')
      if (op === 'external' && !service)
        refuse('it names no service', 'name the one that answers it')
      break
    }
    case 'transact': {
      const steps = Object.entries(Object(definition.steps) as typeof definition.steps)
      if (steps.length === 0 || steps.length > STEPS_MAX) {
        refuse(`it has ${steps.length} steps`, `give 1 to ${STEPS_MAX}, each under a name`, 'W02')
      }
      const compiled = steps.map(
        ([step, each]) =>
          [
            step,
            place.attempt(() => compilePattern(`${name}.${step}`, each, STEPS, schema, place)),
          ] as const,
      )
      const sound = compiled.filter((entry): entry is [string, Pattern] => entry[1] !== undefined)
      // A transaction without one of its steps would write something else than was declared.
      if (sound.length < steps.length) place.leaveOut()
      pattern.steps = new Map(sound)
      compileShared(pattern, problems)
      break
    }
    case 'query':
      compileQueryPattern(pattern, definition, schema, problems)
      break
    default:
      compileKeyed(pattern, definition, problems)
  }
  // Refused with the schema and not by the first call: no input could make such a step work.
  const needed = operations === STEPS ? neededValues(models[0]!, definition) : []
  if (needed.length > 0) {
    refuse(
      `what is written for ${models[0]!.name} depends on its current ${quoteNames(needed)}, and a transaction can't read first`,
      op === 'put'
        ? "use op: 'create' for a new item"
        : op === 'upsert'
          ? "use op: 'create' for a new item, or op: 'update' with given for one that exists"
          : `add ${needed.map((each) => `'${each}'`).join(', ')} to given, so that the call gives the current values`,
    )
  }
  return pattern
}

/** What the steps have in common. */
function compileShared({ definition, steps }: PatternDraft, { refuse }: PatternProblems): void {
  const { shared = [] } = definition as TransactPattern
  if (!Array.isArray(shared)) refuse('shared is not a list', "name attributes: shared: ['orderId']")
  for (const name of shared) {
    const models = [...steps.values()].flatMap((step) => step.models)
    if (steps.has(name)) {
      refuse(`"${name}" is shared and the name of a step`, 'choose another name for the step')
    }
    if (!models.some(({ attributes }) => attributes.has(name))) {
      refuse(`shared has "${name}", which no step has as an attribute`, 'correct the name')
    }
  }
}

function compileKeyed(
  pattern: PatternDraft,
  definition: KeyedPattern,
  problems: PatternProblems,
): void {
  const { refuse, requireNames } = problems
  const [model] = pattern.models as [Model]
  const by = requireNames(definition.by, model, 'by')
  const rules = model.derivedItems?.unique.map(({ determinedBy }) => determinedBy) ?? []
  const isUnique = definition.op === 'get' && definition.unique
  const isRule = (names: readonly string[]): boolean =>
    names.length === by.length && names.every((name) => by.includes(name))
  if (isUnique && !rules.some(isRule)) {
    refuse(
      `no rule makes ${quoteNames(by) || 'nothing'} unique`,
      rules.length > 0
        ? `use by: ${rules.map((names) => `[${names.map((name) => `'${name}'`).join(', ')}]`).join(', or ')}`
        : 'declare unique: true for an attribute',
    )
  }
  const keys = isUnique ? by : keyVariables([...model.primary.hash, ...model.primary.sort])
  const missing = keys.filter((key) => !by.includes(key))
  // An attribute that is not in the key would have no effect: DynamoDB finds the item by its key
  // alone.
  const extra = by.filter((name) => !keys.includes(name))
  if (missing.length + extra.length > 0) {
    const wrong = missing.length > 0 ? `lacks ${quoteNames(missing)}` : `has ${quoteNames(extra)}`
    refuse(
      `by ${wrong}, and the key of ${model.name} is made of ${quoteNames(keys)}`,
      `write by: [${keys.map((key) => `'${key}'`).join(', ')}], or use op: 'query' for other keys`,
      'P01',
    )
  }
  const input = new Map(by.map((name) => [name, true]))
  pattern.input = input
  if (definition.op === 'get') requireNames(definition.select ?? [], model, 'select')
  if (definition.op === 'update') compileChanges(definition, model, input, problems)
  const { given } = definition as { readonly given?: readonly string[] }
  if (given !== undefined) {
    const own = requireNames(given, model, 'given')
    const repeated = own.filter((name) => keys.includes(name))
    if (repeated.length > 0)
      refuse(`given has ${quoteNames(repeated)}, which by has`, 'leave it out')
    if (input.has('given')) {
      refuse(
        '"given" is an attribute of the call and its current values',
        'write it with a builder',
      )
    }
    input.set('given', true)
  }
  if ((definition as CheckPattern).ifVersion) {
    if (!model.version) {
      refuse(
        `${model.name} has no version`,
        'declare a Number attribute with version: true, or leave out ifVersion',
      )
    }
    input.set(model.version!.name, true)
  }
  compileWhere(pattern, problems)
}

/** Conditions of a write on the item that is there. */
function compileWhere(pattern: PatternDraft, problems: PatternProblems): void {
  const { where } = pattern.definition as { readonly where?: object }
  if (!where) return
  pattern.filter = compileFilter(where, pattern.models[0]!, problems)
  if (pattern.input) addMembers(pattern.input as Map<string, boolean>, pattern.filter)
}

function compileChanges(
  definition: AskedUpdate,
  model: Model,
  input: Map<string, boolean>,
  { refuse, requireNames }: PatternProblems,
): void {
  const keys = [...input.keys()]
  const changed = new Set<string>(keys)
  for (const option of ['set', 'add', 'remove'] as const) {
    for (const name of requireNames(definition[option] ?? [], model, option)) {
      const { readonly, version } = model.attributes.get(name)!.definition
      // A new item has all of them.
      if (changed.has(name) || (readonly && !definition.creates) || version) {
        refuse(
          `${option} can't change "${name}"`,
          'name each attribute once, and none that is part of the key, readonly or the version',
          keys.includes(name) ? 'K12' : undefined,
        )
      }
      changed.add(name)
      if (option !== 'remove') input.set(name, false)
    }
  }
  if (changed.size === keys.length) refuse('it changes nothing', 'give set, add or remove')
  const lacking = [...model.attributes.values()].filter(
    ({ name, definition: { required }, supply, from }) =>
      required && !supply && !from && !changed.has(name),
  )
  if (definition.creates && lacking.length > 0) {
    refuse(
      `it can't create a ${model.name} without ${quoteNames(lacking.map(({ name }) => name))}`,
      "add what is required to set, or use op: 'update' for items that exist",
    )
  }
}
