import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { listen } from '@singletable/kit/server'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine } from 'singletable/engine'

/** What the parent draws its curve of; megabytes and milliseconds. */
export interface SoakSample {
  readonly rss: number
  /** Without the pages of the data file, which the kernel takes back when it needs them. */
  readonly anonymous: number
  /** After a full collection. */
  readonly heap: number
  readonly handles: number
  readonly loopP99: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-soak-'))
const engine = createEngine({ storage: lmdbStorage(path.join(folder, 'data')) })
const server = await listen(engine, { port: 0 })
const delay = monitorEventLoopDelay()
delay.enable()
process.on('message', () => {
  const loopP99 = delay.percentile(99) / 1e6
  delay.reset()
  globalThis.gc?.()
  const status = readFileSync('/proc/self/status', 'utf8')
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  process.send?.({
    rss: megabytes('VmRSS'),
    anonymous: megabytes('RssAnon'),
    heap: process.memoryUsage().heapUsed / 2 ** 20,
    handles: process.getActiveResourcesInfo().length,
    loopP99,
  } satisfies SoakSample)
})
process.on('SIGTERM', async () => {
  await server.close()
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
process.send?.({ port: server.port })
