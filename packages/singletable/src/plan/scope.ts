import type { InputIssue } from '../errors/input-error.ts'
import { printPlace } from '../errors/print-place.ts'
import { canonicalValue } from '../schema/encode-attribute.ts'
import { addIssue, refuseInput } from '../schema/input-issues.ts'
import type { Index, Model, ModelIndex, Schema } from '../schema/model.ts'
import type { Component } from '../template/component.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { refusePlan } from './refuse-plan.ts'

/**
 * The attributes, such as a tenant's id, that all that is read and written through a handle must
 * have at the beginning of its partition keys.
 */
export interface Scope {
  readonly values: ReadonlyMap<string, unknown>
  /** For messages: the names, without values. */
  readonly names: string
}

/** What knows the table, and its scope if it has one. */
export interface ScopedContext {
  readonly name: string
  readonly schema: Schema
  readonly scope?: Scope | undefined
}

/**
 * Adds values to a scope, or makes one. Values that can't be in a key, and names that are at the
 * head of no model's, are refused.
 */
export function createScope({ name, schema, scope }: ScopedContext, given: object): Scope {
  const place = printPlace({ table: name, verb: 'scope' })
  const issues: InputIssue[] = []
  const values = new Map(scope?.values)
  for (const [attribute, value] of Object.entries(given ?? {})) {
    const isOther = values.has(attribute) && values.get(attribute) !== value
    if (isOther) addIssue(issues, 'has another value in the enclosing scope', attribute)
    if (value === undefined || value === null) addIssue(issues, 'is missing', attribute)
    values.set(attribute, value)
  }
  const made: Scope = { values, names: [...values.keys()].join(', ') }
  const models = [...schema.models.values()].filter(({ primary }) => isScoped(primary, made))
  if (values.size === 0 || models.length === 0) {
    addIssue(issues, `no model has ${made.names || 'them'} at the beginning of its partition key`)
  }
  if (issues.length === 0) {
    for (const model of models) {
      for (const part of scopedParts(model.primary, made)) {
        const attribute = model.attributes.get(part.name)!
        const value = canonicalValue(attribute, values.get(part.name), issues)
        if (issues.length === 0) part.encode(value)
      }
    }
  }
  if (issues.length > 0) {
    refuseInput(issues, place, 'give attributes that partition keys begin with, as { tenantId }')
  }
  return made
}

/** What a caller gives, with the values of the scope; what contradicts them is refused. */
export function fillScope<TInput extends object | undefined>(
  { name, schema, scope }: ScopedContext,
  model: Model,
  input: TInput,
  verb: string,
): TInput {
  if (scope === undefined) return input
  const place = printPlace({ table: name, entity: model.name, verb })
  if (!isScoped(model.primary, scope)) {
    leave(place, scope, `the partition key of ${model.name} does not begin with it`)
  }
  // An input that is not an object is refused where it is read.
  if (typeof input !== 'object' || input === null) return input
  const filled = withScope(scope, model, input, place)
  const [{ name: key, attribute } = { name: '' }] = model.primary.hash
  // A caller can also give the stored partition key, and so the key of another tenant.
  const raw = getOwn(filled, key)
  // An attribute that is the key has the value of the scope already.
  if (raw !== undefined && attribute?.name !== key) {
    const isInside = isPartition({ schema, scope }, schema.primary, () =>
      attribute
        ? attribute.codec.encode(raw, [])
        : typeof raw === 'string'
          ? { S: raw }
          : undefined,
    )
    if (!isInside) leave(place, scope, 'the partition key that is given is outside of it')
  }
  // It has the members of what was given, and those of the scope.
  return filled as TInput
}

/**
 * An object with the values of the scope, or those that have one of the names; what contradicts
 * them is refused.
 */
