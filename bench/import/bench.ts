import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * An import of a CSV file into a durable table: `npm run bench -- import --bytes 1e9`.
 * `--row-bytes` says how long a row is, 200 unless given.
 */
const bytes = optionOf('--bytes', 50e6)
const rowBytes = optionOf('--row-bytes', 200)
const folder = mkdtempSync(join(tmpdir(), 'singletable-bench-'))
try {
  const rows = writeCsv(join(folder, 'users.csv'))
  const file = fileURLToPath(new URL('./processes/import.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [file, folder, String(rows)], { stdio: 'inherit' })
  if (status !== 0) throw new Error('import failed')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function optionOf(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

function writeCsv(file: string): number {
  const handle = openSync(file, 'w')
  const text = 'x'.repeat(Math.max(1, rowBytes - 60))
  let written = writeSync(handle, 'id,email,score,created_at,text\n')
  let rows = 0
  while (written < bytes) {
    let chunk = ''
    for (let at = 0; at < 1_000; at++, rows++) {
      chunk += `${rows},user${rows}@example.org,${rows % 1000}.25,2024-01-15T10:00:00Z,${text}\n`
    }
    written += writeSync(handle, chunk)
  }
  closeSync(handle)
  return rows
}
