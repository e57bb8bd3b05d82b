import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  SAMPLE_BUDGET_DEFAULT,
  SAMPLE_BUDGET_MAX,
  sampleTable,
} from '../check/evidence/sample-table.ts'
import { InfraError } from '../infra/infra-error.ts'
import { readLiveTable } from '../infra/live-shape.ts'
import { inferSchema } from '../pull/infer-schema.ts'
import { countOf } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, tableNameOf, withConnection } from './connect-options.ts'
import { type CommandSpecification, wholeNumber } from './help.ts'
import { createProgress } from './progress.ts'
import { runCommand } from './run-command.ts'
import { interruptible, processStops } from './stops.ts'
import { EXIT_DONE, FailureError } from './usage-error.ts'

export const PULL_COMMAND: CommandSpecification = {
  name: 'pull',
  summary: 'writes a first schema from an existing table: keys, prefixes and attributes',
  groups: [
    CONNECT_OPTIONS,
    {
      title: 'What is read and written',
      options: [
        { name: 'out', value: 'file', completes: 'file', text: 'write there; default: print it' },
        { name: 'force', text: 'overwrite the file' },
        {
          name: 'budget',
          value: 'units',
          text: `read units that may be consumed, of 8 KB each; default ${SAMPLE_BUDGET_DEFAULT}`,
        },
      ],
    },
  ],
  notes: [
    'Items are sampled from all over the table, and nothing is written to it. What could not be inferred is a comment. Review the result, then run check --sample.',
  ],
}

export function runPull(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(PULL_COMMAND, parameters, output, async (given) => {
    const name = tableNameOf(given)
    const budget = wholeNumber(given, 'budget', { min: 1, max: SAMPLE_BUDGET_MAX })
    const out = given.text('out')
    const file = out === undefined ? undefined : path.resolve(output.directory ?? '.', out)
    if (file !== undefined && existsSync(file) && !given.flag('force')) {
      throw new FailureError('The file already exists.', file, 'pass --force to overwrite it')
    }
    return withConnection(given, output, async ({ transport, place }) => {
      const interruption = interruptible(output.stops ?? processStops, () => {})
      const progress = createProgress({ output, unit: 'items', title: 'pull' })
      try {
        const { shape } = await readLiveTable(transport, name)
        const { items, readUnits } = await sampleTable({
          transport,
          tableName: name,
          budget: budget ?? SAMPLE_BUDGET_DEFAULT,
          today: new Date(output.now?.() ?? Date.now()).toISOString().slice(0, 10),
          signal: interruption.signal,
          onProgress: (count) => progress.update(count),
        })
        progress.end()
        const { source, definition, notes } = inferSchema(shape, items)
        const models = Object.keys(definition.models)
        if (file !== undefined) writeFileSync(file, source)
        if (given.flag('json')) {
          output.print(
            JSON.stringify({ table: name, place, items: items.length, models, notes, source }),
          )
        } else if (file === undefined) output.print(source.trimEnd())
        output.printError(
          `${countOf(models.length, 'model')} from ${countOf(items.length, 'item')}, ${countOf(readUnits ?? 0, 'read unit')}${out === undefined ? '' : `, written to ${out}`}`,
        )
        return interruption.exitCode ?? EXIT_DONE
      } catch (error) {
        if (!(error instanceof InfraError)) throw error
        throw new FailureError(error.message, place, error.fix, { cause: error })
      } finally {
        interruption.end()
      }
    })
  })
}
