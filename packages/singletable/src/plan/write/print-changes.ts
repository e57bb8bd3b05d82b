import { type PrintedPlaceholders, printPath } from '../../expression/print.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import type { Change } from './encode-changes.ts'

const EMPTY_LIST: AttributeValue = { L: [] }

/** The text of an update; empty if it changes nothing. */
export function printChanges(
  changes: readonly Change[],
  placeholders: PrintedPlaceholders,
): string {
  const sections = { SET: '', REMOVE: '', ADD: '', DELETE: '' }
  for (const { kind, path, value, start } of changes) {
    const place = printPath(path, placeholders)
    if (value === undefined) {
      sections.REMOVE += `, ${place}`
      continue
    }
    if (kind === 'append' || kind === 'prepend') {
      const list = `if_not_exists(${place}, ${placeholders.value(start ?? EMPTY_LIST)})`
      const more = placeholders.value(value)
      const lists = kind === 'append' ? `${list}, ${more}` : `${more}, ${list}`
      sections.SET += `, ${place} = list_append(${lists})`
      continue
    }
    const given = placeholders.value(value)
    if (start) {
      const current = `if_not_exists(${place}, ${placeholders.value(start)})`
      sections.SET += `, ${place} = ${current} + ${given}`
    } else if (kind === 'add') sections.ADD += `, ${place} ${given}`
    else if (kind === 'delete') sections.DELETE += `, ${place} ${given}`
    else if (kind === 'set') sections.SET += `, ${place} = ${given}`
    else sections.SET += `, ${place} = if_not_exists(${place}, ${given})`
  }
  let text = ''
  for (const [name, list] of Object.entries(sections)) {
    // Each list starts with a comma to leave out.
    if (list !== '') text += `${text && ' '}${name}${list.slice(1)}`
  }
  return text
}
