import type { InputIssue } from '../errors/input-error.ts'
import { kindOfValue } from '../errors/show-value.ts'
import type { Path, UpdateValue } from '../expression/tree.ts'
import { addIssue } from '../schema/input-issues.ts'
import type { Codec } from '../schema/model.ts'
import type { Reference } from './reference.ts'
import { toReference } from './references.ts'

/** What `set` computes from the item's own attributes: `op.plus(attr.a, 1)`. */
interface Computation {
  readonly operator: '+' | '-' | 'or else'
  readonly left: unknown
  readonly right: unknown
}

/** Where the item does not have what a value is computed from. */
export const MISSING_SOURCE_FIX: string =
  'use op.orElse(attr.name, value) for attributes that may be missing, or a condition with where()'

/** Only what the operators gave is one: data from outside that looks like it stays data. */
const computations = new WeakSet<object>()

function computation(operator: Computation['operator']) {
  return (left: unknown, right: unknown): Computation => {
    const made = Object.freeze({ operator, left, right })
    computations.add(made)
    return made
  }
}

/** The `op` of callbacks of `set`. */
export const updateOperators: Readonly<Record<'plus' | 'minus' | 'orElse', unknown>> =
  Object.freeze({
    plus: computation('+'),
    minus: computation('-'),
    orElse: computation('or else'),
  })

/**
 * What DynamoDB computes for a place whose values have this codec; `undefined` with an issue where
 * it can't.
 */
export function encodeUpdateValue(
  given: unknown,
  target: Reference,
  issues: InputIssue[],
): UpdateValue | undefined {
  const refuse = (message: string): undefined => {
    addIssue(issues, message)
  }
  const operandOf = (value: unknown): UpdateValue | undefined => {
    const reference = toReference(value, 'set()')
    if (reference) {
      const problem = mismatch(reference.codec, target.codec)
      return problem
        ? refuse(`can't take the value of "${reference.name}", which ${problem}`)
        : { kind: 'path', path: reference.path }
    }
    if (isComputation(value)) {
      // DynamoDB's grammar of SET has one + or - for each value, and none inside of if_not_exists.
      if (value.operator !== 'or else') return refuse('takes one plus() or minus() at most')
      const path = operandOf(value.left)
      const otherwise = operandOf(value.right)
      if (path && path.kind !== 'path') return refuse('needs an attribute first in orElse()')
      return path && otherwise && { kind: 'if_not_exists', path: path.path, otherwise }
    }
    return { kind: 'value', value: target.codec.encode(value, issues) }
  }
  if (isComputation(given) && given.operator !== 'or else') {
    const { operator } = given
    if (target.codec.tag !== 'N') return refuse('is not a number, so nothing can be added to it')
    const [left, right] = [operandOf(given.left), operandOf(given.right)]
    return left && right && { kind: 'arithmetic', operator, left, right }
  }
  if (!isComputation(given) && !toReference(given, 'set()')) {
    return refuse(
      `needs an attribute, as in (attr) => attr.name, and the function gave ${kindOfValue(given)}`,
    )
  }
  return operandOf(given)
}

function isComputation(value: unknown): value is Computation {
  return computations.has(value as object)
}

/**
 * Why values of one codec are not those of another. DynamoDB copies the stored value as it is: one
 * in the form of another codec could not be decoded any more.
 */
function mismatch(from: Codec, to: Codec): string | undefined {
  if (from.unstored) return 'is not stored'
  if (from.opaque || from.transformed || to.opaque || to.transformed)
    return 'is stored in another form'
  if (from.tag !== to.tag && from.tag && to.tag) return 'has another type'
  return undefined
}

/** The paths that a value is computed from. */
export function sourcePaths(value: UpdateValue): readonly Path[] {
  switch (value.kind) {
    case 'value':
      return []
    case 'path':
      return [value.path]
    case 'if_not_exists':
      return [value.path, ...sourcePaths(value.otherwise)]
    default:
      return [...sourcePaths(value.left), ...sourcePaths(value.right)]
  }
}
