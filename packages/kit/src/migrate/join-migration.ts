import { setTimeout as pause } from 'node:timers/promises'
import { createItemCounter } from './count-items.ts'
import { MigrationError } from './migration-error.ts'
import { RateLimit } from './rate-limit.ts'
import { type RunOptions, segmentsOf, stagesOf } from './run-migration.ts'
import { runPass } from './run-pass.ts'

const POLL_MS = 200

/** Works on a migration that another process leads, until that one ends. False if it was interrupted. */
export async function joinMigration(options: RunOptions): Promise<boolean> {
  const { transport, tableName, environment, journal, id, migration, signal } = options
  const stages = stagesOf(migration)
  let last = ''
  for (;;) {
    if (signal.aborted) return false
    const { records, lock } = await journal.read()
    const record = records.get(id)
    if (record?.state !== 'running') return true
    if (lock === undefined) {
      throw new MigrationError(
        'Nobody leads the migration any more.',
        `migration "${id}", table "${tableName}"`,
        'continue with migrate resume',
      )
    }
    const stage = stages[record.step]
    const pass = `${record.step} ${record.pass}`
    if (pass === last || !Array.isArray(stage)) {
      await pause(POLL_MS)
      continue
    }
    last = pass
    const { before, after } = options
    await runPass({
      transport,
      tableName,
      versions: { before, after, steps: stage, environment },
      rate: new RateLimit(options.unitsPerSecond, () => environment.now()),
      count: createItemCounter({ transport, tableName, after, steps: stage }),
      isDry: false,
      segments: segmentsOf(options, record),
      total: record.segments,
      signal,
      // Writes are conditional on what was read, so that nobody is harmed by one who is late.
      requireLock() {},
      onProgress: options.onProgress,
    })
  }
}
