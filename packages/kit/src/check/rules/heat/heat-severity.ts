import type { Severity } from '../../rule.ts'
import type { WrittenUse } from '../../written-use.ts'

/** So few items are no load, wherever they are. */
const FEW_ITEMS_MAX = 1000

/** Of a finding on how items are spread: where a model declares that it has few items and stays so, it is good to know and no more. */
export function heatSeverity({ definition }: WrittenUse): Severity {
  const { count, growth } = definition.stats ?? {}
  return growth === 'bounded' && count !== undefined && count <= FEW_ITEMS_MAX ? 'info' : 'warning'
}
