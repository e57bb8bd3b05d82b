import { ownValue } from '../schema/index-keys.ts'
import { isObject, refuseInput } from '../schema/input-issues.ts'
import type { Pattern } from '../schema/model.ts'
import type { TransactPattern } from '../schema/pattern-definition.ts'
import type { BuilderContext } from './builder.ts'

/**
 * The values that all steps of a transaction have in common: as the call or the scope gives them,
 * or made once as the first model says that can. `undefined` for what the call lacks.
 */
export function sharedValues(
  { definition, steps }: Pattern,
  input: object,
  { environment, scope }: BuilderContext,
): ReadonlyMap<string, unknown> {
  const { shared = [] } = definition as TransactPattern
  const models = [...steps.values()].map(({ models: [model] }) => model!)
  return new Map(
    shared.map((name) => {
      const makers = models.flatMap(({ attributes }) => attributes.get(name)?.supply ?? [])
      const given = ownValue(input, name) ?? scope?.values.get(name)
      return [name, given ?? makers[0]?.(environment)]
    }),
  )
}

/** The input of a step, with the shared values that it takes. */
export function withShared(
  { input: members, models: [model] }: Pattern,
  input: unknown,
  shared: ReadonlyMap<string, unknown>,
): unknown {
  const own = [...shared].filter(([name]) => members?.has(name) ?? model!.attributes.has(name))
  if (own.length === 0 || !isObject(input)) return input
  const repeated = own.filter(([name]) => ownValue(input, name) !== undefined)
  if (repeated.length > 0) {
    refuseInput(
      repeated.map(([name]) => ({
        path: [name],
        message: 'is shared by the steps, and given once next to them',
      })),
      model!.name,
    )
  }
  return { ...input, ...Object.fromEntries(own) }
}
