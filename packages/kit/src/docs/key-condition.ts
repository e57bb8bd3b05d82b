import type { KeyPlan, PatternPlan } from 'singletable/tools'
import { type Cell, key, type Line } from './document.ts'

/** A character that sorts last: the upper end of a range over a prefix. */
const LAST = '\u{10FFFF}'

/** The key condition of a plan, one line for each key attribute. */
export function keyCondition({ key: keys }: Pick<PatternPlan, 'key'>): Cell {
  return Object.entries(keys ?? {}).map(([name, plan]) => conditionLine(name, plan))
}

function conditionLine(name: string, plan: KeyPlan): Line {
  if ('eq' in plan) return [key(`${name} = ${plan.eq}`)]
  if ('beginsWith' in plan) return [key(`${name} begins_with ${plan.beginsWith}`)]
  const [from, to] = plan.between
  const between = key(`${name} between ${shown(from)} and ${shown(to)}`)
  return plan.else === undefined
    ? [between]
    : [key(`${name} begins_with ${plan.else.beginsWith}`), ', or ', between]
}

/** Replaces the invisible characters that mark the ends of ranges. */
function shown(text: string): string {
  return text.replaceAll(LAST, '…').replaceAll('\0', '⁺')
}
