import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RequestShape } from './request-shape.ts'

/** The variable that says where processes of the tests append what they count. */
export const FOLDER_VARIABLE = 'SINGLETABLE_RECORDER_FOLDER'

/** Requests of one shape: a line of the files that processes append to. */
export interface ShapeCount {
  readonly shape: RequestShape
  readonly count: number
  readonly itemsRead: number
  readonly itemsReturned: number
}

/** Adds up what all processes have counted; in an order that does not depend on who was first. */
export function readCountedShapes(folder: string): readonly ShapeCount[] {
  const sums = new Map<string, ShapeCount>()
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.jsonl')) continue
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      const one = parseLine(line)
      if (one === undefined) continue
      const key = JSON.stringify(one.shape)
      const sum = sums.get(key)
      sums.set(key, {
        shape: one.shape,
        count: one.count + (sum?.count ?? 0),
        itemsRead: one.itemsRead + (sum?.itemsRead ?? 0),
        itemsReturned: one.itemsReturned + (sum?.itemsReturned ?? 0),
      })
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/** The last line of a process that was killed may be cut. */
function parseLine(line: string): ShapeCount | undefined {
  if (line === '') return undefined
  try {
    return JSON.parse(line) as ShapeCount
  } catch {
    return undefined
  }
}
