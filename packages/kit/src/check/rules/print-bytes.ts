const UNITS = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const

/** A size with two digits that mean something: `1.4 GB`, `35 MB`, `700 B`. */
export function printBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes >= each) ?? ['B', 1]
  const value = bytes / size
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} ${unit}`
}
