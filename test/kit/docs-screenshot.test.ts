import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { ModelDefinition, SchemaDefinition } from 'singletable/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { shopSchema } from '../../examples/shop/schema.ts'
import { socialSchema } from '../../examples/social/schema.ts'
import { PAGE_SCRIPT } from '../../packages/kit/src/docs/page-script.ts'
import { renderHtml } from '../../packages/kit/src/docs/render-html.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'
import { documentOf } from './docs/document-of.ts'
import { HOSTILE_TEXT, hostileSchema } from './docs/hostile-schema.ts'
import { measurePage, type PageMeasures } from './docs/measure-page.ts'
import { ridesSchema } from './rides/schema.ts'

/**
 * The page in a real browser. Pixels depend on the fonts of a machine, so that no picture is
 * compared with a kept one: what is compared is where the parts of the page are and what they hold,
 * and what makes a page good is measured. The pictures are kept for looking at.
 */
const PICTURES = path.join(ROOT, 'node_modules/.cache/singletable-docs-pictures')
const GOLDEN = path.join(import.meta.dirname, '__golden__/docs')
const CONTRAST_MIN = 4.5

/** A design with a tree, a circle by copied attributes, counters, and models that nothing names. */
function thirtyModels(): SchemaDefinition {
  const models: Record<string, ModelDefinition> = {}
  const text = { type: String, required: true } as const
  for (let at = 0; at < 30; at++) {
    const parent = at === 0 || at % 9 === 8 ? undefined : Math.floor((at - 1) / 3)
    models[`Model${at}`] = {
      key: { pk: `M${at}#\${id${at}}`, sk: `M${at}` },
      attributes: {
        [`id${at}`]: text,
        name: text,
        ...(parent !== undefined && { [`id${parent}`]: text }),
        ...(at % 7 === 3 && {
          [`nameOf${at + 2}`]: { type: String, copyOf: `Model${at + 2}.name` },
        }),
        ...(at < 4 && { children: { type: Number, counts: `Model${3 * at + 1}` } }),
      },
    }
  }
  return { indexes: { primary: { hash: 'pk', sort: 'sk' } }, models }
}

const SCHEMAS = [
  ['blog', 'Blog', blogSchema],
  ['shop', 'Shop', shopSchema],
  ['social', 'Social', socialSchema],
  ['rides', 'Rides', ridesSchema],
  ['thirty', 'Thirty', thirtyModels()],
  ['hostile', HOSTILE_TEXT, hostileSchema],
] as const

interface OpenPage {
  readonly page: Page
  /** What the browser reported and asked for. */
  readonly events: string[]
  readonly measures: PageMeasures
}

const WINDOWS = [
  ['desktop', { width: 1400, height: 1000 }],
  ['tablet', { width: 820, height: 1180 }],
  ['phone', { width: 420, height: 900 }],
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

  // PICTURE=1 makes it again; it is not compared, because pixels depend on fonts.
  test('the picture in the README is small', async () => {
    const picture = path.join(ROOT, 'docs/images/living-document.png')
    if (process.env.PICTURE === '1') {
      const { page } = await open('blog')
      await page.setViewportSize({ width: 1360, height: 720 })
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.evaluate("document.querySelector('#access-patterns').scrollIntoView()")
      await page.screenshot({ path: picture })
      await page.close()
    }
    expect(statSync(picture).size).toBeLessThan(150 * 1024)
  })

  for (const name of ['blog', 'shop', 'rides', 'hostile']) {
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
          if (window === 'desktop') expect(await measures.faintLabels(CONTRAST_MIN)).toEqual([])
        }
      }
      // Nothing but black on white would do, so that the measure is known to measure.
      expect(await measures.faintLabels(21)).not.toEqual([])
      await page.emulateMedia({ media: 'print' })
      expect(await measures.faintLabels(CONTRAST_MIN)).toEqual([])
      expect(await measures.brokenTargets()).toEqual([])
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

  for (const name of ['blog', 'shop', 'social', 'rides', 'thirty']) {
    test(`the drawing of ${name} has no line through a box and no label on another`, async () => {
      const { page, measures } = await open(name)
      for (const width of [1400, 420]) {
        await page.setViewportSize({ width, height: 1000 })
        expect(await measures.misplacedLabels(), `${width} wide`).toEqual([])
        expect(await measures.crossedPlaces(), `${width} wide`).toEqual([])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const drawing = `${name}-drawing-${width}-${colorScheme}.png`
          await page.locator('#relations figure').screenshot({ path: path.join(PICTURES, drawing) })
        }
      }
      await page.close()
    })
  }

  test('the contents stay in sight on a wide window, and a link shows the row of its pattern', async () => {
    const { page } = await open('blog')
    await page.setViewportSize({ width: 1400, height: 1000 })
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

  test('the search narrows the contents to what is typed, and leads there', async () => {
    const { page, events } = await open('rides')
    const shown = (): Promise<string[]> =>
      page.locator('nav details li:not([hidden]) a:visible').allInnerTexts()
    await page.keyboard.press('/')
    await page.keyboard.type('promo')
    expect(await shown()).toEqual(
      expect.arrayContaining(['Promo', 'Promos of campaign', 'Use promo', 'PromoUse']),
    )
    expect(await shown()).not.toContain('Vehicles')
    await page.keyboard.type(' campaign')
    expect(await shown()).toEqual(['Promos of campaign', 'Promo', 'CAMPAIGN#<campaign>'])
    expect(await page.locator('#find output').innerText()).toBe('3 found')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).toBe('#AP-promosOfCampaign')
    await page.locator('#find input').fill('nothing like it')
    expect(await page.locator('#find output').innerText()).toBe('Nothing found')
    await page.keyboard.press('Escape')
    expect(await shown()).toEqual([])
    await page.click('#AP-promosOfCampaign a[href="#call-promosOfCampaign"]')
    expect(await page.locator('#call-promosOfCampaign pre').first().isVisible()).toBe(true)
    expect(events).toEqual([])
    await page.close()
  })

  test('on a phone the key condition can be read without scrolling sideways', async () => {
    const { page } = await open('rides')
    await page.setViewportSize({ width: 420, height: 900 })
    const conditions = page.locator('#access-patterns [data-label="Key condition"]')
    expect(await conditions.count()).toBe(22)
    for (const condition of await conditions.all()) {
      const { x = -1, width = 0 } = (await condition.boundingBox()) ?? {}
      expect(x).toBeGreaterThanOrEqual(0)
      expect(width).toBeGreaterThan(300)
      expect(x + width).toBeLessThanOrEqual(420)
    }
    await page.locator('#AP-ridesOfRider').screenshot({
      path: path.join(PICTURES, 'rides-pattern-phone.png'),
    })
    await page.close()
  })

  test('what is too wide scrolls by itself, and can be reached by keyboard', async () => {
    const { page, measures } = await open('blog')
    await page.setViewportSize({ width: 700, height: 844 })
    const scrolled = await measures.scrolled()
    expect(scrolled.length).toBeGreaterThan(1)
    for (const each of scrolled) expect(each).toEqual({ left: expect.any(Number), focus: 0 })
    expect(scrolled.every(({ left }) => left > 0)).toBe(true)
    await page.close()
  })

  test('nothing of the schema becomes an element', async () => {
    const { page } = await open('hostile')
    expect(await page.locator('img, b, iframe, form').count()).toBe(0)
    expect(await page.locator('script').allInnerTexts()).toEqual([PAGE_SCRIPT])
    expect(await page.title()).toContain('<script>alert(1)</script>')
    await page.close()
  })
})
