import type { Pattern } from 'singletable/tools'

type Values = Readonly<Record<string, unknown>>

/**
 * The input of a transaction from the inputs of its steps: lists where a step takes one, and what
 * the steps share once.
 */
export function transactionInput(
  { definition, steps }: Pattern,
  inputs: Iterable<readonly [step: string, input: Values]>,
): Values {
  const names = definition.op === 'transact' ? (definition.shared ?? []) : []
  const shared: Record<string, unknown> = {}
  const own = Array.from(inputs, ([name, input]) => {
    const step = steps.get(name)!
    const { each } = step.definition as { readonly each?: boolean }
    const isShared = (member: string): boolean =>
      names.includes(member) && (step.input?.has(member) ?? step.models[0]!.attributes.has(member))
    const rest = Object.entries(input).filter(([member, value]) => {
      if (isShared(member)) shared[member] ??= value
      return !isShared(member)
    })
    const given = Object.fromEntries(rest)
    return [name, each ? [given] : given] as const
  })
  return { ...shared, ...Object.fromEntries(own) }
}
