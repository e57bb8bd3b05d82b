import type { Attribute, FilterTest, Model, ModelIndex } from 'singletable/tools'
import { compareValues } from './compare-values.ts'
import { holdsFilter, operandsOf } from './holds-filter.ts'
import { canBeLeftOut, type ItemMaker } from './item-maker.ts'
import { storedForm, type Values } from './item-values.ts'
import { neighboursOf } from './neighbours.ts'
import { NotRunError } from './not-run-error.ts'

/** Values for the attributes of a filter: some that pass, and some that just don't. */
export interface FilterValues {
  /** What the filter compares with, by the names of the input. */
  readonly members: Values
  readonly passing: ReadonlyMap<string, readonly unknown[]>
  readonly failing: ReadonlyMap<string, readonly unknown[]>
}

const FRESH = 4

export function filterValues(
  model: Model,
  tests: readonly FilterTest[],
  maker: ItemMaker,
  /** What items of the index have. */
  when: ModelIndex['when'],
): FilterValues {
  const members = new Map<string, unknown>()
  const passing = new Map<string, readonly unknown[]>()
  const failing = new Map<string, readonly unknown[]>()
  for (const name of new Set(tests.map(({ attribute }) => attribute))) {
    const attribute = model.source?.attributes.get(name) ?? model.attributes.get(name)
    if (attribute === undefined) continue
    const own = tests.filter((test) => test.attribute === name)
    const isHeld = (value: unknown): boolean => when?.get(name)?.includes(value) ?? true
    const candidates = candidatesFor(model, attribute, maker).filter(isHeld)
    for (const test of own) chooseMembers(test, candidates, attribute, members)
    const constants = own.flatMap((test) => operandsOf(test, members))
    const all: unknown[] = [
      ...candidates,
      ...constants.filter((value) => isOfType(attribute, value)),
      ...constants.flatMap((value) =>
        isOfType(attribute, value) ? neighboursOf(attribute, model.source ?? model, value) : [],
      ),
    ]
    if (canBeLeftOut(model.source ?? model, attribute)) all.push(undefined)
    const passes = (value: unknown): boolean =>
      own.every((test) =>
        holdsFilter(
          test,
          value === undefined ? undefined : storedForm(attribute, value),
          operandsOf(test, members),
          attribute.definition.type === 'decimal',
        ),
      )
    const good = all.filter((value) => passes(value) && isHeld(value))
    if (good.length === 0) {
      throw new NotRunError(
        `No value was found for ${model.name}.${name} that passes the filter: give it an enum, or a filter that its values can pass`,
      )
    }
    passing.set(name, good)
    failing.set(
      name,
      all.filter((value) => !passes(value)),
    )
  }
  return { members, passing, failing }
}

/** A few values, in their order, and what is near to one of them. */
function candidatesFor(model: Model, attribute: Attribute, maker: ItemMaker): readonly unknown[] {
  const source = model.source ?? model
  const made = Array.from({ length: FRESH }, () => maker.value(source, attribute))
  const near = made.slice(0, 1).flatMap((value) => neighboursOf(attribute, source, value))
  const isDecimal = attribute.definition.type === 'decimal'
  return [...made, ...near]
    .map((value) => storedForm(attribute, value))
    .sort((a, b) => compareValues(a, b, isDecimal) ?? 0)
}

/** Lower bounds are low and upper bounds high, so that there is something between them. */
function chooseMembers(
  { operator, operands, whole }: FilterTest,
  candidates: readonly unknown[],
  { definition }: Attribute,
  members: Map<string, unknown>,
): void {
  const low = candidates[Math.floor(candidates.length / 3)]
  const high = candidates[Math.floor((2 * candidates.length) / 3)]
  for (const [position, { input }] of operands.entries()) {
    if (input === undefined || members.has(input)) continue
    const isUpper = operator === 'lt' || operator === 'lte' || position % 2 === 1
    const value = isUpper ? high : low
    members.set(
      input,
      whole
        ? [low, high]
        : operator === 'beginsWith'
          ? String(value).slice(0, 2)
          : operator === 'contains' && definition.type !== String
            ? [...(value as Iterable<unknown>)][0]
            : operator === 'contains'
              ? String(value).slice(1, 3)
              : value,
    )
  }
}

/** A substring or an element that a test looks for is not a value of the attribute. */
function isOfType({ codec }: Attribute, value: unknown): boolean {
  const issues: Parameters<typeof codec.encode>[1] = []
  codec.encode(value, issues, true)
  return issues.length === 0
}
