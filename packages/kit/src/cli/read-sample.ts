import {
  SAMPLE_BUDGET_DEFAULT,
  SAMPLE_BUDGET_MAX,
  sampleTable,
} from '../check/evidence/sample-table.ts'
import type { TableSample } from '../check/evidence/table-sample.ts'
import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { withConnection } from './connect-options.ts'
import { type OptionSpecification, type Parameters, wholeNumber } from './help.ts'
import { createProgress } from './progress.ts'
import { interruptible, processStops } from './stops.ts'
import { describeTable } from './transfer-options.ts'
import { UsageError } from './usage-error.ts'

export const SAMPLE_OPTIONS: readonly OptionSpecification[] = [
  {
    name: 'sample',
    text: 'read a sample of the table and compare it with the schema; nothing is written',
  },
  {
    name: 'budget',
    value: 'units',
    text: `read units that the sample may consume, of 8 KB each; default ${SAMPLE_BUDGET_DEFAULT}, at most ${formatCount(SAMPLE_BUDGET_MAX)}`,
  },
]

/**
 * A sample, and what the process should end with if it was interrupted: the items read until then
 * are as good as any.
 */
export interface ReadSample {
  readonly sample: TableSample
  readonly exitCode: number | undefined
}

/** Takes the sample that the options ask for; undefined if they ask for none. */
export async function readSample(
  given: Parameters,
  output: CommandOutput,
  { tableName, today }: { readonly tableName: () => string; readonly today: string },
): Promise<ReadSample | undefined> {
  const budget = wholeNumber(given, 'budget', { min: 1, max: SAMPLE_BUDGET_MAX })
  if (!given.flag('sample')) {
    if (budget === undefined) return undefined
    throw new UsageError('--budget is for a sample, and there is none.', 'add --sample')
  }
  const name = tableName()
  return withConnection(given, output, async ({ transport, place }) => {
    const { ItemCount } = await describeTable(transport, name, place)
    const progress = createProgress({ output, unit: 'items', title: 'sample' })
    const interruption = interruptible(output.stops ?? processStops, () =>
      output.printError('finishing the current pages …'),
    )
    try {
      const sample = await sampleTable({
        transport,
        tableName: name,
        budget: budget ?? SAMPLE_BUDGET_DEFAULT,
        today,
        signal: interruption.signal,
        onProgress: (items) => progress.update(items, ItemCount),
      })
      progress.end()
      if (!given.flag('json')) output.printError(describeSample(sample))
      return { sample, exitCode: interruption.exitCode }
    } finally {
      interruption.end()
    }
  })
}

function describeSample({ items, itemCount, isWhole, readUnits }: TableSample): string {
  const count = formatCount(items.length)
  const share = isWhole
    ? `all ${count} items`
    : `${count} of about ${formatCount(Math.max(items.length, itemCount ?? 0))} items`
  return `sampled ${share} for ${readUnits} read units`
}
