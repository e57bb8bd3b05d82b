import { equalItems } from '../../values/compare.ts'
import type { Change } from './change.ts'

/** Whether the item is afterwards what it was before. This looks at every attribute, so it is asked only where it matters. */
export function isNoChange({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return before === after
  return (
    before === after ||
    (before.sizeBytes === after.sizeBytes && equalItems(before.item, after.item))
  )
}
