// Builds the page of the studio into static files: `buildWeb(folder)`.
import path from 'node:path'
import { build } from 'vite'

const root = path.join(import.meta.dirname, 'kit/src/studio/web')

export async function buildWeb(outDir) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page allows no inline script and no data in place of files.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  })
}
