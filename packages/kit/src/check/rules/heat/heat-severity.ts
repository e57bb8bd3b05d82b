import type { Pattern } from 'singletable/tools'
import {
  PARTITION_READ_UNITS_MAX,
  PARTITION_WRITE_UNITS_MAX,
} from '../../../cost/partition-load.ts'
import { readUnits } from '../../../cost/read-units.ts'
import { writeUnits } from '../../../cost/write-units.ts'
import type { Design } from '../../design/design.ts'
import type { IndexUse } from '../../design/design-model.ts'
import { peakOf, ratedPatterns } from '../../design/rated-patterns.ts'
import type { Severity } from '../rule.ts'

/** This few items are not a load, wherever they are. */
const FEW_ITEMS_MAX = 1000
/** So much of what a partition bears leaves room for years. */
const CALM_PART_MAX = 1 / 10

/**
 * Of a finding on how items are spread. It is good to know and no more where a model declares that
 * it has few items and stays so, or where all rates are declared and even one partition would bear
 * them easily.
 */
export function heatSeverity(design: Design, use: IndexUse): Severity {
  const { count, growth } = use.definition.stats ?? {}
  const isSmall = growth === 'bounded' && count !== undefined && count <= FEW_ITEMS_MAX
  return isSmall || isCalm(design, use) ? 'info' : 'warning'
}

function isCalm(design: Design, { model, index }: IndexUse): boolean {
  const patterns = ratedPatterns(design).filter(({ models }) =>
    models.some(({ name }) => name === model),
  )
  const isMade = patterns.some(({ definition: { op } }) => op === 'create' || op === 'put')
  const writes = patterns.map((pattern) => load(pattern, writtenUnits(design, pattern, index)))
  const reads = patterns
    .filter(({ use }) => use?.index.name === index)
    .map((pattern) => load(pattern, readUnits(design, pattern)?.units.value))
  return (
    isMade &&
    sumOf(writes) <= PARTITION_WRITE_UNITS_MAX * CALM_PART_MAX &&
    sumOf(reads) <= PARTITION_READ_UNITS_MAX * CALM_PART_MAX
  )
}

/** Of one call in the index; undefined if it writes nothing. */
function writtenUnits(design: Design, pattern: Pattern, index: string): number | undefined {
  const own = writeUnits(design, pattern)?.items[0]
  return index === 'primary'
    ? own?.tableUnits
    : own?.indexes.find((entry) => entry.index === index)?.units
}

/** Units a second; more than anything where the rate is not declared. */
function load(pattern: Pattern, units: number | undefined): number {
  return units === undefined || units === 0 ? 0 : units * (peakOf(pattern) ?? Infinity)
}

function sumOf(loads: readonly number[]): number {
  return loads.reduce((sum, each) => sum + each, 0)
}
