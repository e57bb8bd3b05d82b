import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

/** A text that is hard to read, and the contrast it has. */
export interface FaintText {
  readonly text: string
  readonly color: string
  readonly background: string
  readonly contrast: number
}

/** What is measured in a page; page-measures.js says how. */
export interface PageMeasures {
  faintLabels(contrastMin: number): Promise<readonly FaintText[]>
  overflowing(): Promise<readonly string[]>
  brokenTargets(): Promise<readonly string[]>
  layoutOf(): Promise<string>
  misplacedLabels(): Promise<readonly string[]>
  crossedPlaces(): Promise<readonly string[]>
  scrolled(): Promise<readonly { readonly left: number; readonly focus: number }[]>
}

const SOURCE = readFileSync(path.join(import.meta.dirname, 'page-measures.js'), 'utf8')

/** Brings the measures into a page. The page's own policy lets no script run, and does not ask the
 * debugger. */
export async function measurePage(page: Page): Promise<PageMeasures> {
  await page.evaluate(SOURCE)
  const measure = <TResult>(call: string): Promise<TResult> =>
    page.evaluate<TResult>(`pageMeasures.${call}`)
  return {
    faintLabels: (contrastMin) => measure(`faintLabels(${contrastMin})`),
    overflowing: () => measure('overflowing()'),
    brokenTargets: () => measure('brokenTargets()'),
    layoutOf: () => measure('layoutOf()'),
    misplacedLabels: () => measure('misplacedLabels()'),
    crossedPlaces: () => measure('crossedPlaces()'),
    scrolled: () => measure('scrolled()'),
  }
}
