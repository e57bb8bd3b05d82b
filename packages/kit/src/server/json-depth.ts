const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST_START = 0x5b
const LIST_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d

/**
 * Whether lists and objects in a JSON text are nested deeper than this many levels. One walk over
 * the bytes, so that megabytes of brackets are refused before a parser or anything behind it has to
 * follow them.
 */
export function isDeeperThan(json: Uint8Array, depthMax: number): boolean {
  const length = json.length
  // Each level needs a byte of its own.
  if (length <= depthMax) return false
  let depth = 0
  for (let at = 0; at < length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      for (at++; at < length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++
    } else if (byte === OBJECT_START || byte === LIST_START) {
      if (++depth > depthMax) return true
    } else if (byte === OBJECT_END || byte === LIST_END) depth--
  }
  return false
}
