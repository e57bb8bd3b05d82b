import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { shopSchema } from '../../examples/shop/schema.ts'
import { socialSchema } from '../../examples/social/schema.ts'
import { renderHtml } from '../../packages/kit/src/docs/render-html.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'
import { documentOf } from './docs/document-of.ts'
import { HOSTILE_TEXT, hostileSchema } from './docs/hostile-schema.ts'
import { measurePage, type PageMeasures } from './docs/measure-page.ts'

/**
 * The page in a real browser. Pixels depend on the fonts of a machine, so that no picture is compared with a kept one: what is compared is where
 * the parts of the page are and what they hold, and what makes a page good is measured. The pictures are kept for looking at.
 */
const PICTURES = path.join(ROOT, 'node_modules/.cache/singletable-docs-pictures')
const GOLDEN = path.join(import.meta.dirname, '__golden__/docs')
const CONTRAST_MIN = 4.5

const SCHEMAS = [
  ['blog', 'Blog', blogSchema],
  ['shop', 'Shop', shopSchema],
  ['social', 'Social', socialSchema],
  ['hostile', HOSTILE_TEXT, hostileSchema],
] as const

interface OpenPage {
  readonly page: Page
  /** What the browser complained of and asked for. */
  readonly events: string[]
  readonly measures: PageMeasures
}

const WINDOWS = [
  ['desktop', { width: 1440, height: 1000 }],
  ['tablet', { width: 820, height: 1180 }],
  ['phone', { width: 390, height: 844 }],
  ['small phone', { width: 320, height: 568 }],
] as const

describe.skipIf(CHROMIUM === undefined)('the document in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    browser = await launchChromium()
    for (const [name, title, schema] of SCHEMAS) {
      const html = renderHtml(await documentOf(schema, title))
      writeFileSync(path.join(PICTURES, `${name}.html`), html)
    }
  })
  afterAll(() => browser?.close())

  async function open(name: string): Promise<OpenPage> {
    const page = await browser.newPage()
    const events: string[] = []
    const address = pathToFileURL(path.join(PICTURES, `${name}.html`)).href
    page.on('console', (message) => events.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => events.push(`error: ${error.message}`))
    page.on('request', (request) => {
      if (request.url() !== address) events.push(`request: ${request.url()}`)
    })
    page.on('dialog', (dialog) => {
      events.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto(address)
    return { page, events, measures: await measurePage(page) }
  }

  for (const [name] of SCHEMAS) {
    test(`${name} loads nothing, fits every window, leads everywhere and can be read in light and dark`, async () => {
      const { page, events, measures } = await open(name)
      for (const [window, size] of WINDOWS) {
        await page.setViewportSize(size)
        expect(await measures.overflowing(), window).toEqual([])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.screenshot({
            path: path.join(PICTURES, `${name}-${window}-${colorScheme}.png`),
          })
          if (window === 'desktop') expect(await measures.faintTexts(CONTRAST_MIN)).toEqual([])
        }
      }
      // Nothing but black on white would do, so that the measure is known to measure.
      expect(await measures.faintTexts(21)).not.toEqual([])
      await page.emulateMedia({ media: 'print' })
      expect(await measures.faintTexts(CONTRAST_MIN)).toEqual([])
      expect(await measures.brokenAnchors()).toEqual([])
      expect(events).toEqual([])
      await page.close()
    })
  }

  for (const name of ['blog', 'shop']) {
    test(`${name} is laid out as its golden file says`, async () => {
      const { page, measures } = await open(name)
      const layouts: string[] = []
      for (const [window, size] of WINDOWS) {
        await page.setViewportSize(size)
        layouts.push(`${window}, ${size.width} wide\n${await measures.layoutOf()}\n`)
      }
      const golden = path.join(GOLDEN, `${name}.layout.txt`)
      await expect(layouts.join('\n')).toMatchFileSnapshot(golden)
      await page.close()
    })
  }

  for (const name of ['blog', 'shop', 'social']) {
    test(`the drawing of ${name} keeps its texts in their places`, async () => {
      const { page, measures } = await open(name)
      await page.setViewportSize({ width: 1440, height: 1000 })
      expect(await measures.misplacedTexts()).toEqual([])
      await page.close()
    })
  }

  test('the contents stay in sight on a wide window, and a link shows the row of its pattern', async () => {
    const { page } = await open('blog')
    await page.setViewportSize({ width: 1440, height: 1000 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.click('nav a[href="#glossary"]')
    const { y: top = -9 } = (await page.locator('nav').boundingBox()) ?? {}
    expect(Math.round(top)).toBe(0)
    await page.click('#cost a[href="#AP-getUser"]')
    const { y = -1 } = (await page.locator('#AP-getUser').boundingBox()) ?? {}
    expect(Math.round(y)).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThan(1000)
    await page.close()
  })

  test('what is too wide scrolls by itself, and can be reached by keyboard', async () => {
    const { page, measures } = await open('blog')
    await page.setViewportSize({ width: 390, height: 844 })
    const scrolled = await measures.scrolled()
    expect(scrolled.length).toBeGreaterThan(3)
    for (const each of scrolled) expect(each).toEqual({ left: expect.any(Number), focus: 0 })
    expect(scrolled.every(({ left }) => left > 0)).toBe(true)
    await page.close()
  })

  test('nothing of the schema becomes an element', async () => {
    const { page } = await open('hostile')
    expect(await page.locator('script, img, b, iframe, form').count()).toBe(0)
    expect(await page.title()).toContain('<script>alert(1)</script>')
    await page.close()
  })
})
