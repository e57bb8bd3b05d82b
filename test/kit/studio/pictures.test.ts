import { spawnSync } from 'node:child_process'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { Table } from 'singletable'
import { expect, test } from 'vitest'
import { writeMigration } from '../../../packages/kit/src/migrate/write-migration.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { ridesSchema } from '../rides/schema.ts'
import { buildPage, type OpenStudio, openStudio, rowOf } from './open-studio.ts'

const FOLDER = process.env.PICTURES_FOLDER ?? path.join(ROOT, 'docs/images')
/** The repository should stay small. */
const BYTES_MAX = 150_000
/** Milliseconds until what was asked for is drawn. */
const CALM_MS = 600

/** 192 colours are a third of the bytes; without Pillow, the pictures are too large. */
const SHRINK = `
import sys
from PIL import Image
Image.open(sys.argv[1]).convert('RGB').quantize(192, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True)
`

function partition(key: string): string {
  return `pk=${encodeURIComponent(JSON.stringify([key]))}`
}

type Act = (page: Page, open: OpenStudio) => Promise<unknown>

/** What is done before each picture of docs/studio.md is taken. */
const PICTURES: readonly (readonly [name: string, hash: string, act?: Act])[] = [
  ['overview', 'overview'],
  [
    'data',
    `data?${partition('DRIVER#grove3')}`,
    async (page) => rowOf(page, 'Rating').first().click(),
  ],
  [
    'indexes',
    'data?index=gsi2',
    async (page) => {
      await rowOf(page, 'Promo').first().click()
      await page.getByRole('tab', { name: 'In all indexes' }).click()
    },
  ],
  [
    'review',
    `data?${partition('DRIVER#grove3')}`,
    async (page) => {
      await rowOf(page, 'Vehicle').first().click()
      await page.getByRole('tab', { name: 'Decoded' }).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page
        .locator('.inspector')
        .getByRole('textbox', { name: /^color/ })
        .fill('green')
      await page.getByRole('button', { name: /^Stage/ }).click()
      await rowOf(page, 'Rating').first().click()
      await page.locator('.inspector').getByText('rideId').waitFor()
      await page.keyboard.press('Delete')
      await page.getByRole('button', { name: 'Review' }).click()
    },
  ],
  [
    'patterns',
    `patterns?pattern=ridersInCity&input=${encodeURIComponent('{"city":"Berlin"}')}`,
    async (page) => page.getByRole('tab', { name: 'Code' }).click(),
  ],
  ['query', 'query?index=gsi1&pk0=CITY%23Berlin'],
  [
    'design',
    'design',
    async (page) =>
      page.getByRole('heading', { name: 'Entities and relations' }).evaluate((element) => {
        element.scrollIntoView()
      }),
  ],
  ['lint', 'lint'],
  ['heat', 'heat?index=gsi1'],
  [
    'stream',
    'stream',
    async (page, { engine }) => {
      const { Driver, Rider } = new Table({
        name: 'Rides',
        schema: ridesSchema,
        client: engine,
      }).entities
      await page.getByRole('button', { name: 'Start a stream now' }).click()
      // The stream is followed from its first read on.
      await expect
        .poll(async () => {
          await Driver.update({ driverId: 'grove3' }).set({ status: 'busy' })
          await Driver.update({ driverId: 'grove3' }).set({ status: 'free' })
          return page.locator('.tail-change').count()
        })
        .toBeGreaterThan(0)
      const [rider] = await Rider.scan()
      if (rider) await Rider.update({ riderId: rider.riderId }).set({ city: 'Lisbon' })
    },
  ],
  [
    'json',
    `data?${partition('IMPORT#2026-11')}`,
    async (page, { engine }) => {
      await engine.send('PutItem', {
        TableName: 'Rides',
        Item: {
          pk: { S: 'IMPORT#2026-11' },
          sk: { S: 'RUN#0007' },
          rows: { N: '12345678901234567890123456789012345678' },
          files: { SS: ['drivers.csv', 'riders.csv'] },
          checksum: { B: 'q83vEjRWeJA=' },
          notes: { L: [{ S: 'done by hand' }, { NULL: true }] },
        },
      })
      await page.reload()
      await page.locator('.row .table-sort').first().click()
      await page.locator('.inspector .facts').waitFor()
      await page.keyboard.press('e')
    },
  ],
  ['migrations', 'migrate', async (page) => page.getByText('add_drivers_by_rating').click()],
  ['transfer', 'transfer'],
]

/** Another studio, because `--tables` adds a screen. */
async function takeTables(page: Page): Promise<void> {
  const open = await openStudio('test/kit/rides/schema.ts', {
    ...{ count: 400, tableName: 'Rides', place: 'http://localhost:8000', showsTables: true },
  })
  for (const TableName of ['Billing', 'Sessions', 'audit-log']) {
    await open.engine.send('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
  }
  await page.goto(open.studio.url)
  await page.getByRole('link', { name: 'Tables' }).click()
  await page.locator('tbody tr').first().waitFor()
  await page.waitForTimeout(CALM_MS)
  await savePicture(page, 'tables')
  await open.close()
}

async function savePicture(page: Page, name: string): Promise<void> {
  const file = path.join(FOLDER, `studio-${name}.png`)
  await page.screenshot({ path: file })
  spawnSync('python3', ['-c', SHRINK, file])
  expect([name, statSync(file).size < BYTES_MAX]).toEqual([name, true])
}

/** `PICTURES=1` takes all of them, `PICTURES=heat,stream` these. */
const { PICTURES: wanted } = process.env
const isWanted = (name: string): boolean =>
  wanted === '1' || wanted?.split(',').includes(name) === true

test.skipIf(wanted === undefined || CHROMIUM === undefined)(
  'pictures of the studio for the documentation',
  { timeout: 300_000 },
  async () => {
    await buildPage()
    const migrations = mkdtempSync(path.join(tmpdir(), 'pictures-'))
    writeMigration({
      directory: migrations,
      name: 'add drivers by rating',
      nowMs: Date.UTC(2026, 10, 3, 9),
      parents: [],
      definition: ridesSchema,
      changes: [],
    })
    const open = await openStudio('test/kit/rides/schema.ts', {
      count: 400,
      tableName: 'Rides',
      place: 'http://localhost:8000',
      migrations,
    })
    const browser = await launchChromium()
    const page = await browser.newPage({ viewport: { width: 1200, height: 720 } })
    await page.goto(open.studio.url)
    await page.locator('.card-value', { hasText: /^\d+$/ }).first().waitFor()
    for (const [name, hash, act] of PICTURES) {
      if (!isWanted(name)) continue
      await page.goto(`http://127.0.0.1:${open.studio.port}/#/${hash}`)
      await page.locator('.screen').waitFor()
      await page.waitForTimeout(CALM_MS)
      await act?.(page, open)
      await page.waitForTimeout(CALM_MS)
      await savePicture(page, name)
      if (name !== 'review') continue
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
    }
    expect(open.faults).toEqual([])
    await open.close()
    if (isWanted('tables')) await takeTables(page)
    await browser.close()
  },
)
