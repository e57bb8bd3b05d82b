import { setTimeout as pause } from 'node:timers/promises'
import type { MigrationRecord } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { passOptions, type RunOptions, stagesOf } from './run-migration.ts'
import { runPass } from './run-pass.ts'

const POLL_MS = 200

/**
 * Works on a migration that another process leads, until that one ends. False if it was
 * interrupted.
 */
export async function joinMigration(options: RunOptions): Promise<boolean> {
  const { tableName, journal, id, migration, signal, isDown = false } = options
  const stages = stagesOf(migration)
  const place = `migration "${id}", table "${tableName}"`
  let last = ''
  for (;;) {
    if (signal.aborted) return false
    const { records, lock } = await journal.read()
    const record = records.get(id)
    if (record?.state === (isDown ? 'reverted' : 'applied')) return true
    if (record?.state === 'failed') {
      throw new MigrationError(
        `The migration has failed: ${record.note}`,
        place,
        'correct what it says, and continue with migrate resume',
      )
    }
    if (lock === undefined) {
      throw new MigrationError(
        'No process leads the migration.',
        place,
        'start it with migrate up without --join, or continue it with migrate resume',
      )
    }
    const isRunning = record?.state === (isDown ? 'reverting' : 'running')
    if (isRunning && record.checksum !== options.checksum) {
      throw new MigrationError(
        'The process that leads the migration has other code for it.',
        place,
        'use the same version of the project on all machines',
      )
    }
    const stage = isRunning ? stages[record.step] : undefined
    // The leader may be about to begin with it, look for violations, or be at a step on an index.
    const isChecked = record && (record.pass > 0 || record.checkedStep === record.step)
    if (!isRunning || !isChecked || passOf(record) === last || !Array.isArray(stage)) {
      await pause(POLL_MS)
      continue
    }
    last = passOf(record)
    const over = new AbortController()
    await runPass({
      ...passOptions(
        { ...options, signal: AbortSignal.any([signal, over.signal]) },
        record,
        stage,
        lock.epoch,
      ),
      async requireLock() {
        // When the pass is over, its segments are gone, and nothing of it may be done again.
        const now = (await journal.read()).records.get(id)
        if (now === undefined || passOf(now) !== last) over.abort()
      },
    })
  }
}

function passOf({ state, startedAt, step, pass }: MigrationRecord): string {
  return `${state} ${startedAt} ${step} ${pass}`
}
