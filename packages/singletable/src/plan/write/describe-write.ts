import type { GetPlan, WritePlan } from '../plan.ts'

/** What a part of a transaction is, for messages: `put Post`, `unique "email" of User`. */
export function describeWrite(plan: WritePlan | GetPlan): string {
  const { name } = plan.model
  if (plan.kind === 'get') return `get ${name}`
  const { role, verb } = plan
  if (role?.kind === 'unique') return `unique "${role.name}" of ${name}`
  if (role?.kind === 'count') {
    const isSum = plan.model.attributes.get(role.name)?.definition.sums !== undefined
    return `${isSum ? 'sum' : 'count'} ${name}.${role.name}`
  }
  return `${verb} ${name}`
}
