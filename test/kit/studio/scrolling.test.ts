import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredItem } from '../../../packages/kit/src/studio/api/contract.ts'
import { valueText, visible } from '../../../packages/kit/src/studio/web/state/format.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'

/** A row as the page has it: its number, the text of its key, and cells by number of column. */
interface ShownRow {
  readonly at: number
  readonly key: string
  readonly entity: string
  readonly label: string
  readonly cells: readonly (readonly [column: number, text: string])[]
}

interface Step {
  /** All rows in the page, also those that wait for another line. */
  readonly count: number
  readonly rows: readonly ShownRow[]
  readonly left: number
}

/** Runs in the page: the rows that somebody can see now. */
const READ_ROWS = `(() => {
  const table = document.querySelector('.table')
  const box = table.getBoundingClientRect()
  const all = [...table.querySelectorAll('.row')]
  const rows = all.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > box.top + 30 && top < box.bottom
  })
  return {
    count: all.length,
    left: table.scrollLeft,
    rows: rows.map((row) => ({
      at: Number(row.ariaRowIndex) - 2,
      key: row.querySelector('.key').textContent,
      entity: row.querySelector('.tag').textContent,
      label: row.querySelector('.row-check').ariaLabel,
      cells: [...row.querySelectorAll('.cell')]
        .filter((cell) => Number(cell.ariaColIndex) > 2)
        .map((cell) => [Number(cell.ariaColIndex) - 3, cell.textContent]),
    })),
  }
})()`

/** Jumps by a seeded random, and reads the rows in the frame of each jump. */
function jumps(seed: number, steps: number): string {
  return `new Promise((resolve) => {
    const table = document.querySelector('.table')
    const found = []
    let state = ${seed}
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647
    const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
    void (async () => {
      for (let step = 0; step < ${steps}; step++) {
        const isNear = random() < 0.5
        table.scrollTop = isNear
          ? table.scrollTop + (random() - 0.5) * 1500
          : random() * (table.scrollHeight - table.clientHeight)
        if (random() < 0.3) table.scrollLeft = random() * 1500
        await frame()
        await frame()
        found.push(${READ_ROWS})
      }
      resolve(found)
    })()
  })`
}

const ITEMS = 1200

