import type { Rule } from '../rule.ts'

/** The rules that compare the items of a table with the schema: `check --sample`. */
export const DATA_RULES: readonly Rule[] = []
