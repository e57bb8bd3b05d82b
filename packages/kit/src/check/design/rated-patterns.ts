import type { Pattern } from 'singletable/tools'
import type { Design } from './design.ts'

/** The patterns that can be used, with the steps of transactions, which are called as often as
 * those are. */
export function ratedPatterns({ schema }: Design): readonly Pattern[] {
  return [...(schema?.patterns.values() ?? [])].flatMap((pattern) => {
    const { expect } = pattern.definition
    const steps = [...pattern.steps.values()].map((step): Pattern => {
      const definition = { ...step.definition, ...(expect && { expect }) }
      return { ...step, definition }
    })
    return [pattern, ...steps]
  })
}

/** Calls a second at the highest; undefined if not declared. */
export function peakOf({ definition }: Pattern): number | undefined {
  const { rps, peakRps = rps } = definition.expect ?? {}
  return peakRps
}
