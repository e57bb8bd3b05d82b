import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/**
 * From the command to the first paint, and frames while a table of 10,000 items scrolls. Run `npm
 * run build` first; Chromium must be there, or CHROMIUM name it. `--items=n` says how many items;
 * `--only=start` and `--only=scroll` measure one of the two.
 */
const root = process.cwd()
const command = join(root, 'packages/kit/bin/singletable.js')
const program = process.env.CHROMIUM ?? '/usr/bin/chromium'
if (!existsSync(join(root, 'packages/kit/dist/studio/web/index.html')) || !existsSync(program)) {
  console.error('run npm run build first, and install Chromium')
  process.exit(2)
}
const only = process.argv.find((each) => each.startsWith('--only='))?.slice(7)
const items = process.argv.find((each) => each.startsWith('--items='))?.slice(8) ?? '10000'
/** One frame of 60 in a second, with the tolerance of a screen. */
const FRAME_MS = 17.5
const SCROLL_MS = 4000
/** What the browser says that it did, by kind of work. Raster runs next to the other kinds. */
const WORK: readonly (readonly [kind: string, events: readonly string[]])[] = [
  ['script', ['FunctionCall']],
  ['style', ['UpdateLayoutTree']],
  ['layout', ['Layout']],
  ['paint', ['PrePaint', 'Paint', 'Layerize', 'Commit']],
  ['raster', ['RasterTask']],
]

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
try {
  if (only !== 'scroll') console.log(`sample of 200 items: ${await firstPaint('200')}`)
  if (only !== 'start') console.log(await scrolling())
} finally {
  await browser.close()
}

/** Milliseconds until the studio says its address, and until the page shows something. */
async function firstPaint(count: string): Promise<string> {
  // The browser of a developer is open already, with a tab for the address.
  const page = await browser.newPage()
  const start = performance.now()
  const studio = await startStudio(count)
  const ready = performance.now() - start
  await page.goto(studio.url, { waitUntil: 'commit' })
  await page.locator('.card-value', { hasText: /\d/ }).first().waitFor()
  const shown = performance.now() - start
  const paint = await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
  )
  await page.close()
  await studio.stop()
  return `address after ${ready.toFixed(0)} ms, overview after ${shown.toFixed(0)} ms, first paint ${Number(paint).toFixed(0)} ms after the page was asked for`
}

/** Frames of a page that scrolls through all items without a pause. */
async function scrolling(): Promise<string> {
  const studio = await startStudio(items)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(studio.url)
  await page.locator('.card-value').first().waitFor()
  await page.goto(`${studio.url.split('#')[0]}#/data`)
  await page.locator('.row').first().waitFor()
  // All pages first: what is measured is the table, not the server.
  const status = page.locator('.toolbar.is-second .quiet')
  for (;;) {
    await page.evaluate(`document.querySelector('.table').scrollTop = 1e9`)
    if (!(await status.textContent())?.includes('so far')) break
    await page.waitForTimeout(50)
  }
  const rows = /[\d,]+/.exec((await status.textContent()) ?? '')?.[0]
  await browser.startTracing(page, { categories: ['devtools.timeline', 'cc'] })
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const table = document.querySelector('.table')
    const end = table.scrollHeight
    const times = []
    const start = performance.now()
    const step = (now) => {
      times.push(now)
      table.scrollTop = ((now - start) / ${SCROLL_MS}) * end
      if (now - start < ${SCROLL_MS}) requestAnimationFrame(step)
      else resolve(times.slice(1).map((time, at) => time - times[at]))
    }
    requestAnimationFrame(step)
  })`)) as readonly number[]
  const trace = await browser.stopTracing()
  await page.close()
  await studio.stop()
  const late = frames.filter((ms) => ms > FRAME_MS).length
  const rate = (frames.length / frames.reduce((sum, ms) => sum + ms, 0)) * 1000
  return [
    `${rows} rows: ${rate.toFixed(1)} frames a second, ${late} of ${frames.length} late, the longest ${Math.max(...frames).toFixed(1)} ms`,
    `ms per frame: ${timeOf(JSON.parse(`${trace}`).traceEvents, frames.length)}`,
  ].join('\n')
}

interface TraceEvent {
  readonly name: string
  /** Microseconds that the thread worked, whatever else the machine did at that time. */
  readonly tdur?: number
}

function timeOf(events: readonly TraceEvent[], frames: number): string {
  return WORK.map(([kind, names]) => {
    const us = events
      .filter(({ name }) => names.includes(name))
      .reduce((sum, { tdur = 0 }) => sum + tdur, 0)
    return `${kind} ${(us / 1000 / frames).toFixed(2)}`
  }).join(', ')
}

async function startStudio(
  count: string,
): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  const child = spawn(
    process.execPath,
    [command, 'studio', '--json', '--no-open', '--port', '0', '--count', count],
    { cwd: join(root, 'examples/blog'), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => resolve(JSON.parse(`${data}`).url))
    child.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)))
  })
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve)
        child.kill('SIGINT')
      }),
  }
}
