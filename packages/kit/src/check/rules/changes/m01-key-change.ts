import { keyAttributes, type Schema } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { compareKeys, describeKeys } from '../../design/compare-templates.ts'
import { affectedItems, hasKeysOf, keptModels } from '../../design/design-changes.ts'
import type { Rule } from '../rule.ts'

export const keyChange: Rule = {
  code: 'M01',
  name: 'key-change',
  severity: 'error',
  source: 'before',
  title: 'The primary key of a model that has items changes.',
  explanation: `The primary key is the address of an item. With another template the library looks in another place: reads by key find nothing, writes make a second item next to the first, and queries by the new prefix return nothing old. DynamoDB can't change the key of an item; it has to be put under the new one and deleted under the old.

  wrong   sk: 'POST#\${postId}'   becomes   sk: 'POST#\${createdAt}#\${postId}'      // and nothing moves the existing posts
  right   copies: { PostByTime: { key: { pk: …, sk: 'AT#\${createdAt}#\${postId}' } } }     // a second place, until all posts have it

The same holds for whatever changes the text of keys: literals, the order of placeholders, modifiers such as pad(8), lower or day, and the count of shards. Where an
attribute in the key only has another name or type, or is written differently for some values only (lower or encode: true is new), the schema does not say whether the keys of existing items stay the same: that is a warning.

Declare the new shape as a second model or as a copy, write both, move the existing items, read the new one, then remove the old. With --sample of the whole table the
rule is silent as soon as every item has its new key.`,
  *check(design) {
    const { before, schema } = design
    if (before?.schema === undefined || schema === undefined) return
    const [old, now] = [printKey(before.schema), printKey(schema)]
    if (old !== now) {
      yield {
        message: `The primary key of the table was ${old} and is ${now}; no update can change it.`,
        fix: 'create a new table and move the items there, or keep the names',
        place: { index: 'primary' },
      }
      return
    }
    for (const kept of keptModels(design)) {
      const { name } = kept.now
      const [old, now] = [kept.before, kept.now].map(({ primary: { hash, sort } }) => [
        ...hash,
        ...sort,
      ])
      const changes = now!.flatMap((part, at) => {
        const was = old![at]!
        const change = compareKeys({ part: was, model: kept.before }, { part, model: kept.now })
        return change === 'same' ? [] : [{ change, text: describeKeys(was, part) }]
      })
      if (changes.length === 0) continue
      const left = affectedItems(
        design,
        name,
        ['becomes unreachable', 'become unreachable'],
        ({ item }) => !hasKeysOf(kept.now, item),
      )
      if (left === undefined) continue
      const isCertain = changes.some(({ change }) => change === 'changed')
      const what = listNames(changes.map(({ text }) => text))
      yield {
        message: isCertain
          ? `${name} key changed: ${what}. ${left.text}.`
          : `${name} key changed: ${what}. ${left.text} if their values are written differently now.`,
        fix: kept.now.source
          ? `put the items of ${kept.now.source.name} again, and delete the copies under the old keys`
          : 'put the items under the new key and delete them under the old one, or keep the template',
        place: { model: name, index: 'primary' },
        ...(!isCertain && { severity: 'warning' }),
      }
    }
  },
}

function printKey({ primary }: Schema): string {
  return `(${keyAttributes(primary).join(', ')})`
}
