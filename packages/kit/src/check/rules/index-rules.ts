import type { Rule } from '../rule.ts'

export const INDEX_RULES: readonly Rule[] = []
