import type { AskedQuery, Pattern } from 'singletable/tools'
import type { Sample, SampledItem } from './read-sample.ts'

/** The number of keys in the example of a pattern about several items. */
const KEYS_MAX = 3

/**
 * An input for a pattern that reads, taken from existing items: the one that finds most items.
 * Undefined if no item can answer the pattern.
 */
export function chooseInput(pattern: Pattern, sample: Sample): unknown {
  const { op } = pattern.definition
  if (op === 'scan') return {}
  const groups = groupItems(pattern, sample)
  if (op === 'batchGet' || op === 'transactGet') {
    const keys = groups.slice(0, KEYS_MAX).flatMap((group) => inputOf(pattern, group) ?? [])
    return keys.length > 0 ? keys : undefined
  }
  const largest = groups.reduce<readonly SampledItem[]>(
    (best, group) => (group.length > best.length ? group : best),
    [],
  )
  return inputOf(pattern, largest)
}

/** The items that a pattern can find, together with those that the same input finds. */
function groupItems(pattern: Pattern, { items }: Sample): readonly (readonly SampledItem[])[] {
  const { definition, models, use } = pattern
  const by = namesOf(definition)
  const needed = [...(use?.index.hash ?? []), ...(use?.index.sort ?? [])]
  const groups = new Map<string, SampledItem[]>()
  for (const each of items) {
    const isAsked = models.includes(each.model)
    // An item without the keys of a sparse index is not in it.
    if (!isAsked || !needed.every((name) => Object.hasOwn(each.item, name))) continue
    if (!by.every((name) => each.output[name] !== undefined)) continue
    const key = JSON.stringify(by.map((name) => String(each.output[name])))
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  return [...groups.values()]
}

function inputOf(
  pattern: Pattern,
  group: readonly SampledItem[],
): Readonly<Record<string, unknown>> | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const { range, in: listed = [] } = pattern.definition as AskedQuery
  // Without its range a query in buckets of time reads every bucket until now.
  const isBucketed = pattern.use?.hash.some(({ template }) =>
    template?.components.some(({ name, unit }) => unit && name === range),
  )
  const input = new Map<string, unknown>()
  for (const [name, isNeeded] of pattern.input ?? []) {
    if (!isNeeded && !(isBucketed && name === range)) continue
    const value =
      name === range
        ? rangeOf(group, name)
        : (filterValue(pattern, name, first) ?? first.output[name])
    if (value === undefined) return undefined
    // One is enough where several are possible.
    input.set(name, listed.includes(name) ? [value] : value)
  }
  return Object.fromEntries(input)
}

/** The attributes whose values are in the input of a call. */
function namesOf(definition: Pattern['definition']): readonly string[] {
  const { by = [], in: listed = [] } = definition as Partial<AskedQuery>
  return [...by, ...listed]
}

/** From the smallest to the largest value of the items. */
function rangeOf(group: readonly SampledItem[], name: string): object | undefined {
  // All values of an attribute have one type, and `<` orders dates, strings and numbers.
  const values = group
    .map(({ output }) => output[name] as string)
    .filter((each) => each !== undefined)
  const sorted = values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  if (Array.isArray(sorted[0])) return { beginsWith: sorted[0].slice(0, 1) }
  return sorted.length > 0 ? { from: sorted[0], to: sorted.at(-1) } : undefined
}

/** The input of a filter that the item passes, as far as one value can achieve that. */
function filterValue({ filter }: Pattern, name: string, { output }: SampledItem): unknown {
  const test = filter.find(({ operands }) => operands.some(({ input }) => input === name))
  if (test === undefined) return undefined
  const value = output[test.attribute]
  if (test.operator === 'exists') return value !== undefined
  if (test.whole) return value === undefined ? undefined : [value]
  const isInside = test.operator === 'contains' && (Array.isArray(value) || value instanceof Set)
  return isInside ? [...value][0] : value
}
