import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AttributeValue } from '../values/attribute-value.ts'
import { bindCondition } from './bind-condition.ts'
import { bindProjection } from './bind-projection.ts'
import { bindUpdate } from './bind-update.ts'
import { parseCondition } from './parse-condition.ts'
import { parseProjection } from './parse-projection.ts'
import { parseUpdate } from './parse-update.ts'
import { Placeholders } from './placeholders.ts'
import { PrintedPlaceholders, printCondition, printProjection, printUpdate } from './print.ts'
import type { Condition, Operand, Path, Projection, Update, UpdateValue } from './tree.ts'

const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'toString', 'name'))
const path: fc.Arbitrary<Path> = fc
  .tuple(name, fc.array(fc.oneof(name, fc.nat(2_147_483_647)), { maxLength: 4 }))
  .map(([first, rest]): Path => [first, ...rest])
const ordered: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.string().map((S) => ({ S })),
  fc.integer().map((number) => ({ N: String(number) })),
  fc.constantFrom({ B: '' }, { B: 'YQ==' }),
)
const set: fc.Arbitrary<AttributeValue> = fc.constantFrom<AttributeValue>(
  { SS: ['a'] },
  { NS: ['1'] },
)
const anyValue: fc.Arbitrary<AttributeValue> = fc.oneof(
  ordered,
  set,
  fc.constantFrom<AttributeValue>(
    { BOOL: true },
    { NULL: true },
    { L: [] },
    { M: { k: { S: '' } } },
  ),
)

const pathOperand = path.map((path): Operand => ({ kind: 'path', path }))
const size = pathOperand.map((operand): Operand => ({ kind: 'size', operand }))
const operandOf = (value: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Operand> =>
  fc.oneof(
    pathOperand,
    value.map((value): Operand => ({ kind: 'value', value })),
    size,
  )

/** A path compared with itself is refused, so the other side of a comparison is not a path here. */
const other = (value: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Operand> =>
  operandOf(value).filter((operand) => operand.kind !== 'path')

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('exists'), path, negated: fc.boolean() }),
    fc.record({
      kind: fc.constant('compare'),
      operator: fc.constantFrom('=', '<>'),
      left: operandOf(anyValue),
      right: other(anyValue),
    }),
    fc.record({
      kind: fc.constant('compare'),
      operator: fc.constantFrom('<', '<=', '>', '>='),
      left: other(ordered),
      right: operandOf(ordered),
    }),
    fc.record({
      kind: fc.constant('between'),
      operand: pathOperand,
      low: other(ordered),
      high: size,
    }),
    fc.record({
      kind: fc.constant('in'),
      operand: pathOperand,
      list: fc.array(other(anyValue), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ kind: fc.constant('contains'), operand: pathOperand, search: other(anyValue) }),
    fc.record({
      kind: fc.constant('begins_with'),
      operand: pathOperand,
      prefix: fc.string().map((S): Operand => ({ kind: 'value', value: { S } })),
    }),
    fc.record({
      kind: fc.constant('attribute_type'),
      operand: pathOperand,
      type: fc.constantFrom('S', 'BS').map((S): Operand => ({ kind: 'value', value: { S } })),
    }),
    fc.record({ kind: fc.constant('not'), condition: tie('condition') }),
    fc.record({ kind: fc.constant('and'), left: tie('condition'), right: tie('condition') }),
    fc.record({ kind: fc.constant('or'), left: tie('condition'), right: tie('condition') }),
  ) as fc.Arbitrary<Condition>,
}))

/** Paths that are allowed together in an update: no two begin alike. */
const apart = fc.uniqueArray(path, { selector: (path) => path[0], maxLength: 8 })

const plain: fc.Arbitrary<UpdateValue> = fc.oneof(
  path.map((path): UpdateValue => ({ kind: 'path', path })),
  fc.constantFrom<UpdateValue>({ kind: 'value', value: { L: [] } }),
)
const counted: fc.Arbitrary<UpdateValue> = fc.oneof(
  path.map((path): UpdateValue => ({ kind: 'path', path })),
  fc.constantFrom<UpdateValue>(
    { kind: 'value', value: { N: '1' } },
    {
      kind: 'if_not_exists',
      path: ['name', 3],
      otherwise: {
        kind: 'if_not_exists',
        path: ['b'],
        otherwise: { kind: 'value', value: { N: '0' } },
      },
    },
  ),
)
const updateValue: fc.Arbitrary<UpdateValue> = fc.oneof(
  plain,
  counted,
  fc.record({ kind: fc.constant('list_append' as const), left: plain, right: plain }),
  fc.record({
    kind: fc.constant('arithmetic' as const),
    operator: fc.constantFrom('+' as const, '-' as const),
    left: counted,
    right: counted,
  }),
)

const update: fc.Arbitrary<Update> = fc
  .tuple(
    apart.filter((paths) => paths.length > 0),
    fc.array(updateValue, { minLength: 8, maxLength: 8 }),
    fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
  )
  .map(([paths, values, sections]) => {
    const section = (wanted: number): Path[] =>
      paths.filter((_, index) => sections[index] === wanted)
    return {
      set: section(0).map((path, index) => ({ path, value: values[index]! })),
      remove: section(1),
      add: section(2).map((path) => ({ path, value: { N: '1' } })),
      delete: section(3).map((path) => ({ path, value: { SS: ['x'] } })),
    }
  })

function placeholdersOf(printed: PrintedPlaceholders): Placeholders {
  return new Placeholders({ names: printed.names(), values: printed.values() })
}

it('a printed condition is read back as the same tree', () => {
  fc.assert(
    fc.property(condition, (tree: Condition) => {
      const printed = new PrintedPlaceholders()
      const text = printCondition(tree, printed)
      fc.pre(text.length <= 4096)
      expect(bindCondition(parseCondition(text), placeholdersOf(printed))).toEqual(tree)
    }),
    { numRuns: 500 },
  )
})

it('a printed update is read back as the same tree', () => {
  fc.assert(
    fc.property(update, (tree: Update) => {
      const printed = new PrintedPlaceholders()
      const text = printUpdate(tree, printed)
      expect(bindUpdate(parseUpdate(text), placeholdersOf(printed))).toEqual(tree)
    }),
    { numRuns: 300 },
  )
})

it('a printed projection is read back as the same paths', () => {
  fc.assert(
    fc.property(
      apart.filter((paths) => paths.length > 0),
      (tree: Projection) => {
        const printed = new PrintedPlaceholders()
        const text = printProjection(tree, printed)
        expect(bindProjection(parseProjection(text), placeholdersOf(printed))).toEqual(tree)
      },
    ),
  )
})
