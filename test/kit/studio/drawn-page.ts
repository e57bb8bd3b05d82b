import path from 'node:path'
import type { Page } from 'playwright-core'

/** What is wrong with how a page is drawn; each in a line that names its place. */
export interface DrawnFaults {
  /** Strings that lie on each other. */
  readonly overlaps: readonly string[]
  /** Parts that reach over the edge of the window, where nothing scrolls. */
  readonly overflows: readonly string[]
  /** Strings with less contrast than WCAG AA asks for. */
  readonly faint: readonly string[]
}

/** Where the first element of a selector is, and how it is drawn. */
export interface Measured {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity, each up to 255. */
  readonly color: readonly number[]
  readonly background: readonly number[]
  /** What does not depend on the font. */
  readonly style: Readonly<Record<string, string>>
}

/** From the beginning of the page on, counts how far things move without input. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript({ path: path.join(import.meta.dirname, 'in-page.js') })
}

/** How far things moved so far, as browsers count it, and what did. */
export async function shiftOf(page: Page): Promise<{ sum: number; parts: readonly string[] }> {
  const shifts: readonly { value: number; what: string }[] = await page.evaluate('drawn.shifts')
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    parts: shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`),
  }
}

export function faultsOf(page: Page): Promise<DrawnFaults> {
  return page.evaluate('drawn.faults()')
}

/** The selectors that something in sight has. */
export function measure(
  page: Page,
  selectors: readonly string[],
): Promise<Readonly<Record<string, Measured>>> {
  return page.evaluate(`drawn.measure(${JSON.stringify(selectors)})`)
}
