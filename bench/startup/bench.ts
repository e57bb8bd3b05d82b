import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../median.ts'

/**
 * CPU time, user and system, of commands that load a schema, as they are built for publishing, when
 * what they compile is kept already. `--node=<file>` measures another Node. Run `npm run build`
 * first.
 */
const ROUNDS = 7
const ENDPOINT = ['--table', 'Blog', '--endpoint', 'http://localhost:18321']
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'query --json': ['query', 'postsByUser', 'username=alice', '--json', ...ENDPOINT],
  query: ['query', 'postsByUser', 'username=alice', ...ENDPOINT],
  get: ['get', 'User', 'username=alice', ...ENDPOINT],
  check: ['check'],
}

const root = process.cwd()
const command = join(root, 'packages/kit/bin/singletable.js')
if (!existsSync(join(root, 'packages/kit/dist/cli/run-process.js'))) {
  console.error('run npm run build first')
  process.exit(2)
}
const node = process.argv.find((each) => each.startsWith('--node='))?.slice(7) ?? process.execPath
const folder = mkdtempSync(join(tmpdir(), 'singletable-startup-'))
const meter = join(folder, 'meter.cjs')
writeFileSync(
  meter,
  `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeSync(3, String(user + system))
})`,
)

const server = spawn(node, [command, 'serve', '--port', '18321'], { stdio: ['ignore', 'pipe', 2] })
try {
  await new Promise((resolve) => server.stdout?.once('data', resolve))
  run([command, 'table', 'create', ...ENDPOINT])
  run([command, 'put', 'User', 'username=alice', 'name=Alice', 'email=a@example.com', ...ENDPOINT])
  console.log(`${spawnSync(node, ['-v']).stdout}CPU ms, median (best) of ${ROUNDS}`)
  print('empty process', ['-e', '0'])
  for (const [name, words] of Object.entries(COMMANDS)) print(name, [command, ...words])
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

function print(name: string, words: readonly string[]): void {
  run(words)
  const times = Array.from({ length: ROUNDS }, () => run(words))
  const [middle, best] = [median(times), Math.min(...times)].map((each) => each.toFixed(0))
  console.log(`${name.padEnd(14)} ${middle?.padStart(4)} (${best?.padStart(4)})`)
}

function run(words: readonly string[]): number {
  const { output, status } = spawnSync(node, ['--require', meter, ...words], {
    cwd: join(root, 'examples/blog'),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${output[2]}`)
  return Number(output[3]) / 1000
}
