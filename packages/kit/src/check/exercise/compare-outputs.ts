import { type Model, setOwn } from 'singletable/tools'
import { countOf } from '../../text/counts.ts'
import { showValue } from '../../text/show-value.ts'
import type { Report } from './exercise-log.ts'
import type { LoosePattern, LooseResult, Output, StoredItem } from './exercise-table.ts'
import { sameValue } from './same-value.ts'

/** One result, and the entity that the answer says it is of, where it says so. */
export interface Result {
  readonly output: Output
  readonly entity: string | undefined
}

export function resultsOf({ items = [], groups }: LooseResult): readonly Result[] {
  return groups
    ? Object.entries(groups).flatMap(([entity, outputs]) =>
        outputs.map((output) => ({ output, entity })),
      )
    : items.flatMap((output) => (output ? [{ output, entity: undefined }] : []))
}

/** Reads to the last page by the cursors; ends after more pages than there can be, which gives
 * results twice. */
export async function readPages(
  pattern: LoosePattern,
  input: object,
  options: { readonly limit?: number },
  pagesMax: number,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await pattern(input, { ...options, cursor }).page()
    results.push(...resultsOf(page))
    cursor = page.cursor
    pages++
  } while (cursor !== undefined && pages < pagesMax)
  return results
}

/** Whether this is what reading the item gives: all attributes that are shown, or those of a
 * projection. */
export function isOutputOf(
  stored: StoredItem,
  output: Output,
  project?: readonly string[],
): boolean {
  const { model } = stored
  return sameValue(shown(model, stored.output, project), shown(model, output, project))
}

/** Without key attributes, which a schema can ask for in its results. */
function shown(model: Model, output: Output, project?: readonly string[]): Output {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(output)) {
    if (model.attributes.has(name) && (project?.includes(name) ?? true))
      setOwn(members, name, value)
  }
  return members
}

/** Reports results that are missing, too many or there twice. */
export function compareResults(
  expected: readonly StoredItem[],
  results: readonly Result[],
  {
    all,
    project,
  }: { readonly all: readonly StoredItem[]; readonly project?: readonly string[] | undefined },
  report: Report,
): void {
  const missing = [...expected]
  const extra = results.filter(({ output, entity }) => {
    const at = missing.findIndex(
      (item) =>
        (entity === undefined || item.model.name === entity) && isOutputOf(item, output, project),
    )
    if (at >= 0) missing.splice(at, 1)
    return at < 0
  })
  const wanted = countItems(expected)
  const [lost] = missing
  const [surplus] = extra
  if (lost) report(wanted, `${results.length}, without ${showItem(lost)}${more(missing.length)}`)
  if (surplus === undefined) return
  const isTwice = expected.some((item) => isOutputOf(item, surplus.output, project))
  const item = all.find((each) => isOutputOf(each, surplus.output, project))
  const text = item ? showItem(item) : showValue(surplus.output)
  report(
    wanted,
    `${results.length}, ${isTwice ? `twice ${text}` : `among them ${text}`}${more(extra.length)}`,
  )
}

/** Reports an item that is another one than it should be. */
export function compareItem(
  expected: StoredItem | undefined,
  output: Output | undefined,
  report: Report,
  project?: readonly string[],
): void {
  const isSame = expected
    ? output !== undefined && isOutputOf(expected, output, project)
    : output === undefined
  if (isSame) return
  report(
    expected ? showItem(expected) : 'no item',
    output === undefined ? 'no item' : showValue(output),
  )
}

/** An item in a message: its model and its key, and what distinguishes it from others. */
function showItem({ model, values }: StoredItem): string {
  const names = [...new Set(model.indexes.flatMap((use) => use.names))]
  const members = names.map((name) => `${name}: ${showValue(values.get(name))}`)
  return `${model.name} { ${members.join(', ')} }`
}

function countItems(items: readonly StoredItem[]): string {
  const names = [...new Set(items.map(({ model }) => model.name))].join(' and ')
  return `${countOf(items.length, 'item')}${names && ` of ${names}`}`
}

function more(number: number): string {
  return number > 1 ? ` and ${number - 1} more` : ''
}
