import { type AttributeValue, getOwn, type Item, type Model } from 'singletable/tools'
import { sampledItems } from '../../../cost/cost-design.ts'
import { listNames } from '../../../text/list-names.ts'
import type { Design } from '../../design/design.ts'
import { readersOf } from '../../design/index-needs.ts'
import type { Notice, Rule } from '../rule.ts'

/** An index that leaves out less than half of the items is hardly worth a condition. */
const SHARE_MAX = 0.5

export const denseForFew: Rule = {
  code: 'I12',
  name: 'dense-for-few',
  severity: 'warning',
  source: 'schema',
  title: 'An index holds all items of a model, but its patterns read only some of them.',
  explanation: `Where every pattern that reads a model through an index filters by the same fixed value, the others are in the index only to be read and discarded. With "when" an item is in the index
only while it has that value: the index is small, its reads need no filter, and items enter and leave it by themselves as they are updated.

  wrong   openTickets: { op: 'query', entity: 'Ticket', index: 'gsi1', by: ['assignee'], where: { status: 'open' } }
  right   Ticket: { when: { gsi1: { status: 'open' } } }
          openTickets: { op: 'query', entity: 'Ticket', index: 'gsi1', by: ['assignee'] }

With a sample of the table the message says how many items are wanted, and the rule is silent where it is half of them or more.`,
  *check(design) {
    for (const model of design.schema?.models.values() ?? []) {
      for (const { index, when } of model.indexes) {
        // Only keys that are made for the index can be left out of an item.
        if (!model.derived.some(({ uses }) => uses.some((use) => use.index === index))) continue
        const notice = noticeOf(design, model, index.name, when)
        if (notice) yield notice
      }
    }
  },
}

function noticeOf(
  design: Design,
  model: Model,
  index: string,
  when: ReadonlyMap<string, readonly unknown[]> | undefined,
): Notice | undefined {
  const readers = readersOf(design, model, index)
  const fixed = readers.map(([{ filter }]) =>
    filter.filter(
      ({ operator, operands, attribute }) =>
        (operator === 'eq' || operator === 'in') &&
        operands.every(({ input }) => input === undefined) &&
        !when?.has(attribute),
    ),
  )
  const tests = fixed[0]?.filter(({ attribute }) =>
    fixed.every((each) => each.some((other) => other.attribute === attribute)),
  )
  const name = tests?.[0]?.attribute
  if (name === undefined) return undefined
  const values = new Set(
    fixed.flatMap((each) =>
      each
        .filter(({ attribute }) => attribute === name)
        .flatMap(({ operands }) => operands.flatMap(({ value }) => value)),
    ),
  )
  const attribute = model.attributes.get(name)
  const known = attribute?.definition.enum
  if (attribute === undefined || known?.every((value) => values.has(value))) return undefined
  const items = sampledItems(design, model)
  const share =
    items.filter((item) => isWanted(item, attribute.stored, values)).length / items.length
  // Without a sample it is NaN.
  if (share >= SHARE_MAX) return undefined
  const patterns = readers.map(([pattern]) => pattern.name)
  const needs = patterns.length === 1 ? 'needs' : 'need'
  const shown = [...values].map((value) => JSON.stringify(value))
  const which = `${name} is ${shown.length > 1 ? `one of ${listNames(shown)}` : shown.join()}`
  return {
    message: Number.isNaN(share)
      ? `${listNames(patterns)} ${needs} only the ${model.name} whose ${which}; make ${index} sparse.`
      : `${listNames(patterns)} ${needs} ${Math.round(share * 100)}% of ${model.name}, whose ${which}; make ${index} sparse.`,
    fix: `add when: { ${index}: { ${name}: ${shown.length > 1 ? `[${shown.join(', ')}]` : shown.join()} } } to ${model.source?.name ?? model.name}, and leave out the filter`,
    place: { model: model.name, index },
  }
}

function isWanted(item: Item, stored: string, values: ReadonlySet<unknown>): boolean {
  const value = getOwn(item, stored)
  return value !== undefined && values.has(plainOf(value))
}

function plainOf({ S, N, BOOL }: AttributeValue): unknown {
  return S ?? BOOL ?? (N === undefined ? undefined : Number(N))
}
