import type { Rule } from '../rule.ts'

/** The rules that compare the schema with the one before it: `check --before`. */
export const CHANGE_RULES: readonly Rule[] = []
