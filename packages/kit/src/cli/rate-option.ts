import type { Transport } from 'singletable/tools'
import { type OptionSpecification, type Parameters, wholeNumber } from './help.ts'
import { FailureError, UsageError } from './usage-error.ts'

const RATE_MAX = 1_000_000

export const RATE_OPTION: OptionSpecification = {
  name: 'rate',
  value: 'units',
  text: 'consume at most this many capacity units a second, or this part of the write capacity: 25%',
}

/** The rate in capacity units a second; undefined for as fast as it goes. */
export async function rateOf(
  given: Parameters,
  { transport, tableName }: { readonly transport: Transport; readonly tableName: string },
): Promise<number | undefined> {
  const percent = /^([1-9]\d?|100)%$/.exec(given.text('rate') ?? '')?.[1]
  if (percent === undefined && given.text('rate')?.endsWith('%')) {
    throw new UsageError(
      `--rate is "${given.text('rate')}".`,
      'give a whole number of units, or from 1% to 100% of the write capacity',
    )
  }
  if (percent === undefined) return wholeNumber(given, 'rate', { min: 1, max: RATE_MAX })
  const { Table: table } = await transport.send('DescribeTable', { TableName: tableName })
  const units =
    table?.ProvisionedThroughput?.WriteCapacityUnits || table?.WarmThroughput?.WriteUnitsPerSecond
  if (units) return Math.max(1, (units * Number(percent)) / 100)
  throw new FailureError(
    'The table has neither a provisioned nor a warm write capacity.',
    `table "${tableName}"`,
    'pass a number of units: --rate 500',
  )
}