describe.skipIf(CHROMIUM === undefined)('a table of many items that scrolls', () => {
  let browser: Browser
  let open: OpenStudio
  let page: Page
  /** The items under the head of their partition, which is undefined. */
  let lines: (StoredItem | undefined)[]
  let columns: string[]
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
    open = await openStudio('examples/blog/schema.ts', { count: ITEMS })
    await writeOddItems()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(open.studio.url)
    await page.locator('.card-value').first().waitFor()
    await page.goto(`http://127.0.0.1:${open.studio.port}/#/data`)
    await page.locator('.row').first().waitFor()
    const status = page.locator('.toolbar.is-second .quiet')
    while ((await status.textContent())?.includes('so far')) {
      await page.evaluate(`document.querySelector('.table').scrollTop = 1e9`)
      await page.waitForTimeout(20)
    }
    lines = await readLines()
    columns = await page
      .locator('.table-head [role=columnheader]')
      .evaluateAll((heads: { title?: string }[]) => heads.map(({ title }) => title ?? ''))
    columns = columns.slice(2)
  })
  afterAll(async () => {
    await browser?.close()
    await open?.close()
  })

  test('each row shows its own item, in all columns in sight, wherever it jumps', async () => {
    const steps = (await page.evaluate(jumps(20_261_118, 40))) as readonly Step[]
    let compared = 0
    for (const { rows } of steps) {
      expect(rows.length).toBeGreaterThan(5)
      for (const row of rows) compared += compare(row, false)
    }
    expect(compared).toBeGreaterThan(3000)
    expect(new Set(steps.map(({ left }) => left)).size).toBeGreaterThan(5)
  })

  test('the page has at most twice the rows in sight while it scrolls, and those alone at rest', async () => {
    const steps = (await page.evaluate(jumps(7, 20))) as readonly Step[]
    const inSight = Math.ceil(900 / 28)
    for (const { count } of steps) expect(count).toBeLessThanOrEqual(2 * (inSight + 8))
    await expect.poll(() => isSettled(page)).toBe(true)
    const { rows, count } = (await page.evaluate(READ_ROWS)) as Step
    expect(count).toBeLessThanOrEqual(rows.length + 9)
    for (const row of rows) compare(row, true)
  })

  test('a frame changes strings and places: few styles are computed, and one layout', async () => {
    await page.evaluate(`document.querySelector('.table').scrollTo(0, 0)`)
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 300))`)
    await browser.startTracing(page, { categories: ['devtools.timeline'] })
    // More than all that is in sight in each frame.
    const frames = (await page.evaluate(`new Promise((resolve) => {
      const table = document.querySelector('.table')
      let frames = 0
      const step = () => {
        table.scrollTop += 900
        if (++frames < 30) requestAnimationFrame(step)
        else resolve(frames)
      }
      requestAnimationFrame(step)
    })`)) as number
    const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
      traceEvents: { name: string; args: { elementCount?: number } }[]
    }
    const styles = traceEvents.filter(({ name }) => name === 'UpdateLayoutTree')
    const elements = styles.reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
    const layouts = traceEvents.filter(({ name }) => name === 'Layout').length
    // A row that moves is one element; about 250 strings change in each frame.
    expect(elements / frames).toBeLessThan(120)
    expect(layouts / frames).toBeLessThan(2.5)
  })

  /** What a row shows against the item of its line; gives the number of cells compared. */
  function compare(row: ShownRow, isAtRest: boolean): number {
    const item = lines[row.at]
    expect(item, `line ${row.at}`).toBeDefined()
    if (item === undefined) return 0
    expect(row.key).toBe(visible(item.sk?.S ?? ''))
    expect(row.entity).toBe(item._type?.S ?? 'no entity')
    expect(row.label).toBe(`Select ${item.sk?.S}`)
    const shown = new Map(row.cells)
    const last = Math.max(...shown.keys())
    for (const [at, text] of shown) {
      const value = item[columns[at] ?? '']
      if (value === undefined) {
        expect(text.trim(), columns[at]).toBe('')
        continue
      }
      // Times say how long ago they were.
      if (/^\d{4}-\d\d-\d\dT/.test(value.S ?? '')) {
        expect(text).toMatch(/ago|now/)
        continue
      }
      const whole = visible(valueText(value).slice(0, 400))
      const cut = text.endsWith('…') ? text.slice(0, -1) : text
      expect(cut === '' || whole.startsWith(cut), `${columns[at]}: ${text} is not ${whole}`).toBe(
        true,
      )
      if (isAtRest || !text.endsWith('…')) expect(cut).toBe(whole)
    }
    for (const at of columns.keys()) {
      const isBetween = at > Math.min(...shown.keys()) && at < last
      if (isBetween && item[columns[at] ?? '']) expect(shown.has(at), columns[at]).toBe(true)
    }
    return shown.size
  }

  async function isSettled(at: Page): Promise<boolean> {
    return (await at.evaluate(`(() => {
      const at = [...document.querySelectorAll('.table-body > [role=row]')].map((row) => +row.ariaRowIndex)
      return at.every((each, place) => place === 0 || each === at[place - 1] + 1)
    })()`)) as boolean
  }

  /** Items of no entity, long and short, with characters that are wide. */
  async function writeOddItems(): Promise<void> {
    for (let at = 0; at < 60; at++) {
      const Item = {
        pk: { S: `ODD#${at % 4}` },
        sk: { S: `${'i'.repeat(at)} ${at}` },
        ...(at % 2 === 0 && { title: { S: '🎈'.repeat(at) } }),
        ...(at % 3 === 0 && { username: { S: 'M'.repeat(3 * at) || 'x' } }),
        ...(at % 5 === 0 && { content: { N: '1234567890123456789012345678901234567.8' } }),
        ...(at % 7 === 0 && { postId: { S: `שלום ${at} \u202e עולם` } }),
      }
      await open.engine.send('PutItem', { TableName: 'Studio', Item })
    }
  }

  async function readLines(): Promise<(StoredItem | undefined)[]> {
    const bands = new Map<string, StoredItem[]>()
    let ExclusiveStartKey: object | undefined
    do {
      const page = await open.engine.send('Scan', {
        TableName: 'Studio',
        ...(ExclusiveStartKey && { ExclusiveStartKey: ExclusiveStartKey as never }),
      })
      for (const item of (page.Items ?? []) as StoredItem[]) {
        const hash = item.pk?.S ?? ''
        bands.set(hash, [...(bands.get(hash) ?? []), item])
      }
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey)
    return [...bands.values()].flatMap((items) => [undefined, ...items])
  }
})
