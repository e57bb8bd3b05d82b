import { CHANGE_RULES } from './change-rules.ts'
import { DATA_RULES } from './data-rules.ts'
import { HEAT_RULES } from './heat-rules.ts'
import { INDEX_RULES } from './index-rules.ts'
import { KEY_RULES } from './key-rules.ts'
import { PATTERN_RULES } from './pattern-rules.ts'
import type { Rule } from './rule.ts'
import { SIZE_RULES } from './size-rules.ts'
import { WRITE_RULES } from './write-rules.ts'

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
