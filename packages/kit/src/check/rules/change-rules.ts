import { keyChange } from './changes/m01-key-change.ts'
import { twoGsiChanges } from './changes/m02-two-gsi-changes.ts'
import { gsiNeedsBackfill } from './changes/m03-gsi-needs-backfill.ts'
import { requiredAdded } from './changes/m04-required-added.ts'
import { lsiChange } from './changes/m05-lsi-change.ts'
import { liveIndexDrop } from './changes/m06-live-index-drop.ts'
import { irreversible } from './changes/m07-irreversible.ts'
import type { Rule } from './rule.ts'

/** The rules that compare the schema with the one before it: `check --before`. */
export const CHANGE_RULES: readonly Rule[] = [
  keyChange,
  twoGsiChanges,
  gsiNeedsBackfill,
  requiredAdded,
  lsiChange,
  liveIndexDrop,
  irreversible,
]
