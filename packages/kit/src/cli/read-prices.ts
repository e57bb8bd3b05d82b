import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PricesError, parsePrices } from '../cost/parse-prices.ts'
import { KNOWN_PRICES, type Prices, REGION_DEFAULT } from '../cost/prices.ts'
import type { Parameters } from './help.ts'
import { EnvironmentError, UsageError } from './usage-error.ts'

/** The word for the price list that AWS publishes. */
const AWS = 'aws'
const ANSWER_MS_MAX = 20_000

/** The prices that `--prices` and `--region` choose. */
export async function choosePrices(
  given: Parameters,
  directory: string = process.cwd(),
): Promise<Prices> {
  const source = given.text('prices')
  const region = given.text('region')
  const known = source === undefined ? KNOWN_PRICES : await readPrices(source, region, directory)
  const found = known.find((each) => each.region === (region ?? REGION_DEFAULT))
  if (found) return found
  const [first] = known
  if (region === undefined && first !== undefined) return first
  const regions = known.map((each) => each.region).join(', ')
  throw new UsageError(
    `The prices of "${region}" are not ${source === undefined ? 'built in' : `in ${source}`}, only those of ${regions}.`,
    region?.startsWith('cn-')
      ? 'AWS charges them in yuan: write them into a file, and pass --prices <file>'
      : source === undefined
        ? `pass --prices ${AWS} to read them from the price list of AWS, or --prices <file>`
        : `add them to the file, or pass --prices ${AWS} for the price list of AWS`,
  )
}

/** Where AWS publishes the prices of a region, without an account. */
export function priceListUrl(region: string): string {
  if (!/^[a-z]{2,4}(-[a-z]+)+-\d+$/.test(region)) {
    throw new UsageError(`"${region}" is not a region of AWS.`, 'name one, such as eu-west-1')
  }
  return `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/${region}/index.json`
}

async function readPrices(
  source: string,
  region: string = REGION_DEFAULT,
  directory: string,
): Promise<readonly Prices[]> {
  const place = source === AWS ? priceListUrl(region) : source
  const isWeb = /^https?:\/\//.test(place)
  const file = isWeb ? place : path.resolve(directory, place)
  const text = isWeb ? await download(place) : readFileSync(file, 'utf8')
  try {
    return parsePrices(text)
  } catch (cause) {
    if (!(cause instanceof PricesError)) throw cause
    throw new EnvironmentError(
      `The prices can't be used: ${cause.message}.`,
      file,
      'write them as docs/cost.md shows',
      { cause },
    )
  }
}

async function download(url: string): Promise<string> {
  const failed = (why: string, cause?: unknown): EnvironmentError =>
    new EnvironmentError(
      `The prices can't be read: ${why}.`,
      url,
      'look at the address and the network, or give a file by --prices <file>',
      { cause },
    )
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    if (response.ok) return await response.text()
  } catch (error) {
    const { message, cause } = Object(error)
    throw failed(`no answer came (${Object(cause).message ?? message})`, error)
  }
  throw failed(`the answer has status ${response.status}`)
}
