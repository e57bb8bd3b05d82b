/**
 * Is loaded into every process and thread of the tests, before anything of theirs: counts the
 * requests that the library sends by their shapes, and appends the counts to a file of its own.
 * Whatever goes wrong in here must not fail the tests.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'
import type { ExchangeEvent } from 'singletable/tools'
import { FOLDER_VARIABLE, type ShapeCount } from './counted-shapes.ts'
import { itemsOf, requestShape } from './request-shape.ts'

const FLUSH_AFTER_MS = 20
const FLUSH_AFTER_REQUESTS = 64

// Tests replace timers by their own.
const { setTimeout } = globalThis
const folder = process.env[FOLDER_VARIABLE]

if (folder !== undefined) record(folder)

function record(folder: string): void {
  // Numbers of processes are used again; the time distinguishes them.
  const file = path.join(folder, `${process.pid}-${threadId}-${Date.now()}.jsonl`)
  const counts = new Map<string, { count: number; itemsRead: number; itemsReturned: number }>()
  const known = new Set<string>()
  let pending = 0
  let isScheduled = false

  const flush = (): void => {
    isScheduled = false
    if (pending === 0) return
    pending = 0
    const lines = [...counts].map(([shape, figures]) => {
      const line: ShapeCount = { shape: JSON.parse(shape), ...figures }
      return `${JSON.stringify(line)}\n`
    })
    counts.clear()
    try {
      appendFileSync(file, lines.join(''))
    } catch {
      // The folder is gone: nobody waits for it any more.
    }
  }

  const add = (event: ExchangeEvent): void => {
    const shape = requestShape(event)
    if (shape === undefined) return
    const key = JSON.stringify(shape)
    const before = counts.get(key) ?? { count: 0, itemsRead: 0, itemsReturned: 0 }
    const [itemsRead, itemsReturned] = itemsOf(event)
    counts.set(key, {
      count: before.count + 1,
      itemsRead: before.itemsRead + itemsRead,
      itemsReturned: before.itemsReturned + itemsReturned,
    })
    pending++
    // Threads can be ended without notice, so that what is new is kept at once.
    const isNew = !known.has(key)
    known.add(key)
    if (isNew || pending >= FLUSH_AFTER_REQUESTS) flush()
    else if (!isScheduled) {
      isScheduled = true
      setTimeout(flush, FLUSH_AFTER_MS).unref()
    }
  }

  subscribe('singletable:exchange', (message) => {
    try {
      // The library publishes nothing else there.
      add(message as ExchangeEvent)
    } catch {
      // A request whose shape is not known is not counted.
    }
  })
  process.on('exit', flush)
}
