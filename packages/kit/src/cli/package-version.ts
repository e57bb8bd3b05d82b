import { readFileSync } from 'node:fs'

/** Of this command. */
export function packageVersion(): string {
  // The module is two folders below package.json in src and in dist alike.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const manifest: { version: string } = JSON.parse(text)
  return manifest.version
}
