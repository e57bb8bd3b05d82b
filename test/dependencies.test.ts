import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readManifest } from './architecture/package-manifest.ts'

test('every dependency of the repository and the kit has its reason in docs/dependencies.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/dependencies.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `([^`]+)`\s+\|/gm)].map((match) => match[1])
  const { dependencies, optionalDependencies } = readManifest('kit')
  const { singletable: _own, ...kit } = { ...dependencies, ...optionalDependencies }
  const installed = Object.keys({ ...readManifest().devDependencies, ...kit })
  expect(explained.sort()).toEqual(installed.sort())
})
