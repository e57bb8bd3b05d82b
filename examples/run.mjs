// Compiles an example and runs it: `node examples/run.mjs blog`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const [name, ...parameters] = process.argv.slice(2)
const names = readdirSync(here).filter((entry) => existsSync(join(here, entry, 'main.ts')))
if (!names.includes(name)) {
  console.error(`usage: node examples/run.mjs <${names.join('|')}>`)
  process.exit(2)
}

// Inside node_modules, so that the compiled program finds its packages.
const cache = join(here, '../node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'singletable-example-'))
const outfile = join(folder, 'main.mjs')
try {
  await build({
    entryPoints: [join(here, name, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['@aws-sdk/*'],
    logLevel: 'error',
  })
  const { status } = spawnSync(process.execPath, [outfile, ...parameters], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
