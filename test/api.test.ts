import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readManifest } from './architecture/package-manifest.ts'
import { apiReference } from './docs/api-reference.ts'

/** `npm run docs:api` writes the pages again after a change of exports or their comments. */
const entries = ['singletable', 'kit'].flatMap((folder) => {
  const { name, exports = {} } = readManifest(folder)
  return Object.entries(exports).flatMap(([key, target]) => {
    const source = typeof target === 'string' ? undefined : target['singletable-source']
    // That entry is for the kit alone.
    if (typeof source !== 'string' || key === './tools') return []
    return [[path.posix.join(name, key), path.join(ROOT, 'packages', folder, source)] as const]
  })
})

test.each(entries)('docs/api has the page of %s as the source says it', async (specifier, file) => {
  const page = `${specifier.replace('@', '').replaceAll('/', '-')}.md`
  await expect(apiReference(specifier, file)).toMatchFileSnapshot(path.join(ROOT, 'docs/api', page))
})
