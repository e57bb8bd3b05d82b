// Runs `singletable dev` on an example, from the sources of this repository: `npm start`, `npm
// start shop`, `npm start -- --once`.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildWeb } from '../packages/build-web.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const parameters = process.argv.slice(2)
const isNamed = parameters[0] !== undefined && !parameters[0].startsWith('-')
const name = isNamed ? parameters.shift() : 'blog'
const names = readdirSync(here).filter((entry) => existsSync(join(here, entry, 'schema.ts')))
if (!names.includes(name)) {
  console.error(`usage: npm start [${names.join('|')}] [-- options of singletable dev]`)
  process.exit(2)
}

// Inside node_modules, so that the compiled command finds its packages. It stays there: parts of it
// are loaded when they are needed.
const folder = join(root, 'node_modules/.cache/singletable-start')
await build({
  entryPoints: [join(root, 'packages/kit/src/cli/run-process.ts')],
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['singletable-source'],
  external: ['jiti', 'lmdb', '@babel/parser', '@aws-sdk/*'],
  logLevel: 'error',
})
// Where the compiled command looks for the page of the studio.
await buildWeb(join(folder, '../studio/web'))
const { runProcess } = await import(pathToFileURL(join(folder, 'run-process.mjs')).href)
const schema = relative(process.cwd(), join(here, name, 'schema.ts'))
await runProcess(['dev', '--schema', schema, ...parameters])