export function withScope(
  scope: Scope,
  model: Model,
  input: object,
  place: string,
  names?: readonly string[],
): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...input }
  const issues: InputIssue[] = []
  for (const [attribute, value] of scope.values) {
    const codec = model.attributes.get(attribute)?.codec
    if (codec === undefined || names?.includes(attribute) === false) continue
    const given = getOwn(filled, attribute)
    // As they are stored: two Date objects of one time are the same value.
    if (given !== undefined && !sameValue(codec.encode(given, []), codec.encode(value, []))) {
      addIssue(issues, 'is not that of the scope', attribute)
    }
    setOwn(filled, attribute, value)
  }
  if (issues.length > 0) refuseInput(issues, place, `leave ${scope.names} out: the scope has it`)
  return filled
}

/** The values of the scope as parts of a key of the library's own, in the order of keys. */
export function scopeParts({ schema, scope }: ScopedContext): readonly (string | number)[] {
  if (scope === undefined) return []
  const { primary, attributes } = [...schema.models.values()].find((model) =>
    isScoped(model.primary, scope),
  )!
  const components = new Map(scopedParts(primary, scope).map((part) => [part.name, part]))
  return [...new Set([...components.keys(), ...scope.values.keys()])].map((name) => {
    const value = canonicalValue(attributes.get(name)!, scope.values.get(name), [])
    const component = components.get(name)
    // Values that differ only in case can be one tenant.
    if (typeof value === 'string' && !component?.folds) return value
    return Number.isSafeInteger(value) ? Number(value) : String(component?.print(value) ?? value)
  })
}

/** Refuses to do something outside of the scope. */
export function leave(place: string, { names }: Scope, why: string): never {
  return refusePlan(
    'SCOPE_VIOLATED',
    place,
    `The call would leave the scope of ${names}: ${why}.`,
    'stay within the scope, or use the table itself where all of it may be seen',
  )
}

/** Whether the partition keys of an index begin with the attributes of the scope. */
export function isScoped({ hash }: ModelIndex, { values }: Scope): boolean {
  const names = hash.flatMap(({ template, attribute }) =>
    template
      ? template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.name))
      : attribute.name,
  )
  const head = [...new Set(names)].slice(0, values.size)
  return head.length === values.size && head.every((name) => values.has(name))
}

/**
 * Whether a partition of an index belongs to the scope: it is one that a model makes of the scope's
 * values, and none that a model makes of other ones.
 */
export function isPartition(
  { schema, scope }: { readonly schema: Schema; readonly scope: Scope },
  index: Index,
  keyValue: (keyAttribute: string) => AttributeValue | undefined,
): boolean {
  const fits: boolean[] = []
  for (const model of schema.models.values()) {
    const use = model.indexes.find((each) => each.index === index)
    if (use === undefined || !isScoped(use, scope)) continue
    let isMade = true
    let isOurs = true
    const canonical = (name: string): unknown =>
      canonicalValue(model.attributes.get(name)!, scope.values.get(name), [])
    for (const { name, template, attribute } of use.hash) {
      const value = keyValue(name)
      if (attribute !== undefined) {
        const own = scope.values.has(attribute.name)
        isMade &&= value !== undefined
        isOurs &&= !own || sameValue(value, attribute.codec.encode(canonical(attribute.name), []))
        continue
      }
      const found = template.match(value?.S ?? '')
      isMade &&= found !== undefined
      for (const part of template.parts) {
        if (typeof part === 'string' || !scope.values.has(part.name) || !found) continue
        isOurs &&= part.print(canonical(part.name)) === part.print(getOwn(found, part.name))
      }
    }
    if (isMade) fits.push(isOurs)
  }
  // Several models can read one key text. If only one of them finds another tenant in it, it is
  // refused.
  return fits.length > 0 && !fits.includes(false)
}

/** The placeholders that stand for the scope's values. */
function scopedParts({ hash }: ModelIndex, { values }: Scope): readonly Component[] {
  return hash.flatMap(({ template }) =>
    (template?.parts ?? []).flatMap((part) =>
      typeof part === 'string' || !values.has(part.name) ? [] : part,
    ),
  )
}
