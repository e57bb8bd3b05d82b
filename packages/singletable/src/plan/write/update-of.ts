import type { Update, UpdateValue } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import type { AttributeChange } from './encode-changes.ts'

// list_append fails where the attribute is missing, so a missing list is written as an empty one.
const EMPTY_LIST: AttributeValue = { L: [] }

/** What DynamoDB is asked to do, as a tree. */
export function updateOf(changes: readonly AttributeChange[]): Update {
  const update = {
    set: [] as Update['set'][number][],
    remove: [] as Update['remove'][number][],
    add: [] as Update['add'][number][],
    delete: [] as Update['delete'][number][],
  }
  for (const { kind, path, value, start, source } of changes) {
    if (source) update.set.push({ path, value: source })
    else if (value === undefined) update.remove.push(path)
    // ADD counts a missing number as 0. Only SET with if_not_exists can start from another one:
    // from a default, or from what the call says.
    else if (kind === 'delete' || (kind === 'add' && !start)) update[kind].push({ path, value })
    else {
      const given: UpdateValue = { kind: 'value', value }
      if (kind === 'set') {
        update.set.push({ path, value: given })
        continue
      }
      const orElse = (otherwise: AttributeValue): UpdateValue => {
        return { kind: 'if_not_exists', path, otherwise: { kind: 'value', value: otherwise } }
      }
      const current = orElse(start ?? EMPTY_LIST)
      if (kind === 'default') update.set.push({ path, value: orElse(value) })
      else if (kind === 'add') {
        const sum = { kind: 'arithmetic', operator: '+', left: current, right: given } as const
        update.set.push({ path, value: sum })
      } else {
        const [left, right] = kind === 'append' ? [current, given] : [given, current]
        update.set.push({ path, value: { kind: 'list_append', left, right } })
      }
    }
  }
  return update
}
