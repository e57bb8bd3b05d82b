import { getOwn, type ModelIndex } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { compareTemplates, describeTemplates } from '../../design/compare-templates.ts'
import type { Design } from '../../design/design.ts'
import { affectedItems, type KeptModel, keptModels } from '../../design/design-changes.ts'
import type { Notice, Rule } from '../rule.ts'

export const gsiNeedsBackfill: Rule = {
  code: 'M03',
  name: 'gsi-needs-backfill',
  severity: 'error',
  source: 'before',
  title: 'Existing items will be missing from an index, or have wrong keys in it.',
  explanation: `DynamoDB fills a new index from the items that have its key attributes. A key attribute with a template is written together with its item, so items from
before don't have it, and the index begins empty. With a changed template or condition ("when"), they stay where their last write put them.

  wrong   index: { gsi1pk: 'STATUS#\${status}' }            // added to a model with items, and read by a pattern from the first day
  right   the same, and every item is put once more before a pattern reads the index
  right   indexes: { byStatus: { hash: 'status', sort: 'createdAt' } }          // attributes that items have: no backfill

Deploy the index and the writes, read every item through its entity and put it again, and only then let patterns read the index. Where the template has an attribute
that is new itself, items from before have no place in the index, and nothing needs to be done. With --sample of the whole table the rule reports nothing once all items
have their keys.`,
  *check(design) {
    for (const kept of keptModels(design)) {
      for (const use of kept.now.indexes) {
        if (use.index.type !== 'primary') yield* changesIn(design, kept, use)
      }
    }
  },
}

function* changesIn(design: Design, { before, now }: KeptModel, use: ModelIndex): Iterable<Notice> {
  // Items from before have no value of an attribute that is new, and so no place in the index.
  if (use.names.some((name) => !before.attributes.has(name))) return
  const old = before.indexes.find(({ index }) => index.name === use.index.name)
  const added: string[] = []
  const changed: string[] = []
  let isCertain = false
  for (const { name, template, uses } of now.derived) {
    if (!uses.includes(use)) continue
    const known = before.derived.find((each) => each.name === name)?.template
    if (known === undefined) {
      added.push(name)
      continue
    }
    const change = compareTemplates({ template: known, model: before }, { template, model: now })
    if (change === 'same') continue
    isCertain ||= change === 'changed'
    changed.push(describeTemplates(name, known, template))
  }
  const isOther = old !== undefined && printWhen(old) !== printWhen(use)
  if (added.length + changed.length === 0 && !isOther) return
  const names = [...use.hash, ...use.sort].map(({ name }) => name)
  const verb =
    added.length > 0 ? `will not appear in ${use.index.name}` : `will not move in ${use.index.name}`
  const left = affectedItems(design, now.name, [verb, verb], ({ item, keys }) =>
    keys.some(({ name, text }) => names.includes(name) && text !== getOwn(item, name)?.S),
  )
  if (left === undefined) return
  const reasons = [
    ...(added.length > 0 ? [`nothing has written ${listNames(added)} for them`] : []),
    ...changed,
    ...(isOther ? ['its condition (when) has changed'] : []),
  ]
  yield {
    message: `${left.text}: ${listNames(reasons)}.`,
    fix: `read the items through ${now.name} and put them again before a pattern reads ${use.index.name}, or make attributes that they have the keys of the index`,
    place: { model: now.name, index: use.index.name },
    ...(added.length === 0 && !isCertain && !isOther && { severity: 'warning' }),
  }
}

function printWhen({ when }: ModelIndex): string {
  const sorted = [...(when ?? [])].map(([name, values]) => [name, [...values].map(String).sort()])
  return JSON.stringify(sorted.sort())
}
