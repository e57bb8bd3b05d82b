import type { Rule } from '../rule.ts'

export const KEY_RULES: readonly Rule[] = []
