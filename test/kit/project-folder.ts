import { mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../architecture/package-manifest.ts'

/** A fresh folder inside the repository, so that files in it find the installed packages. */
export function makeProjectFolder(): string {
  const cache = path.join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(path.join(cache, 'project-'))
}
