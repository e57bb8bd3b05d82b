import { readFileSync, writeFileSync } from 'node:fs'
import type { RecordedShape, Recording } from '../check/evidence/recording.ts'

/** Where a recording is written unless another name is given. */
export const RECORDING_FILE = 'recording.json'
/** In the file, to recognise it. */
const FORMAT = 'singletable-recording:1'

/** A file that is not a recording. */
export class RecordingError extends Error {}

/** Reads what `singletable recorder` wrote. */
export function readRecording(file: string): Recording {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new RecordingError(`it is not valid JSON: ${cause.message}`, { cause })
  }
  const { format, shapes, otherRequests } = Object(parsed)
  if (format !== FORMAT) throw new RecordingError(`its "format" is not "${FORMAT}"`)
  if (!Array.isArray(shapes) || !shapes.every(isShape)) {
    throw new RecordingError('its "shapes" are not a list of shapes')
  }
  return { shapes, ...(typeof otherRequests === 'number' && { otherRequests }) }
}

export function writeRecording(file: string, { shapes, otherRequests }: Recording): void {
  const content = { format: FORMAT, otherRequests, shapes }
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`)
}

function isShape(value: unknown): value is RecordedShape {
  const { operation, index, key, filter, pattern, count, itemsRead, itemsReturned } = Object(value)
  const isText = (each: unknown): boolean => each === null || typeof each === 'string'
  return (
    typeof operation === 'string' &&
    [index, key, filter, pattern].every(isText) &&
    [count, itemsRead, itemsReturned].every((each) => Number.isFinite(each))
  )
}
