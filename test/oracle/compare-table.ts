import { getOwn, type Item, type Model } from 'singletable/tools'
import { isIndexed } from '../../packages/kit/src/check/exercise/item-values.ts'
import { showValue } from '../../packages/kit/src/text/show-value.ts'
import { isOutputOf, showEntry } from './entry-output.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'
import type { Entry } from './written-items.ts'

/** The type of what keeps values from being there twice. */
const GUARD_TYPE = '_unique'

/** Compares all that is stored with all that should be: no item more or less, each with its values,
 * and with the keys that its values give. */
export async function compareTable(table: ExerciseTable, report: RunLog): Promise<void> {
  const { models, params } = table.schema
  const stored = await table.stored()
  const expected = [...table.entries()]
  let guards = 0
  for (const item of stored) {
    const type = getOwn(item, params.typeField)?.S ?? ''
    const model = models.get(type)
    if (type === GUARD_TYPE) guards++
    else if (model === undefined) report('items of its models', `one of type "${type}"`)
    else {
      const output = model.decode(item, false)
      const at = expected.findIndex((entry) => entry.model === model && isOutputOf(entry, output))
      const [entry] = at < 0 ? [] : expected.splice(at, 1)
      if (entry) checkKeys(entry, item, report)
      else
        report(
          'the items that were written, and what follows from them',
          `${model.name} ${showValue(output)}`,
          model.name,
        )
    }
  }
  const [lost] = expected
  if (lost) report(showEntry(lost), 'no such item')
  const { guardCount } = table.writtenItems
  if (guards !== guardCount) report(`${guardCount} guards of unique values`, String(guards))
}

/** The keys of all indexes are those that a new item with these values would have. */
function checkKeys({ model, values }: Entry, item: Item, report: RunLog): void {
  const given = Object.fromEntries(values)
  for (const [name, text] of keyStrings(model, given, values)) {
    const found = getOwn(item, name)?.S
    if (found === text) continue
    report(
      text === undefined ? `no ${name}` : `${name} ${JSON.stringify(text)}`,
      found === undefined ? 'none' : JSON.stringify(found),
    )
  }
}

function keyStrings(
  model: Model,
  given: object,
  values: Entry['values'],
): ReadonlyMap<string, string | undefined> {
  const strings = new Map<string, string | undefined>()
  for (const use of model.indexes) {
    const isIn = isIndexed(use, values)
    for (const { name, template } of [...use.hash, ...use.sort]) {
      if (!template) continue
      const text = isIn ? template.render(given) : undefined
      // Another index may need it.
      strings.set(name, strings.get(name) ?? text)
    }
  }
  return strings
}
