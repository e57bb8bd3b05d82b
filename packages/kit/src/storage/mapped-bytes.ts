import { readFileSync } from 'node:fs'

/**
 * The memory of the process that is mapped from files; where the system does not say, all of its
 * memory.
 */
export function mappedBytes(): number {
  const bytes = process.memoryUsage.rss()
  if (process.platform !== 'linux') return bytes
  // In pages, whose size differs between machines: the size, what is in memory, what of it is of
  // files.
  const [, resident = 0, ofFiles = 0] = readFileSync('/proc/self/statm', 'latin1')
    .split(' ')
    .map(Number)
  return resident > 0 ? (bytes * ofFiles) / resident : bytes
}
