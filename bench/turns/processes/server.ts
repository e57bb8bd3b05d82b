import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '@singletable/kit/server'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine } from 'singletable/engine'

/** The server, in a process of its own: reports the longest turn of the event loop since it was
 * asked to watch. */
const [storage = 'memory'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'singletable-turns-'))
const engine = createEngine(
  storage === 'lmdb' ? { storage: lmdbStorage(join(folder, 'data'), { durability: 'os' }) } : {},
)
const listener = await listen(engine, { port: 0 })

// CPU time of this thread alone, where Linux reports it; elsewhere the time that passes.
const figures = openFigures()
const buffer = Buffer.alloc(64)
function cpuMs(): number {
  if (figures === undefined) return performance.now()
  const length = readSync(figures, buffer, 0, buffer.length, 0)
  return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
}

let isWatching = false
let longestMs = 0
let turns = 0
let last = 0

function watch(): void {
  const now = cpuMs()
  longestMs = Math.max(longestMs, now - last)
  last = now
  turns++
  if (isWatching) setImmediate(watch)
}

process.on('message', (message) => {
  if (message === 'watch') {
    globalThis.gc?.()
    isWatching = true
    longestMs = 0
    turns = 0
    setImmediate(() => {
      last = cpuMs()
      watch()
      process.send?.('watching')
    })
  } else {
    isWatching = false
    process.send?.({ longestMs, turns })
  }
})
process.on('disconnect', async () => {
  await listener.close()
  await engine.close()
  if (figures !== undefined) closeSync(figures)
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
process.send?.({ port: listener.port })

function openFigures(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return undefined
  }
}
