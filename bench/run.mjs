// Bundles a benchmark from source and runs it: `npm run bench -- engine`.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const [name, ...args] = process.argv.slice(2)
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, 'bench.ts')))
  .map((entry) => entry.name)
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [options]`)
  process.exit(2)
}

// Next to the installed packages, so that what isn't bundled is found.
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'singletable-bench-'))
const outfile = join(folder, 'bench.mjs')
const settings = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['singletable-source'],
}
await build({
  ...settings,
  entryPoints: [join(here, name, 'bench.ts')],
  external: ['playwright-core', 'chromium-bidi'],
  outfile,
  logLevel: 'error',
})
await buildProcesses()
const result = spawnSync(
  process.execPath,
  ['--expose-gc', '--max-old-space-size=8192', outfile, ...args],
  { stdio: 'inherit' },
)
rmSync(folder, { recursive: true, force: true })
process.exit(result.status ?? 1)

/**
 * Programs that the benchmark starts: each file in its folder `processes`. Other people's packages
 * stay as they are installed. A program that can't be built becomes one that says why, so that the
 * benchmark can continue with the others.
 */
async function buildProcesses() {
  const processes = join(here, name, 'processes')
  if (!existsSync(processes)) return
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/kit/package.json'), 'utf8'))
  const external = Object.keys({ ...devDependencies, ...dependencies })
  mkdirSync(join(folder, 'processes'))
  if (existsSync(join(here, name, 'cold-start.ts'))) await buildWhole(processes)
  for (const file of readdirSync(processes)) {
    const program = join(folder, 'processes', file.replace(/\.ts$/, '.mjs'))
    try {
      await build({
        ...settings,
        entryPoints: [join(processes, file)],
        outfile: program,
        external: external.filter((each) => each !== 'singletable'),
        logLevel: 'silent',
      })
    } catch (error) {
      const reason = error.errors?.[0]?.text ?? error.message
      writeFileSync(program, `throw new Error(${JSON.stringify(reason)})\n`)
    }
  }
}

/** The same programs as people deploy them: each with all that it needs in one minified file. */
async function buildWhole(processes) {
  const files = readdirSync(processes).map((file) => join(processes, file))
  await build({
    ...settings,
    entryPoints: files,
    outdir: join(folder, 'whole'),
    outExtension: { '.js': '.mjs' },
    minify: true,
    // Packages in CommonJS ask for Node's modules this way.
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
}
