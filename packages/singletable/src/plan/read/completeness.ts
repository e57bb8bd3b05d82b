import { isInEachKey, isLasting } from '../../schema/is-lasting.ts'
import type { Attribute, Model, ModelIndex } from '../../schema/model.ts'
import { withoutPrefix } from '../../schema/without-prefix.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { sameValue } from '../../values/same-value.ts'
import { holdsFor } from '../holds.ts'
import { isWhere } from '../operators.ts'
import type { Reference } from '../reference.ts'
import { toOperand } from '../references.ts'
import type { Where } from '../where.ts'

import { isInput } from './input-value.ts'

/**
 * Whether an index has every item that a question asks for. An item is in an index only if it has
 * all attributes of the index's keys, or any of them if these can be short, and meets its `when`,
 * so the question must imply each of these demands. Each demand is about one attribute: the question is tried with all states that the
 * attribute can have outside of the index, and with everything else unknown. What remains possible
 * is a gap.
 */

/**
 * Items that match a question and are not in the index: those without the attribute, or with a
 * value that `allowed` does not have.
 */
export interface Gap {
  /** Of several models, the one whose items they are. */
  readonly model?: string
  readonly attribute: string
  readonly allowed: readonly unknown[] | undefined
}

/**
 * A state of an attribute: a stored value, none at all, or one that is equal to none that the
 * question names.
 */
type State = AttributeValue | 'absent' | 'other'

interface Demand {
  readonly attribute: Attribute
  readonly allowed: readonly unknown[] | undefined
  readonly canBeAbsent: boolean
}

const NO_GAPS: readonly Gap[] = []

/**
 * What matching items an index can lack; nothing, if it is complete for the question. The primary
 * index has all items.
 */
export function gapsOf(model: Model, use: ModelIndex, where: Where | undefined): readonly Gap[] {
  const demands = demandsOf(model, use)
  if (demands.length === 0 || impliesKey(model, use, where)) return NO_GAPS
  const gaps = demands.flatMap(({ attribute, allowed, canBeAbsent }) => {
    const { name, codec } = attribute
    const inside = allowed?.map((value) => codec.encode(value, []))
    const isOutside = (state: State): boolean => {
      if (state === 'other') return inside !== undefined
      if (state === 'absent' || state.NULL) return true
      return inside?.some((value) => sameValue(value, state)) === false
    }
    const isPossible = statesOf(attribute, where, use, canBeAbsent).some(
      (state) =>
        isOutside(state) &&
        canBe(true, where, (atom) => holdsIn(atom, attribute, state, use, inside)),
    )
    return isPossible ? [{ attribute: name, allowed }] : []
  })
  return use.isShort && gaps.length < demands.length ? NO_GAPS : gaps
}

/** For people: `items without "due"`. */
export function describeGaps(gaps: readonly Gap[]): string {
  return gaps
    .map(({ model, attribute, allowed }) => {
      const what = allowed
        ? `items whose "${attribute}" is not ${allowed.join(' or ')}`
        : `items without "${attribute}"`
      return model === undefined ? what : `${model} ${what}`
    })
    .join(', ')
}

const demandsByUse = new WeakMap<ModelIndex, readonly Demand[]>()

/** What an item must have to be in an index, without what every item of the model has. */
function demandsOf(model: Model, use: ModelIndex): readonly Demand[] {
  let demands = demandsByUse.get(use)
  if (demands === undefined) {
    const isThere = use.names.some((name) => isInEachKey(model, name))
    // An item has a short key if it has any of them.
    const names = use.isShort && isThere ? [] : use.names
    demands = names.flatMap((name): Demand[] => {
      const attribute = model.attributes.get(name)!
      const allowed = use.when?.get(name)
      const canBeAbsent = !isLasting(model, attribute)
      return canBeAbsent || attribute.definition.nulls || allowed
        ? [{ attribute, allowed, canBeAbsent }]
        : []
    })
    demandsByUse.set(use, demands)
  }
  return demands
}

/**
 * Whether the question asks for a key as it is stored which items have only if they are in the
 * index.
 */
