import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shopSchema } from '../../examples/shop/schema.ts'
import { priceListUrl } from '../../packages/kit/src/cli/read-prices.ts'
import { parsePrices } from '../../packages/kit/src/cost/parse-prices.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')
const EXAMPLES = ['blog', 'files', 'metrics', 'saas', 'shop', 'social']

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'singletable-cost-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

async function show(parameters: readonly string[], example = 'blog'): Promise<string> {
  const directory = path.join(ROOT, 'examples', example)
  const text = showRun(parameters, await runCli(parameters, { directory }))
  return text.replaceAll(ROOT, '<root>').replaceAll(folder, '<folder>')
}

test.each(EXAMPLES)('the bill of the example %s', async (example) => {
  const text = await show(['cost'], example)
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, `cost-${example}.txt`))
})

test('rates, formulas, prices and what can go wrong with them', async () => {
  const prices = path.join(folder, 'prices.json')
  const standard = {
    onDemand: { readMillion: 0.2, writeMillion: 1 },
    storageGigabyte: 0.5,
  }
  writeFileSync(prices, JSON.stringify([{ region: 'moon-1', date: '2030-05', standard }]))
  const broken = path.join(folder, 'broken.json')
  writeFileSync(broken, '{"region":"moon-1","date":"2030-05","standard":{}}')
  const strings = [
    await show(['cost', '--formulas']),
    await show(['cost', '--rps', 'getUser=1000', '--rps', 'tagsOfPost=5']),
    await show(['cost', '--prices', prices]),
    await show(['cost', '--prices', prices, '--region', 'mars-1']),
    await show(['cost', '--prices', broken]),
    await show(['cost', '--region', 'mars-1']),
    await show(['cost', '--prices', 'aws', '--region', 'Mars']),
    await show(['cost', '--rps', 'getUsr=1']),
    await show(['cost', '--rps', 'getUser=many']),
    await show(['cost', '--sample']),
    await show(['cost', '--json', '--rps', 'nothing=1']),
  ]
  await expect(strings.join('\n')).toMatchFileSnapshot(path.join(GOLDEN, 'cost.txt'))
})

test('prices come from an address, and what can go wrong with it', async () => {
  const [moon] = parsePrices(
    '{"region":"moon-1","date":"2030-05","standard":{"onDemand":{"readMillion":1,"writeMillion":2},"storageGigabyte":3}}',
  )
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/prices.json' ? 200 : 404
    response.end(JSON.stringify(moon))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const run = (file: string) =>
    runCli(['cost', '--json', '--prices', `http://127.0.0.1:${port}/${file}`])
  expect(JSON.parse((await run('prices.json')).printed).prices).toEqual(moon)
  const missing = await run('nothing.json')
  expect(JSON.parse(missing.complaints).error.message).toContain('the answer has status 404')
  server.close()
  server.closeAllConnections()
  const gone = await run('prices.json')
  expect(gone.code).toBe(3)
  expect(JSON.parse(gone.complaints).error.message).toContain('no answer came')
})

test('the price list of AWS has an address for each region', () => {
  expect(priceListUrl('us-gov-west-1')).toMatch(
    /AmazonDynamoDB\/current\/us-gov-west-1\/index\.json$/,
  )
  expect(() => priceListUrl('../x')).toThrow('is not a region of AWS')
})

test('a sample of the table gives sizes and numbers where the schema does not', async () => {
  const engine = createEngine()
  const table = new Table({ name: 'Shop', schema: shopSchema, client: engine })
  await table.create()
  for (const productId of ['ink', 'pen', 'cap']) {
    const product = { productId, name: 'N'.repeat(5000), category: 'paper', price: 1, stock: 5 }
    await table.entities.Product.put(product).execute()
  }
  const run = await runCli(['cost', '--sample', '--table', 'Shop', '--json'], {
    directory: path.join(ROOT, 'examples/shop'),
    transport: engine,
  })
  expect(run.complaints).toBe('')
  const { patterns, storage } = JSON.parse(run.printed)
  const inCategory = patterns.find(
    ({ pattern }: { pattern: string }) => pattern === 'productsInCategory',
  )
  expect(inCategory.readUnits.basis).toBe('sampled')
  // Fifty items of some 5 KB.
  expect(inCategory.readUnits.value).toBeGreaterThan(30)
  const products = storage.find(({ model }: { model: string }) => model === 'Product')
  expect(products.bytes).toMatchObject({
    basis: 'sampled',
    formula: expect.stringMatching(/^3 × /),
  })
  await engine.close()
})

test('as JSON it has every figure with its basis and formula', async () => {
  const { printed, code } = await runCli(['cost', '--json'])
  expect(code).toBe(0)
  const bill = JSON.parse(printed)
  expect(bill.prices.date).toBe('2026-01')
  expect(
    bill.patterns.find((each: { pattern: string }) => each.pattern === 'getUser'),
  ).toMatchObject({
    readUnits: { value: 0.5, basis: 'declared' },
    callsPerMonth: 200 * 2_635_200,
    dollars: { basis: 'declared', value: expect.closeTo(32.94, 2) },
  })
})
