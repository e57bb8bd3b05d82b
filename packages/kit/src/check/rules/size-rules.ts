import type { Rule } from '../rule.ts'

export const SIZE_RULES: readonly Rule[] = []
