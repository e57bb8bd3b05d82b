import type { Rule } from '../rule.ts'

export const WRITE_RULES: readonly Rule[] = []
