import type { Schema } from 'singletable/tools'
import { didYouMean } from 'singletable/tools'
import { billOf } from '../cost/monthly-bill.ts'
import { REGION_DEFAULT } from '../cost/prices.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { billText } from './cost-text.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { choosePrices } from './read-prices.ts'
import { readSample, SAMPLE_OPTIONS } from './read-sample.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { colorsFor, printText } from './terminal.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

export const COST_COMMAND: CommandSpecification = {
  name: 'cost',
  summary: 'computes the monthly cost from the rates and sizes that the schema declares',
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'What it costs',
      options: [
        {
          name: 'rps',
          value: 'pattern=number',
          repeatable: true,
          text: 'calls per second of a pattern, instead of expect.rps in the schema; can be repeated',
        },
        {
          name: 'region',
          value: 'name',
          text: `the region for prices and for the table; default ${REGION_DEFAULT}`,
        },
        {
          name: 'prices',
          value: 'aws|file|url',
          completes: 'file',
          text: 'where the prices of other regions or of your contract are: aws reads the list that AWS publishes; a file or address has such a list, or JSON as docs/cost.md shows',
        },
        { name: 'formulas', text: 'show how each figure is computed' },
      ],
    },
    { title: 'Sizes and numbers of items from the table itself', options: SAMPLE_OPTIONS },
    {
      ...CONNECT_OPTIONS,
      options: CONNECT_OPTIONS.options.filter(({ name }) => name !== 'region'),
    },
  ],
  notes: [
    'Figures are only as good as their inputs: declared in the schema, sampled from the table, or a default if nothing is known.',
  ],
}

export function runCost(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(COST_COMMAND, parameters, output, async (given) => {
    const { schema, tableName } = await loadGivenSchema(given, output.directory)
    const prices = await choosePrices(given, output.directory)
    const rps = readRates(given, schema)
    const now = output.now?.() ?? Date.now()
    const read = await readSample(given, output, {
      tableName: () => given.text('table') ?? tableName ?? nameMissing(),
      today: new Date(now).toISOString().slice(0, 10),
    })
    const bill = billOf({ schema, sample: read?.sample, now }, { prices, rps })
    if (given.flag('json')) output.print(JSON.stringify(bill, undefined, 2))
    else {
      const width = output.isTerminal ? output.columns : undefined
      const options = { colors: colorsFor(output, given), formulas: given.flag('formulas'), width }
      printText(output, billText(bill, options))
    }
    return read?.exitCode ?? EXIT_DONE
  })
}

function nameMissing(): never {
  throw new UsageError('A sample needs a table, and none is named.', 'pass --table <name>')
}

/** What `--rps pattern=number` says. */
function readRates(given: Parameters, { patterns }: Schema): ReadonlyMap<string, number> {
  const rates = new Map<string, number>()
  for (const text of given.values('rps')) {
    const at = text.lastIndexOf('=')
    const name = text.slice(0, at)
    const rate = Number(text.slice(at + 1))
    if (at < 1 || !/^\d+(\.\d+)?$/.test(text.slice(at + 1)) || !Number.isFinite(rate)) {
      throw new UsageError(`--rps is "${text}".`, 'write it as pattern=number: --rps getUser=200')
    }
    if (!patterns.has(name)) {
      throw new UsageError(
        `--rps names "${name}", which is not a pattern${didYouMean(name, patterns.keys())}.`,
        `name one of ${[...patterns.keys()].join(', ') || 'them; the schema has none'}`,
      )
    }
    rates.set(name, rate)
  }
  return rates
}
