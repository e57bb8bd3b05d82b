import type { Reference } from '../reference.ts'
import { toOperand } from '../references.ts'
import type { Where } from '../where.ts'
import { isInput } from './input-value.ts'

/**
 * One of the conditions that must all hold, which compares a whole attribute with values: a key can
 * answer it.
 */
export interface Conjunct extends Where {
  readonly operands: readonly [Reference, ...unknown[]]
}

/** The conditions that must all hold. */
export interface Conjuncts {
  /** All of it. */
  readonly where: Where | undefined
  readonly all: readonly Where[]
  readonly usable: readonly Conjunct[]
}

export function splitConjuncts(where: Where | undefined): Conjuncts {
  // Conditions of an `and` are conditions, none of them an `and`.
  const all = (where?.operator === 'AND' ? where.operands : where ? [where] : []) as Where[]
  return { where, all, usable: all.filter(isUsable) }
}

const USABLE = ['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with', 'ignore_case']

function isUsable(where: Where): where is Conjunct {
  const { operator, operands } = where
  const [left, ...values] = operands
  const reference = USABLE.includes(operator) ? toOperand(left, '') : undefined
  return (
    reference?.kind === 'reference' &&
    reference.path.length === 1 &&
    // No key has a null.
    !values.some((value) => value === null || toOperand(value, ''))
  )
}

/** The first equality of an attribute, by the name callers have for it. */
export function equalityOf({ usable }: Conjuncts, name: string): Conjunct | undefined {
  return usable.find(({ operator, operands }) => operator === '=' && operands[0].name === name)
}

/**
 * The condition that fixes a placeholder: equality or, where the key ignores case, equality
 * whatever the case.
 */
export function fixedBy(
  conjuncts: Conjuncts,
  { name, folds }: FixedPlaceholder,
): Conjunct | undefined {
  const folded =
    folds &&
    conjuncts.usable.find(
      ({ operator, operands }) => operator === 'ignore_case' && operands[0].name === name,
    )
  return folded || equalityOf(conjuncts, name)
}

type FixedPlaceholder = { readonly name: string; readonly folds?: boolean | undefined }

/** What else is asked of an attribute. */
export function rangesOf({ usable }: Conjuncts, name: string): readonly Conjunct[] {
  return usable.filter(
    ({ operator, operands }) =>
      operator !== '=' && operator !== 'ignore_case' && operands[0].name === name,
  )
}

/** The equalities of the first elements of a list, in their order, as far as there are such. */
export function elementsOf({ all }: Conjuncts, stored: string | undefined): readonly Where[] {
  const elements: Where[] = []
  for (;;) {
    const equality = all.find(({ operator, operands }) => {
      const [left, value] = operands
      const { path = [] } = (operator === '=' && toOperand(left, '')) || {}
      const [name, position] = path
      const isHere = path.length === 2 && name === stored && position === elements.length
      return isHere && !toOperand(value, '')
    })
    if (equality === undefined) return elements
    elements.push(equality)
  }
}

/**
 * The values of which an attribute must have one, if a condition lists them; a list for each
 * attribute that has one, and no equality.
 */
export function listsOf(conjuncts: Conjuncts): readonly ValueList[] {
  const lists: ValueList[] = []
  for (const where of conjuncts.all) {
    const [reference, ...values] = listedIn(where) ?? []
    if (reference?.kind !== 'reference' || reference.path.length !== 1) continue
    const { name } = reference
    if (values.some((value) => value === null || isInput(value) || toOperand(value, ''))) continue
    if (equalityOf(conjuncts, name) || lists.some((list) => list.reference.name === name)) continue
    lists.push({ where, reference, values })
  }
  return lists
}

/** That an attribute has one of no values, as no item can. */
export function listsNothing({ operator, operands }: Where): boolean {
  return operator === 'IN' && operands.length === 1
}

export interface ValueList {
  /** The condition that lists them. */
  readonly where: Where
  readonly reference: Reference
  readonly values: readonly unknown[]
}

/** The operands of `in`, whose hundredth value is a comparison of its own. */
function listedIn({ operator, operands }: Where): readonly [Reference, ...unknown[]] | undefined {
  if (operator === 'IN') return operands as [Reference]
  const [list, one] = operands as (Where | undefined)[]
  if (operator !== 'OR' || operands.length !== 2) return undefined
  if (list?.operator !== 'IN' || one?.operator !== '=') return undefined
  const isSame = list.operands[0] === one.operands[0]
  return isSame ? [...(list.operands as [Reference]), one.operands[1]] : undefined
}

/** What is asked of a key attribute as it is stored. */
export function rawOf({ usable }: Conjuncts, stored: string): readonly Conjunct[] {
  return usable.filter(
    ({ operator, operands }) => operator !== 'ignore_case' && operands[0].path[0] === stored,
  )
}
