// Prints the requests that each access pattern of each example takes: `node examples/requests.mjs`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
for (const name of readdirSync(here).filter((entry) => existsSync(join(here, entry, 'main.ts')))) {
  const run = spawnSync(process.execPath, [join(here, 'run.mjs'), name], { encoding: 'utf8' })
  if (run.status !== 0) {
    console.error(run.stderr)
    process.exit(1)
  }
  const [, requests] = run.stdout.split('# Requests of each access pattern\n')
  console.log(`# ${name}\n${requests ?? ''}`)
}
