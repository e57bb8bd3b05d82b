import type { Rule } from '../rule.ts'

export const PATTERN_RULES: readonly Rule[] = []
