// Builds both packages for publishing: `npm run build`. The compiler writes types into `dist` and
// modules into `build`; the modules are joined into one file per entry, and one for what entries
// share, because Node takes longer to find 300 small files than to run them. The library gets a
// second build of the same files for `require`, in `dist/cjs`, with types of its own.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import { buildWeb } from './build-web.mjs'

const packages = import.meta.dirname
const tsc = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

/** Modules that are found by their path, beside the entries that `exports` names. */
const FOUND_BY_PATH = {
  singletable: [],
  kit: ['cli/start', 'cli/run-process', 'recorder/hook'],
}

for (const name of Object.keys(FOUND_BY_PATH)) clean(name)
execFileSync(process.execPath, [tsc, '-b', 'singletable', 'kit'], {
  cwd: packages,
  stdio: 'inherit',
})
for (const [name, modules] of Object.entries(FOUND_BY_PATH)) {
  // The kit is published without its sources, so maps would lead nowhere.
  await join(path.join(packages, name), [...entriesOf(name), ...modules], name === 'singletable')
}
await joinCommand(path.join(packages, 'kit'))
await buildWeb(path.join(packages, 'kit/dist/studio/web'))
await buildCommonJs(path.join(packages, 'singletable'))
copyErrorPage(path.join(packages, 'singletable'))

/** Names of joined files change with their contents, so old ones would stay for ever. */
function clean(name) {
  for (const old of ['build', 'dist', 'tsconfig.tsbuildinfo']) {
    rmSync(path.join(packages, name, old), { recursive: true, force: true })
  }
}

function entriesOf(name) {
  const manifest = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'))
  // Runtimes without modules of Node have an entry of their own where they need one.
  return Object.values(manifest.exports).flatMap(({ default: file, browser }) =>
    [file, browser?.default].flatMap((each) =>
      each === undefined ? [] : [each.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
    ),
  )
}

async function join(folder, entries, sourcemap) {
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
    sourcemap,
    sourcesContent: false,
    logLevel: 'warning',
  })
}

/**
 * Joins the whole command into one CommonJS file, with the library, for versions of Node that can
 * keep compiled code only of such files.
 * Packages of others stay outside. For its modules, it is the file of the other build: they look
 * for files relative to that.
 */
async function joinCommand(folder) {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const others = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  await build({
    entryPoints: [path.join(folder, 'build/cli/run-process.js')],
    outfile: path.join(folder, 'dist/cli/run-process.cjs'),
    bundle: true,
    external: others
      .filter((name) => name !== 'singletable')
      .flatMap((name) => [name, `${name}/*`]),
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Code that was kept can't import: Node 20 forgets how, and says so to the user.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileOfOtherBuild' },
    banner: {
      js: "const fileOfOtherBuild = require('node:url').pathToFileURL(__dirname + '/run-process.js').href",
    },
    // Imports of entries of the library load what has an effect only for some: nothing is lost when
    // they go.
    logOverride: { 'ignored-bare-import': 'silent' },
    logLevel: 'warning',
  })
}

/**
 * Turns each joined file into a CommonJS one. They share what the originals share, so here too an
 * error class is the same in all entries.
 * A file named package.json makes the folder CommonJS for Node and for the type checker.
 */
async function buildCommonJs(folder) {
  const dist = path.join(folder, 'dist')
  const target = path.join(dist, 'cjs')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  mkdirSync(target)
  writeFileSync(path.join(target, 'package.json'), '{ "type": "commonjs" }\n')
  for (const file of files.filter((each) => each.endsWith('.d.ts'))) {
    const types = readFileSync(path.join(dist, file), 'utf8')
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
    // The maps of types stay with the originals, which editors find for whoever imports.
    writeFileSync(path.join(target, file), types.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  }
  await build({
    entryPoints: files.filter((file) => file.endsWith('.js')).map((file) => path.join(dist, file)),
    outbase: dist,
    outdir: target,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Jest can't import from CommonJS, but it can require.
    supported: { 'dynamic-import': false },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
}

/** Each error names its section in this page, which is found in every installed package. */
function copyErrorPage(folder) {
  mkdirSync(path.join(folder, 'docs'), { recursive: true })
  cpSync(path.join(packages, '../docs/errors.md'), path.join(folder, 'docs/errors.md'))
}
