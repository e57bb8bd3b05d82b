import type { Schema } from 'singletable/tools'
import type { RecordedShape, Recording } from '../check/evidence/recording.ts'
import type { ShapeCount } from './counted-shapes.ts'
import { matchPattern } from './match-pattern.ts'
import { fingerprint, type KeyTest, type RequestShape } from './request-shape.ts'

/** Makes of what processes have counted the recording of one schema: each shape with the pattern it
 * belongs to. */
export function makeRecording(schema: Schema, counts: readonly ShapeCount[]): Recording {
  const own = fingerprint(schema)
  const sums = new Map<string, RecordedShape>()
  let otherRequests = 0
  for (const { shape, count, itemsRead, itemsReturned } of counts) {
    if (shape.schema !== own) {
      otherRequests += count
      continue
    }
    const recorded = recordedShape(schema, shape)
    const key = JSON.stringify(recorded)
    const sum = sums.get(key) ?? { ...recorded, count: 0, itemsRead: 0, itemsReturned: 0 }
    sums.set(key, {
      ...sum,
      count: sum.count + count,
      itemsRead: sum.itemsRead + itemsRead,
      itemsReturned: sum.itemsReturned + itemsReturned,
    })
  }
  return { shapes: [...sums.values()], otherRequests }
}

function recordedShape(
  schema: Schema,
  shape: RequestShape,
): Omit<RecordedShape, 'count' | 'itemsRead' | 'itemsReturned'> {
  const { operation, index, key, filter, entity, verb } = shape
  return {
    operation,
    index,
    key: key.length === 0 ? null : key.map(printTest).join(' AND '),
    filter,
    pattern: matchPattern(schema, shape) ?? null,
    entity,
    verb,
  }
}

function printTest({ name, operator, values }: KeyTest): string {
  if (operator === 'begins_with') return `begins_with(${name}, ${values[0]})`
  return `${name} ${operator} ${values.join(' AND ')}`
}
