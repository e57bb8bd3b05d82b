// Builds both packages for publishing: `npm run build`. The compiler writes types into `dist` and modules into `build`; the modules are
// joined into one file per entry, and one for what entries share, because Node takes longer to find 300 small files than to run them.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const packages = import.meta.dirname
const tsc = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

/** Modules that are found by their path, beside the entries that `exports` names. */
const FOUND_BY_PATH = {
  singletable: [],
  kit: ['cli/run-process', 'recorder/hook'],
}

for (const name of Object.keys(FOUND_BY_PATH)) clean(name)
execFileSync(process.execPath, [tsc, '-b', 'singletable', 'kit'], {
  cwd: packages,
  stdio: 'inherit',
})
for (const [name, modules] of Object.entries(FOUND_BY_PATH)) {
  await join(path.join(packages, name), [...entriesOf(name), ...modules])
}

/** Names of joined files change with their contents, so old ones would stay for ever. */
function clean(name) {
  for (const old of ['build', 'dist', 'tsconfig.tsbuildinfo']) {
    rmSync(path.join(packages, name, old), { recursive: true, force: true })
  }
}

function entriesOf(name) {
  const manifest = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'))
  return Object.values(manifest.exports).flatMap(({ default: file }) =>
    file === undefined ? [] : [file.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
  )
}

async function join(folder, entries) {
  await build({
    entryPoints: entries.map((entry) => ({
      in: path.join(folder, 'build', `${entry}.js`),
      out: entry,
    })),
    outdir: path.join(folder, 'dist'),
    // As deep as the entries: some modules look for files relative to their own.
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
}
