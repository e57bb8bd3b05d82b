import path from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { createEngine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { openApp } from './open-app.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'

test('until the address is printed, neither the API nor the engine nor the rules are loaded', async () => {
  const entry = path.join(ROOT, 'packages/kit/src/cli/studio-command.ts')
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    outdir: 'unused',
    bundle: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['singletable-source'],
    external: ['lmdb', 'hono', 'hono/*', '@hono/*', 'jiti', '@babel/*', '@dagrejs/*'],
    logLevel: 'silent',
  })
  const outputs = Object.entries(metafile.outputs)
  const [first] =
    outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('studio-command.ts')) ?? []
  const loaded = new Set<string>()
  const follow = (file: string | undefined): void => {
    if (file === undefined || loaded.has(file)) return
    loaded.add(file)
    for (const { path: to, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement') follow(to)
    }
  }
  follow(first)
  const files = [...loaded].flatMap((file) => [
    file,
    ...Object.entries(metafile.outputs[file]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([name]) => name),
  ])
  expect(files.some((name) => name.endsWith('studio/serve-studio.ts'))).toBe(true)
  const late = /hono|lmdb|studio\/api\/app\.ts|engine\/engine\.ts|check\/rules|seed\/make-items/
  expect(files.filter((name) => late.test(name))).toEqual([])
})

test('a session begins with what is known at once, and the design has the rest', async () => {
  const engine = createEngine()
  const app = await openApp(engine)
  const first = app.session.design
  expect(first).toMatchObject({ isPartial: true, patterns: [], findings: [] })
  const whole = await app.call('/api/design')
  expect(whole.isPartial).toBe(false)
  expect(whole.patterns.length).toBeGreaterThan(0)
  expect(whole.drawing.boxes.length).toBeGreaterThan(0)
  expect(first.entities).toEqual(whole.entities)
  expect(first.indexes).toEqual(whole.indexes)
  expect(first.relations).toEqual(whole.relations)
  expect(first.version).toBe(whole.version)
  await engine.close()
})

describe.skipIf(CHROMIUM === undefined)('the page before its script runs', () => {
  let browser: Browser
  let open: OpenStudio
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
    open = await openStudio('examples/blog/schema.ts', { count: 20 })
  })
  afterAll(async () => {
    await browser?.close()
    await open?.close()
  })

  test('has the bars and the names of all screens at their places', async () => {
    const still = await browser.newPage({ javaScriptEnabled: false })
    await still.goto(open.studio.url)
    const page = await browser.newPage()
    await page.goto(open.studio.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const names = (await page.locator('.nav a > span:first-child').allTextContents()).map(String)
    expect(names.length).toBe(10)
    expect(await still.locator('.nav > span').allTextContents()).toEqual(names)
    for (const bar of ['.top', '.nav', '.main', '.status']) {
      expect(await still.locator(bar).boundingBox(), bar).toEqual(
        await page.locator(bar).boundingBox(),
      )
    }
    const [first, last] = [
      still.locator('.nav > span').first(),
      still.locator('.nav > span').last(),
    ]
    expect(await first.boundingBox()).toEqual(await page.locator('.nav a').first().boundingBox())
    expect(await last.boundingBox()).toEqual(await page.locator('.nav a').last().boundingBox())
  })

  test('comes with the headers of every other answer', async () => {
    const base = `http://127.0.0.1:${open.studio.port}`
    const [file, answer] = await Promise.all([
      fetch(`${base}/`),
      fetch(`${base}/api/design`, { method: 'POST' }),
    ])
    expect([file.status, answer.status]).toEqual([200, 415])
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy']) {
      expect(file.headers.get(name)).toBe(answer.headers.get(name))
      expect(file.headers.get(name)).toBeTruthy()
    }
    expect((await fetch(`${base}/?x=1`)).status).toBe(200)
    expect((await fetch(`${base}/../package.json`)).status).toBe(404)
  })
})
