import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { listen } from '@singletable/kit/server'
import { createEngine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../kit/chromium.ts'
import { bundleProgram } from './bundle-program.ts'
import { findRuntime } from './find-runtime.ts'
import { EXPECTED } from './program.ts'

const TEST_MS_MAX = 240_000
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-runtimes-'))
const engine = createEngine()
let server: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  server = await listen(engine, { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const CONNECT = `connect({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
})`

/** The engine in the runtime itself, and a table on our server through the transport of the
 * runtime. */
const program = (name: string) => `
  import { connect } from 'singletable/direct'
  import { useEngine, useTable } from './program.ts'
  const endpoint = 'http://127.0.0.1:${server.port}'
  const transport = ${CONNECT}
  const results = [await useEngine(), await useTable(transport, '${name}')]
  transport.close()
  console.log(JSON.stringify(results))
`

test.each([
  ['bun', []],
  ['deno', ['run', '--allow-net', '--allow-env', '--allow-read', '--no-lock']],
] as const)(
  'library, engine and direct transport run in %s as they are',
  async (name, options) => {
    const runtime = findRuntime(name)
    if (runtime === undefined) return
    const file = path.join(folder, `${name}.mjs`)
    // What stays to be imported are modules of Node, which these runtimes have.
    const code = await bundleProgram(program(name), ['node', 'import'], ['node:*'])
    expect(code).toMatch(/from ?["']node:net["']/)
    writeFileSync(file, code)
    const { stdout } = await promisify(execFile)(runtime, [...options, file], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual([EXPECTED, EXPECTED])
  },
  TEST_MS_MAX,
)

test(
  'a worker without modules of Node has an engine, and talks to the server over fetch',
  async () => {
    const runtime = findRuntime('workerd')
    if (runtime === undefined) return
    const worker = `
    import { connect } from 'singletable/direct'
    import { useEngine, useTable } from './program.ts'
    export default {
      async fetch() {
        const endpoint = 'http://127.0.0.1:${server.port}'
        const results = [await useEngine(), await useTable(${CONNECT}, 'Worker')]
        return Response.json(results)
      },
    }
  `
    const code = await bundleProgram(worker, ['workerd'])
    expect(code).not.toMatch(/from ?["']node:/)
    writeFileSync(path.join(folder, 'worker.mjs'), code)
    const config = path.join(folder, 'config.capnp')
    writeFileSync(config, WORKERD_CONFIG)
    const running = spawn(runtime, ['serve', config, '--control-fd=3'], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    })
    try {
      const [line] = (await once(running.stdio[3]!, 'data')) as [Buffer]
      const { port } = JSON.parse(line.toString().split('\n')[0]!) as { port: number }
      const response = await fetch(`http://127.0.0.1:${port}/`)
      expect(await response.json()).toEqual([EXPECTED, EXPECTED])
    } finally {
      running.kill()
    }
  },
  TEST_MS_MAX,
)

const WORKERD_CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-01-01",
);
`

test.skipIf(CHROMIUM === undefined)(
  "a page in a browser makes an engine, runs the README's first program and shows its result",
  async () => {
    const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
    const first = /```ts run\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const show = `
      document.body.textContent = JSON.stringify(published.map(({ username }) => username))`
    const code = await bundleProgram(first + show, ['browser'])
    expect(code).not.toMatch(/from ?["']node:/)
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      const failures: unknown[] = []
      page.on('pageerror', (error) => failures.push(error))
      await page.setContent(
        `<script type="module">${code.replaceAll('</script', '<\\/script')}</script>`,
      )
      await page.waitForFunction("document.body.textContent.startsWith('[')")
      expect(failures).toEqual([])
      expect(JSON.parse((await page.textContent('body')) ?? '')).toEqual(['alice'])
    } finally {
      await browser.close()
    }
  },
  TEST_MS_MAX,
)

test('bundles for browsers and workers have no module of Node and nothing in its place', async () => {
  for (const condition of ['browser', 'workerd']) {
    for (const entry of ['singletable', 'singletable/engine', 'singletable/direct']) {
      const code = await bundleProgram(`export * from '${entry}'`, [condition])
      expect(code, `${entry} for ${condition}`).not.toMatch(/(from|import) ?\(?["']node:/)
    }
  }
})
