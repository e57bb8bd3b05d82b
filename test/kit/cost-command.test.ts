import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
  const texts = [
    await show(['cost', '--formulas']),
    await show(['cost', '--rps', 'getUser=1000', '--rps', 'tagsOfPost=5']),
    await show(['cost', '--prices', prices]),
    await show(['cost', '--prices', prices, '--region', 'mars-1']),
    await show(['cost', '--prices', broken]),
    await show(['cost', '--region', 'mars-1']),
    await show(['cost', '--rps', 'getUsr=1']),
    await show(['cost', '--rps', 'getUser=many']),
    await show(['cost', '--sample']),
    await show(['cost', '--json', '--rps', 'nothing=1']),
  ]
  await expect(texts.join('\n')).toMatchFileSnapshot(path.join(GOLDEN, 'cost.txt'))
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
