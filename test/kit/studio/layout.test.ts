import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { faultsOf, type Measured, measure, shiftOf, watchPage } from './drawn-page.ts'
import { buildPage, type OpenStudio, openStudio, rowOf } from './open-studio.ts'

/** What the collection view looked like when somebody last looked at it; `LAYOUT=1` writes it. */
const GOLDEN = path.join(import.meta.dirname, '__golden__/collection-view.json')

/**
 * Places of the collection view. Those that are fixed are at the same pixels with any font; of the
 * others, widths depend on the font.
 */
const PLACES: readonly (readonly [selector: string, kind: 'fixed' | 'text'])[] = [
  ['.top', 'fixed'],
  ['.brand', 'text'],
  ['.search', 'text'],
  ['.nav', 'fixed'],
  ['.nav a', 'fixed'],
  ['.nav a[aria-current]', 'fixed'],
  ['.count', 'text'],
  ['.main', 'fixed'],
  ['.toolbar', 'fixed'],
  ['.toolbar .choice[aria-pressed="true"]', 'text'],
  ['.toolbar .choice[aria-pressed="false"]', 'text'],
  ['.toolbar .partition', 'text'],
  ['.toolbar.is-second', 'fixed'],
  ['.table-head', 'text'],
  ['.table-head .table-sort', 'text'],
  ['.band', 'text'],
  ['.band .band-facts', 'text'],
  ['.row', 'text'],
  ['.row .table-sort', 'text'],
  ['.row .tag', 'text'],
  ['.row .is-link', 'text'],
  ['.inspector', 'fixed'],
  ['.inspector [role="tab"][aria-selected="true"]', 'text'],
  ['.inspector [role="tab"][aria-selected="false"]', 'text'],
  ['.inspector .facts dt', 'text'],
  ['.inspector .facts dd', 'text'],
  ['.inspector .button', 'text'],
  ['.inspector .button.is-danger', 'text'],
  ['.status', 'fixed'],
  ['.status kbd', 'text'],
  ['.spent', 'text'],
]

/** Pixels, and for what depends on the font a share. */
const PIXELS_MAX = 1.5
const SHARE_MAX = 0.15
/** Of 255, in each channel: browsers differ in how they mix. */
const CHANNEL_MAX = 3

const WINDOWS = [
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 900, 700],
  ['dark', 900, 700],
] as const

const SCREENS = [
  ...['overview', 'data', 'patterns', 'query', 'design'],
  ...['lint', 'heat', 'stream', 'migrate', 'transfer'],
]
const CALM_MS = 250
/** What Google calls good is 0.1. */
const SHIFT_MAX = 0.01

type Golden = Readonly<Record<string, Readonly<Record<string, Measured>>>>

describe.skipIf(CHROMIUM === undefined)('what the studio looks like', () => {
  let browser: Browser
  let open: OpenStudio
  let page: Page
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
    open = await openStudio('examples/blog/schema.ts', { count: 80 })
    page = await browser.newPage()
    await page.goto(open.studio.url)
    await page.locator('.card-value').first().waitFor()
    await watchPage(page)
  })
  afterAll(async () => {
    await browser?.close()
    await open?.close()
  })

  /** One page for all: loading it again is faster than opening another. */
  const show = async (
    [colorScheme, width, height]: readonly ['light' | 'dark', number, number],
    hash: string,
  ): Promise<void> => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await page.evaluate(`history.replaceState(null, '', '#/${hash}')`)
    await page.reload()
    await page.locator('.nav').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    // What moves late moves now.
    await page.waitForTimeout(CALM_MS)
  }

  const golden: Golden = existsSync(GOLDEN) ? JSON.parse(readFileSync(GOLDEN, 'utf8')) : {}
  const measured: Record<string, Readonly<Record<string, Measured>>> = {}

  test.each(WINDOWS)(
    'the collection view in %s at %i px has all at its place',
    async (...window) => {
      await show(window, 'data?entity=Post')
      await rowOf(page, 'Post').first().click()
      await page.locator('.inspector .facts dd').first().waitFor()
      const name = `${window[0]} ${window[1]}`
      measured[name] = await measure(
        page,
        PLACES.map(([selector]) => selector),
      )
      expect(Object.keys(measured[name] ?? {})).toEqual(PLACES.map(([selector]) => selector))
      if (process.env.LAYOUT === undefined) {
        const differences = PLACES.flatMap(([selector, kind]) =>
          differencesOf(selector, kind, golden[name]?.[selector], measured[name]?.[selector]),
        )
        expect(differences).toEqual([])
      }
      expect(await faultsOf(page)).toEqual({ overlaps: [], overflows: [], faint: [] })
    },
  )

  test.skipIf(process.env.LAYOUT === undefined)('is written down', () => {
    writeFileSync(GOLDEN, printed(measured))
  })

  test.each([WINDOWS[0], WINDOWS[3]])(
    'no screen in %s at %i px moves, overlaps or is faint',
    async (...window) => {
      const found: Record<string, unknown> = {}
      const expected: Record<string, unknown> = {}
      let most = 0
      for (const screen of SCREENS) {
        await show(window, screen)
        const { sum, parts } = await shiftOf(page)
        most = Math.max(most, sum)
        found[screen] = { ...(await faultsOf(page)), shifts: sum < SHIFT_MAX ? [] : parts }
        expected[screen] = { overlaps: [], overflows: [], faint: [], shifts: [] }
      }
      console.log(`layout shift, ${window[1]} px: at most ${most.toFixed(4)}`)
      expect(found).toEqual(expected)
    },
  )
})

/** A line for each place, so that a difference can be read. */
function printed(all: Golden): string {
  const windows = Object.entries(all).map(([name, places]) => {
    const lines = Object.entries(places).map(
      ([selector, each]) => `${JSON.stringify(selector)}: ${JSON.stringify(each)}`,
    )
    return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n}`
  })
  return `{\n${windows.join(',\n')}\n}\n`
}

/** In words, what is not as it was. */
function differencesOf(
  selector: string,
  kind: 'fixed' | 'text',
  before: Measured | undefined,
  now: Measured | undefined,
): readonly string[] {
  if (before === undefined || now === undefined) return [`${selector} was not there before`]
  const far = (name: 'x' | 'y' | 'width' | 'height'): boolean => {
    const distance = Math.abs(before[name] - now[name])
    const isLoose = kind === 'text' && (name === 'x' || name === 'width')
    return distance > PIXELS_MAX && !(isLoose && distance <= SHARE_MAX * before[name] + 4)
  }
  const boxes = (['x', 'y', 'width', 'height'] as const).filter(far)
  const colors = (['color', 'background'] as const).filter((name) =>
    before[name].some((channel, at) => Math.abs(channel - (now[name][at] ?? 0)) > CHANNEL_MAX),
  )
  const styles = Object.keys(before.style).filter((name) => before.style[name] !== now.style[name])
  return [...boxes, ...colors]
    .map((name) => `${selector} ${name}: ${before[name]} → ${now[name]}`)
    .concat(styles.map((name) => `${selector} ${name}: ${before.style[name]} → ${now.style[name]}`))
}
