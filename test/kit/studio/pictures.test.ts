import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ROOT } from '../../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, openStudio, rowOf } from './open-studio.ts'

const isAsked = process.env.PICTURES === '1' && CHROMIUM !== undefined

function partition(key: string): string {
  return `pk=${encodeURIComponent(JSON.stringify([key]))}`
}

/** What is done before each picture of docs/studio.md is taken. */
const PICTURES: readonly (readonly [
  name: string,
  hash: string,
  act?: (page: Page) => Promise<unknown>,
])[] = [
  ['overview', 'overview'],
  [
    'data',
    `data?${partition('DRIVER#grove3')}`,
    async (page) => rowOf(page, 'Rating').first().click(),
  ],
  [
    'indexes',
    'data?index=gsi1',
    async (page) => {
      await rowOf(page, 'Rider').first().click()
      await page.getByRole('tab', { name: 'In all indexes' }).click()
    },
  ],
  [
    'patterns',
    'patterns?pattern=ridersInCity',
    async (page) => {
      await page.getByLabel('city').first().fill('Berlin')
      await page.locator('.inputs').getByRole('button', { name: /^Run/ }).click()
    },
  ],
  [
    'code',
    `patterns?pattern=ridersInCity&input=${encodeURIComponent('{"city":"Berlin"}')}`,
    async (page) => page.getByRole('tab', { name: 'Code' }).click(),
  ],
  ['query', 'query?index=gsi1&pk0=CITY%23Berlin'],
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
        .fill('midnight blue')
      await page.getByRole('button', { name: /^Stage/ }).click()
      await page.getByRole('button', { name: 'Review' }).click()
    },
  ],
  ['design', 'design'],
  ['lint', 'lint'],
  ['heat', 'heat?index=gsi1'],
]

test.skipIf(!isAsked)(
  'pictures of the studio for the documentation',
  { timeout: 240_000 },
  async () => {
    await buildPage()
    const { studio, faults, close } = await openStudio('test/kit/rides/schema.ts', {
      count: 400,
      tableName: 'Rides',
      place: 'http://localhost:8000',
    })
    const browser = await launchChromium()
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(studio.url)
    await page.locator('.card-value', { hasText: /^\d+$/ }).first().waitFor()
    for (const [name, hash, act] of PICTURES) {
      await page.goto(`http://127.0.0.1:${studio.port}/#/overview`)
      await page.goto(`http://127.0.0.1:${studio.port}/#/${hash}`)
      await page.locator('.screen').waitFor()
      await page.waitForTimeout(700)
      await act?.(page)
      await page.waitForTimeout(500)
      await page.screenshot({
        path: path.join(process.env.TO ?? path.join(ROOT, 'docs/images'), `studio-${name}.png`),
      })
    }
    expect(faults).toEqual([])
    await browser.close()
    await close()
  },
)
