import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
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
/** What the browser says that the page's thread did, by kind of work. */
const WORK: readonly (readonly [kind: string, events: readonly string[]])[] = [
  ['script', ['FunctionCall', 'EventDispatch', 'FireAnimationFrame']],
  ['style', ['UpdateLayoutTree']],
  ['layout', ['Layout']],
  ['paint', ['PrePaint', 'Paint', 'Layerize', 'Commit']],
]

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
try {
  console.log(pageBytes())
  if (only !== 'scroll') {
    // The first start after a build compiles what later ones find compiled.
    console.log(`first start, 200 items: ${await firstPaint('200')}`)
    for (let run = 0; run < 3; run++) {
      console.log(`next start, 200 items: ${await firstPaint('200')}`)
    }
  }
  if (only !== 'start') console.log(await scrolling())
} finally {
  await browser.close()
}

/** Milliseconds until the studio says its address, and until the page shows something. */
async function firstPaint(count: string): Promise<string> {
  // The browser of a developer is open already, with a tab for the address.
  const page = await browser.newPage()
  // A clock for all processes, and one event: when the page has painted something.
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (name === 'first-contentful-paint') {
        window.firstPaint = performance.timeOrigin + startTime
      }
    }
  }).observe({ type: 'paint', buffered: true })`)
  const start = performance.timeOrigin + performance.now()
  const studio = await startStudio(count)
  const ready = performance.timeOrigin + performance.now()
  const cpuReady = studio.cpuMs()
  await page.goto(studio.url, { waitUntil: 'commit' })
  await page.locator('.card-value', { hasText: /\d/ }).first().waitFor()
  const shown = performance.timeOrigin + performance.now()
  // All that is counted and checked: items, entities, patterns, findings.
  await until(async () => {
    const values = await page.locator('.card-value').allTextContents()
    return values.filter((each) => /\d/.test(each)).length >= 4
  })
  const complete = performance.timeOrigin + performance.now()
  const cpuComplete = studio.cpuMs()
  let paint: unknown
  await until(async () => {
    paint = await page.evaluate('window.firstPaint')
    return paint !== undefined
  })
  await page.close()
  await studio.stop()
  const after = (time: number): string => `${(time - start).toFixed(0)} ms`
  return [
    `address after ${after(ready)}, first paint after ${after(Number(paint))}`,
    `overview after ${after(shown)}, all of it after ${after(complete)}`,
    `CPU of the studio ${cpuReady} ms until the address, ${cpuComplete} ms until all is shown`,
  ].join('; ')
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** What a browser fetches, compressed: all files of the page together. */
function pageBytes(): string {
  const folder = join(root, 'packages/kit/dist/studio/web')
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length)
    .reduce((sum, each) => sum + each, 0)
  return `page: ${bytes.toLocaleString('en-US')} bytes, compressed`
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
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Microseconds that the thread worked, whatever else the machine did at that time. */
  readonly tdur?: number
}

/**
 * Time by kind of work. An event that happens inside another one counts only as itself: a script
 * that asks for a place makes the browser lay out the page, which is not the time of the script.
 */
function timeOf(events: readonly TraceEvent[], frames: number): string {
  const page = events.find(({ name }) => name === 'FireAnimationFrame')
  const own = new Map<string, number>()
  const add = (name: string, us: number): void => void own.set(name, (own.get(name) ?? 0) + us)
  const around: TraceEvent[] = []
  const ordered = events
    .filter(({ ph, pid, tid, tdur }) => {
      return ph === 'X' && pid === page?.pid && tid === page.tid && tdur !== undefined
    })
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  for (const event of ordered) {
    while (endOf(around.at(-1)) <= event.ts) around.pop()
    const outer = around.at(-1)
    if (outer) add(outer.name, -(event.tdur ?? 0))
    add(event.name, event.tdur ?? 0)
    around.push(event)
  }
  const perFrame = (names: Iterable<string>): string =>
    ([...names].reduce((sum, name) => sum + (own.get(name) ?? 0), 0) / 1000 / frames).toFixed(2)
  return [
    ...WORK.map(([kind, names]) => `${kind} ${perFrame(names)}`),
    `all of the thread ${perFrame(own.keys())}`,
  ].join(', ')
}

function endOf(event: TraceEvent | undefined): number {
  return event ? event.ts + (event.dur ?? 0) : Number.POSITIVE_INFINITY
}

interface StartedStudio {
  readonly url: string
  /** What its process has used; not a number where the system does not say it. */
  cpuMs(): number
  stop(): Promise<unknown>
}

async function startStudio(count: string): Promise<StartedStudio> {
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
    cpuMs: () => cpuOf(child.pid),
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve)
        child.kill('SIGINT')
      }),
  }
}

/** Linux counts the time of a process in hundredths of a second. */
function cpuOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
