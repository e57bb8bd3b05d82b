import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A durable table larger than one would like to hold in memory: loads it, opens it again in a fresh
 * process, reads it by key at random and in full.
 */
const items = Number(optionOf('--items') ?? 5_000_000)
const folder = optionOf('--folder') ?? mkdtempSync(join(tmpdir(), 'singletable-bench-'))

try {
  run('load')
  run('reopen')
} finally {
  if (optionOf('--folder') === undefined) rmSync(folder, { recursive: true, force: true })
}

function run(program: string): void {
  const file = fileURLToPath(new URL(`./processes/${program}.mjs`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--expose-gc', file, folder, String(items)], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${program} failed`)
}

function optionOf(name: string): string | undefined {
  const args = process.argv.slice(2)
  const position = args.indexOf(name)
  return position < 0 ? undefined : args[position + 1]
}
