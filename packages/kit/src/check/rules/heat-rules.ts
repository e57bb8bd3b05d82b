import type { Rule } from '../rule.ts'

export const HEAT_RULES: readonly Rule[] = []
