import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * CPU time, user and system, and peak memory of `seed` into a fresh directory, and of `load` of the
 * same items into another. `--items=n` says how many; default 10,000. Run `npm run build` first.
 */
const root = process.cwd()
const command = join(root, 'packages/kit/bin/singletable.js')
if (!existsSync(join(root, 'packages/kit/dist/cli/run-process.js'))) {
  console.error('run npm run build first')
  process.exit(2)
}
const items = process.argv.find((each) => each.startsWith('--items='))?.slice(8) ?? '10000'
const folder = mkdtempSync(join(tmpdir(), 'singletable-seed-'))
const meter = join(folder, 'meter.cjs')
writeFileSync(
  meter,
  `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  require('node:fs').writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, megabytes: maxRSS / 1024 }))
})`,
)
try {
  const [first, second, file] = ['first', 'second', 'items.jsonl'].map((each) => join(folder, each))
  run('table', 'create', '--table', 'Blog', '--data', `${first}`)
  const seed = run('seed', '--count', items, '--table', 'Blog', '--data', `${first}`)
  run('export', `${file}`, '--table', 'Blog', '--data', `${first}`)
  run('table', 'create', '--table', 'Blog', '--data', `${second}`)
  const load = run('load', `${file}`, '--table', 'Blog', '--data', `${second}`)
  for (const [name, { seconds, megabytes }] of Object.entries({ seed, load })) {
    console.log(`${name} ${items}: ${seconds.toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB`)
  }
  console.log(`seed ÷ load: ${(seed.seconds / load.seconds).toFixed(2)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(...words: readonly string[]): { seconds: number; megabytes: number } {
  const { output, status } = spawnSync(
    process.execPath,
    ['--require', meter, command, ...words, '--json'],
    {
      cwd: join(root, 'examples/blog'),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${output[2]}`)
  return JSON.parse(`${output[3]}`)
}
