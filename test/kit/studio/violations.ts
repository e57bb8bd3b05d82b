import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In light and dark, wide and narrow. */
const WINDOWS = [
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 900, 700],
  ['dark', 900, 700],
] as const

/** What axe finds on the page as it is now. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' ')))`,
  )
}

/** No violation and nothing too wide, in both themes and at both widths; nothing is loaded again. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width, height] of WINDOWS) {
    // While a colour changes, it has less contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    const { PICTURES_FOLDER: folder } = process.env
    if (folder !== undefined) {
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` })
    }
    expect([name, colorScheme, width, await violationsOf(page)]).toEqual([
      ...[name, colorScheme, width, []],
    ])
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([name, width, overflow]).toEqual([name, width, 0])
  }
}
