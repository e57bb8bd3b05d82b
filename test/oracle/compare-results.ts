import { showValue } from '../../packages/kit/src/text/show-value.ts'
import { isOutputOf, matchOutputs, showEntry } from './entry-output.ts'
import type { RunLog } from './exercise-log.ts'
import type { Result } from './read-pages.ts'
import type { Entry } from './written-items.ts'

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

/** Reports results that are missing, too many or there twice. Gives for each result the item that
 * it is. */
export function compareResults(
  { entries, project, isGrouped, others }: Expectation,
  results: readonly Result[],
  report: RunLog,
): ReadonlyMap<Result, Entry> {
  const found = new Map<Result, Entry>()
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
    for (const each of matching.missing) missing.push(each)
    for (const [position, result] of given.entries()) {
      const entry = matching.pairs[position]
      if (entry) found.set(result, entry)
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
    const negative = others.find((entry) => isOutputOf(entry, surplus.output, project))
    const shown = negative ? showEntry(negative) : showValue(surplus.output)
    report(
      count(entries.length, entries),
      `${results.length}, ${isTwice ? `twice ${shown}` : `among them ${shown}`}${more(extra.length)}`,
      isTwice ? undefined : negative?.model.name,
    )
  }
  return found
}

/** Reports two results that came in the wrong order. What came in one step is in order as far as it
 * is of one model: a page has a group for each. */
export function checkOrder(
  steps: readonly (readonly Entry[])[],
  compare: (one: Entry, next: Entry) => number | undefined,
  isDescending: boolean,
  report: RunLog,
): void {
  const came = steps.flatMap((entries, step) => entries.map((entry) => ({ entry, step })))
  for (const [position, { entry, step }] of came.entries()) {
    const wrong = came.slice(position + 1).find((later) => {
      if (later.step === step && later.entry.model !== entry.model) return false
      const order = compare(entry, later.entry) ?? 0
      return isDescending ? order < 0 : order > 0
    })
    if (wrong === undefined) continue
    report(
      `results in ${isDescending ? 'descending' : 'ascending'} order`,
      `${showEntry(entry)} before ${showEntry(wrong.entry)}`,
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
