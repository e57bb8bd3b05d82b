import type { EntryOrder } from './entry-order.ts'
import { isOutputOf, matchOutputs, showEntry, showValue } from './entry-output.ts'
import type { RunLog } from './proof-log.ts'
import type { Result } from './read-pages.ts'
import type { Entry } from './world.ts'

/** What a run should give. */
export interface Expectation {
  readonly entries: readonly Entry[]
  /** Only these attributes. */
  readonly project: readonly string[] | undefined
  /** Results say of which entity they are. */
  readonly isGrouped: boolean
  /** All that could be mistaken for a result. */
  readonly others: readonly Entry[]
}

/** Reports results that are missing, too many or there twice. Gives the items in the order they came. */
export function compareResults(
  { entries, project, isGrouped, others }: Expectation,
  results: readonly Result[],
  report: RunLog,
): readonly Entry[] {
  const found: Entry[] = []
  const missing: Entry[] = []
  const extra: Result[] = []
  const groups = isGrouped
    ? [
        ...new Set([
          ...results.map(({ entity }) => entity),
          ...entries.map(({ model }) => model.name),
        ]),
      ]
    : [undefined]
  for (const group of groups) {
    const wanted = entries.filter(({ model }) => !isGrouped || model.name === group)
    const given = results.filter(({ entity }) => entity === group)
    const matching = matchOutputs(
      wanted,
      given.map(({ output }) => output),
      project,
    )
    missing.push(...matching.missing)
    for (const [position, result] of given.entries()) {
      const entry = matching.pairs[position]
      if (entry) found.push(entry)
      else extra.push(result)
    }
  }
  const [lost] = missing
  const [surplus] = extra
  if (lost) {
    report(
      count(entries.length, entries),
      `${results.length}, without ${showEntry(lost)}${more(missing.length)}`,
    )
  }
  if (surplus) {
    const isTwice = entries.some((entry) => isOutputOf(entry, surplus.output, project))
    const decoy = others.find((entry) => isOutputOf(entry, surplus.output, project))
    const shown = decoy ? showEntry(decoy) : showValue(surplus.output)
    report(
      count(entries.length, entries),
      `${results.length}, ${isTwice ? `twice ${shown}` : `among them ${shown}`}${more(extra.length)}`,
      isTwice ? undefined : decoy?.model.name,
    )
  }
  return found
}

/** Reports two results of a model that came in the wrong order. */
export function checkOrder(
  found: readonly Entry[],
  orderOf: (entry: Entry) => EntryOrder,
  isDescending: boolean,
  report: RunLog,
): void {
  for (const [position, entry] of found.entries()) {
    const next = found[position + 1]
    if (next === undefined || next.model !== entry.model) continue
    const order = orderOf(entry)(entry.values, next.values) ?? 0
    if (isDescending ? order >= 0 : order <= 0) continue
    report(
      `results in ${isDescending ? 'descending' : 'ascending'} order`,
      `${showEntry(entry)} before ${showEntry(next)}`,
    )
    return
  }
}

export function count(number: number, entries: readonly Entry[]): string {
  const names = [...new Set(entries.map(({ model }) => model.name))].join(' and ')
  return `${number} ${number === 1 ? 'item' : 'items'}${names && ` of ${names}`}`
}

function more(number: number): string {
  return number > 1 ? ` and ${number - 1} more` : ''
}
