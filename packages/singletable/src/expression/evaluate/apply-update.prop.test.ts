import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { equalItems } from '../../values/compare.ts'
import type { Path, Update, UpdateValue } from '../tree.ts'
import { applyUpdate, UpdateError } from './apply-update.ts'

const name = fc.constantFrom('a', 'b', 'c', '__proto__')
const position = fc.nat(4)
const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map((number) => ({ N: String(number) })),
  fc.constantFrom('x', 'y').map((S) => ({ S })),
  fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }).map((NS) => ({ NS })),
  fc.uniqueArray(fc.constantFrom('p', 'q'), { minLength: 1 }).map((SS) => ({ SS })),
)
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((L) => ({ L })),
    mapOf(tie('value')).map((M) => ({ M })),
  ),
}))
/** Mostly items that have what the paths below like to name: a list under `a`, a map under `b`, a
 * set or number under `c`. */
const item = fc.oneof(
  { weight: 1, arbitrary: mapOf(value) },
  {
    weight: 4,
    arbitrary: fc.record({
      a: fc.array(value, { maxLength: 4 }).map((L) => ({ L })),
      b: mapOf(value).map((M) => ({ M })),
      c: scalar,
    }),
  },
)

/** Maps may hold the name `__proto__`, which `fc.dictionary` would not make an own name. */
function mapOf(values: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Item> {
  return fc
    .array(fc.tuple(name, values), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries))
}

const path: fc.Arbitrary<Path> = fc.oneof(
  fc.tuple(name),
  fc.tuple(fc.constant('a'), position),
  fc.tuple(fc.constant('b'), name),
  fc
    .tuple(name, fc.array(fc.oneof(name, position), { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest] as const),
)
const { updateValue } = fc.letrec<{ updateValue: UpdateValue }>((tie) => ({
  updateValue: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: value.map((content) => ({ kind: 'value' as const, value: content })) },
    path.map((source) => ({ kind: 'path' as const, path: source })),
    fc.record({ kind: fc.constant('if_not_exists' as const), path, otherwise: tie('updateValue') }),
    fc.record({
      kind: fc.constant('list_append' as const),
      left: tie('updateValue'),
      right: tie('updateValue'),
    }),
    fc.record({
      kind: fc.constant('arithmetic' as const),
      operator: fc.constantFrom('+' as const, '-' as const),
      left: tie('updateValue'),
      right: tie('updateValue'),
    }),
  ),
}))

type Action =
  | { readonly clause: 'set'; readonly path: Path; readonly value: UpdateValue }
  | { readonly clause: 'remove'; readonly path: Path }
  | { readonly clause: 'add'; readonly path: Path; readonly value: AttributeValue }
  | { readonly clause: 'delete'; readonly path: Path; readonly value: AttributeValue }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ clause: fc.constant('set' as const), path, value: updateValue }),
  fc.record({ clause: fc.constant('remove' as const), path }),
  fc.record({ clause: fc.constant('add' as const), path, value: scalar }),
  fc.record({ clause: fc.constant('delete' as const), path, value: scalar }),
)

/** Drops actions whose path overlaps an earlier one, or takes for a list what that takes for a
 * map. */
const actions = fc.array(action, { minLength: 1, maxLength: 5 }).map((candidates) => {
  const kept: Action[] = []
  for (const candidate of candidates) {
    if (kept.every((other) => compatible(candidate.path, other.path))) kept.push(candidate)
  }
  return kept
})

function compatible(a: Path, b: Path): boolean {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return typeof a[index] === typeof b[index]
  }
  return false
}

function updateOf(list: readonly Action[]): Update {
  return {
    set: list.filter((one) => one.clause === 'set'),
    remove: list.filter((one) => one.clause === 'remove').map((one) => one.path),
    add: list.filter((one) => one.clause === 'add'),
    delete: list.filter((one) => one.clause === 'delete'),
  }
}

// The model: a mutable tree of Maps, arrays and leaves, changed one step after the other.

type Tree = Map<string, Tree> | Tree[] | Leaf
type Leaf = { readonly tag: 'N' | 'S' | 'NS' | 'SS'; readonly content: string | readonly string[] }
const HOLE = Symbol('hole')

const toTree = (from: AttributeValue): Tree => {
  if (from.M) return new Map(Object.entries(from.M).map(([key, child]) => [key, toTree(child)]))
  if (from.L) return from.L.map(toTree)
  const [[tag, content] = []] = Object.entries(from)
  return { tag: tag as Leaf['tag'], content: content as Leaf['content'] }
}
const fromTree = (tree: Tree): AttributeValue => {
  if (tree instanceof Map)
    return { M: Object.fromEntries([...tree].map(([key, child]) => [key, fromTree(child)])) }
  if (Array.isArray(tree)) return { L: tree.map(fromTree) }
  return { [tree.tag]: tree.content } as never
}
const isLeaf = (tree: Tree | undefined): tree is Leaf =>
  tree !== undefined && !(tree instanceof Map) && !Array.isArray(tree)

function find(root: Tree, steps: readonly (string | number)[]): Tree | undefined {
  let tree: Tree | undefined = root
  for (const step of steps) {
    if (typeof step === 'number') tree = Array.isArray(tree) ? tree[step] : undefined
    else tree = tree instanceof Map ? tree.get(step) : undefined
  }
  return tree
}

