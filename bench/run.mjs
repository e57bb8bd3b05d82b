// Bundles a benchmark from source and runs it: `npm run bench -- engine`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const [name, ...args] = process.argv.slice(2)
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, 'bench.ts')))
  .map((entry) => entry.name)
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [options]`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'singletable-bench-'))
const outfile = join(folder, 'bench.mjs')
await build({
  entryPoints: [join(here, name, 'bench.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['singletable-source'],
  logLevel: 'error',
})
const result = spawnSync(
  process.execPath,
  ['--expose-gc', '--max-old-space-size=8192', outfile, ...args],
  { stdio: 'inherit' },
)
rmSync(folder, { recursive: true, force: true })
process.exit(result.status ?? 1)