function impliesKey(model: Model, use: ModelIndex, where: Where | undefined): boolean {
  return model.derived.some(
    ({ name, uses }) =>
      uses.length === 1 &&
      uses[0] === use &&
      !canBe(true, where, (atom) =>
        subjectOf(atom)?.path[0] === name ? holdsFor(atom, undefined) : undefined,
      ),
  )
}

/**
 * Whether a condition can have this outcome, where `atom` says what is known of each comparison in
 * it.
 */
function canBe(
  outcome: boolean,
  where: Where | undefined,
  atom: (where: Where) => boolean | undefined,
): boolean {
  if (where === undefined) return outcome
  const { operator, operands } = where
  if (operator === 'NOT') return canBe(!outcome, operands[0] as Where, atom)
  if (operator === 'AND' || operator === 'OR') {
    const can = (operand: unknown): boolean => canBe(outcome, operand as Where, atom)
    return (operator === 'AND') === outcome ? operands.every(can) : operands.some(can)
  }
  const known = atom(where)
  return known === undefined || known === outcome
}

/** What a comparison is about, if it is one attribute, or a place in it, compared with values. */
function subjectOf({ operands }: Where): Reference | undefined {
  const [left, ...values] = operands
  return values.some((value) => toOperand(value, '')) ? undefined : (left as Reference)
}

/** The outcome of a comparison where an attribute is in a state, as far as it is known. */
function holdsIn(
  where: Where,
  { stored, codec }: Attribute,
  state: State,
  use: ModelIndex,
  allowed: readonly AttributeValue[] | undefined,
): boolean | undefined {
  const subject = subjectOf(where)
  if (subject?.path[0] !== stored) return undefined
  const { operator } = where
  if (state === 'absent') return holdsFor(where, undefined)
  if (subject.kind !== 'reference' || subject.path.length > 1 || codec.opaque) {
    return state !== 'other' && state.NULL ? holdsFor(where, undefined) : undefined
  }
  if (where.operands.some(isInput)) {
    // An equality with what the index never holds is refused when the question is asked.
    return operator === '=' && allowed ? false : undefined
  }
  if (state !== 'other') return holdsFor(bare(where, use), state)
  if (operator === '=' || operator === 'IN') return false
  if (operator === '<>' || operator === 'attribute_exists') return true
  return operator === 'attribute_not_exists' ? false : undefined
}

/** All states that an attribute can have, as far as the question and the index distinguish them. */
function statesOf(
  { stored, codec, definition }: Attribute,
  where: Where | undefined,
  use: ModelIndex,
  canBeAbsent: boolean,
): readonly State[] {
  const states: State[] = canBeAbsent ? ['absent'] : []
  if (definition.nulls) states.push({ NULL: true })
  const { enum: all = definition.type === Boolean ? [true, false] : undefined } = definition
  const add = (value: unknown): void => {
    const issues: [] = []
    const encoded = codec.encode(value, issues)
    // What is wrong with a value is reported when the condition is printed.
    if (issues.length === 0) states.push(encoded)
  }
  if (all !== undefined) {
    for (const value of all) add(value)
    return states
  }
  const collect = (each: Where): void => {
    if (isWhere(each.operands[0])) {
      for (const inner of each.operands) collect(inner as Where)
      return
    }
    const { kind, path } = subjectOf(each) ?? {}
    if (kind !== 'reference' || path?.length !== 1 || path[0] !== stored) return
    if (!['=', '<>', 'IN'].includes(each.operator)) return
    for (const value of bare(each, use).operands.slice(1)) if (!isInput(value)) add(value)
  }
  if (where) collect(where)
  return [...states, 'other']
}

/** Keys take a text also with the literal before its placeholder. */
function bare(where: Where, { hash, sort }: ModelIndex): Where {
  const [subject, ...values] = where.operands as [Reference, ...unknown[]]
  const operands = values.map((value) => {
    let text = value
    for (const { template } of [...hash, ...sort]) {
      if (template && typeof text === 'string') text = withoutPrefix(template, subject.name, text)
    }
    return text
  })
  return operands.every((value, at) => value === values[at])
    ? where
    : { ...where, operands: [subject, ...operands] }
}
