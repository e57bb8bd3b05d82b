import { orphanItem } from './data/d01-orphan-item.ts'
import { invalidItem } from './data/d02-invalid-item.ts'
import { keyDrift } from './data/d03-key-drift.ts'
import { indexViolation } from './data/d04-index-violation.ts'
import type { Rule } from './rule.ts'

/** The rules that compare the items of a table with the schema: `check --sample`. */
export const DATA_RULES: readonly Rule[] = [orphanItem, invalidItem, keyDrift, indexViolation]