class ModelError extends Error {}
const fail = (problem: string): never => {
  throw new ModelError(problem)
}

function modelValue(expression: UpdateValue, root: Tree): Tree {
  switch (expression.kind) {
    case 'value':
      return toTree(expression.value)
    case 'path':
      return structuredClone(find(root, expression.path)) ?? fail('missing-attribute')
    case 'if_not_exists': {
      const otherwise = modelValue(expression.otherwise, root)
      return structuredClone(find(root, expression.path)) ?? otherwise
    }
    case 'list_append': {
      const left = modelValue(expression.left, root)
      if (!Array.isArray(left)) return fail('operand-type')
      const right = modelValue(expression.right, root)
      return Array.isArray(right) ? left.concat(right) : fail('operand-type')
    }
    case 'arithmetic': {
      const left = modelValue(expression.left, root)
      if (!isLeaf(left) || left.tag !== 'N') return fail('operand-type')
      const right = modelValue(expression.right, root)
      if (!isLeaf(right) || right.tag !== 'N') return fail('operand-type')
      const sign = expression.operator === '+' ? 1 : -1
      return { tag: 'N', content: String(Number(left.content) + sign * Number(right.content)) }
    }
  }
}

function modelAdd(present: Tree | undefined, operand: AttributeValue): Tree {
  const added = toTree(operand) as Leaf
  if (added.tag === 'S') return fail('operand-type')
  if (present === undefined) return added
  if (!isLeaf(present) || present.tag !== added.tag) return fail('operand-type')
  if (added.tag === 'N')
    return { tag: 'N', content: String(Number(present.content) + Number(added.content)) }
  const extra = [...added.content].filter((element) => !present.content.includes(element))
  return { tag: added.tag, content: [...present.content, ...extra] }
}

function modelDelete(present: Tree | undefined, operand: AttributeValue): Tree | undefined {
  const removed = toTree(operand) as Leaf
  if (present === undefined) return undefined
  if (!isLeaf(present) || present.tag !== removed.tag || removed.tag.length === 1)
    return fail('operand-type')
  const content = [...present.content].filter((element) => !removed.content.includes(element))
  return content.length === 0 ? undefined : { tag: present.tag, content }
}

function modelUpdate(list: readonly Action[], start: Item): Item {
  const before = toTree({ M: start })
  const root = toTree({ M: start })
  const work: { readonly path: Path; readonly result: Tree | undefined }[] = []
  for (const clause of ['set', 'remove', 'add', 'delete']) {
    for (const one of list.filter((any) => any.clause === clause)) {
      const parent = find(before, one.path.slice(0, -1))
      const wanted =
        typeof one.path.at(-1) === 'number' ? Array.isArray(parent) : parent instanceof Map
      if (!wanted) fail('invalid-path')
      const present = find(before, one.path)
      if (one.clause === 'set') work.push({ path: one.path, result: modelValue(one.value, before) })
      if (one.clause === 'remove') work.push({ path: one.path, result: undefined })
      if (one.clause === 'add') work.push({ path: one.path, result: modelAdd(present, one.value) })
      if (one.clause === 'delete')
        work.push({ path: one.path, result: modelDelete(present, one.value) })
    }
  }
  // Removed elements leave a hole first, so that positions stay; appended ones come in ascending
  // order of position.
  const last = ({ path }: { readonly path: Path }): number => {
    const step = path.at(-1)
    return typeof step === 'number' ? step : 0
  }
  const holed = new Set<Tree[]>()
  for (const { path, result } of work.toSorted((a, b) => last(a) - last(b))) {
    const parent = find(root, path.slice(0, -1))
    const step = path.at(-1)!
    if (parent instanceof Map) {
      if (result === undefined) parent.delete(String(step))
      else parent.set(String(step), result)
    } else if (Array.isArray(parent)) {
      const length = (find(before, path.slice(0, -1)) as Tree[]).length
      if (result === undefined) {
        if (Number(step) < length) parent[Number(step)] = HOLE as never
        holed.add(parent)
      } else if (Number(step) < length) parent[Number(step)] = result
      else parent.push(result)
    }
  }
  for (const holes of holed) {
    holes.splice(0, holes.length, ...holes.filter((element) => element !== (HOLE as never)))
  }
  return fromTree(root).M!
}

const outcome = (run: () => Item): Item | string => {
  try {
    return run()
  } catch (error) {
    if (error instanceof UpdateError) return error.problem
    if (error instanceof ModelError) return error.message
    throw error
  }
}

describe('an update', () => {
  it('does what changing a copy step by step does, or fails with the same problem', () => {
    let applied = 0
    fc.assert(
      fc.property(actions, item, (list, start) => {
        const frozen = JSON.stringify(start)
        const actual = outcome(() => applyUpdate(updateOf(list), start))
        const expected = outcome(() => modelUpdate(list, start))
        expect(JSON.stringify(start)).toBe(frozen)
        if (typeof actual === 'string' || typeof expected === 'string') {
          expect(actual).toEqual(expected)
        } else {
          applied++
          expect(
            equalItems(actual, expected),
            `${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
          ).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
    expect(applied).toBeGreaterThan(500)
  })
})
