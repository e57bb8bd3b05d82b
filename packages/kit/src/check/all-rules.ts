import type { Rule } from './rule.ts'
import { CHANGE_RULES } from './rules/change-rules.ts'
import { DATA_RULES } from './rules/data-rules.ts'
import { HEAT_RULES } from './rules/heat-rules.ts'
import { INDEX_RULES } from './rules/index-rules.ts'
import { KEY_RULES } from './rules/key-rules.ts'
import { PATTERN_RULES } from './rules/pattern-rules.ts'
import { SIZE_RULES } from './rules/size-rules.ts'
import { WRITE_RULES } from './rules/write-rules.ts'

/** The catalogue, in the order of its families. */
export const ALL_RULES: readonly Rule[] = [
  ...KEY_RULES,
  ...PATTERN_RULES,
  ...INDEX_RULES,
  ...SIZE_RULES,
  ...HEAT_RULES,
  ...WRITE_RULES,
  ...DATA_RULES,
  ...CHANGE_RULES,
]
