import { hostname, userInfo } from 'node:os'
import { systemEnvironment } from 'singletable/tools'
import { findWork, isRecoverable, type MigrationWork, optionsFor } from '../../migrate/find-work.ts'
import { Journal } from '../../migrate/journal.ts'
import { MigrationError } from '../../migrate/migration-error.ts'
import { runMigration } from '../../migrate/run-migration.ts'
import type { Failure, MigrationRun } from './contract.ts'
import { migrateProjectOf } from './read-migrations.ts'
import { failureOf, StudioError } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'

/** Carries out the migrations of the project, one run at a time, while pages come and go. */
export class MigrationRunner {
  readonly #onFault: (error: unknown) => void
  #run: { readonly stop: AbortController; readonly done: Promise<void> } | undefined
  #view: MigrationRun | null = null

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  /** The run of this studio, or the last one if it failed. */
  get view(): MigrationRun | null {
    return this.#view
  }

  /** Starts what is left, or continues it. It returns when the table is locked for this run. */
  async start(source: StudioSource): Promise<void> {
    if (this.#run) {
      throw new StudioError('Migrations are running already.', 'wait for them, or pause them')
    }
    const { transport, tableName, isAws } = source.connection
    const journal = journalOf(source)
    const works = await findWork(migrateProjectOf(source), await journal.read(), tableName)
    if (works.length === 0) throw new StudioError('All migrations are applied.', 'nothing is to do')
    if (isAws && !(await isRecoverable(transport, tableName))) {
      throw new MigrationError(
        "The table can't be restored to an earlier time: point-in-time recovery is off.",
        `table "${tableName}"`,
        'turn it on with singletable table apply, or run singletable migrate up --no-pitr',
      )
    }
    const { Table } = await transport.send('DescribeTable', { TableName: tableName })
    await journal.acquire()
    const stop = new AbortController()
    this.#view = { id: works[0]?.folder.id ?? '', units: 0, total: Table?.ItemCount ?? 0 }
    const done = this.#carryOut(source, journal, works, stop).finally(() => {
      this.#run = undefined
    })
    this.#run = { stop, done }
  }

  /** Asks whoever runs them to pause: this studio, or another process. */
  async pause(source: StudioSource): Promise<void> {
    if (this.#run) this.#run.stop.abort()
    else await journalOf(source).ask('pause')
    await this.#run?.done
  }

  /** Pauses before the table is closed. */
  async close(): Promise<void> {
    this.#run?.stop.abort()
    await this.#run?.done
  }

  async #carryOut(
    source: StudioSource,
    journal: Journal,
    works: readonly MigrationWork[],
    stop: AbortController,
  ): Promise<void> {
    const { transport, tableName, isAws } = source.connection
    let failure: Failure | undefined
    try {
      for (const work of works) {
        const { id } = work.folder
        const isDone = await runMigration({
          ...optionsFor(work, { transport, tableName, journal }),
          ...(isAws && { notes: { restorableTo: new Date().toISOString() } }),
          signal: stop.signal,
          onProgress: (_, units) => {
            const total = this.#view?.total ?? 0
            this.#view = { id, units: Math.ceil(units), total }
          },
          onRequest: () => stop.abort(),
        })
        if (!isDone) break
      }
    } catch (error) {
      failure = failureOf(error)
      if (failure === undefined) {
        this.#onFault(error)
        failure = { code: 'FAULT', what: String(error), where: null, fix: null }
      }
    } finally {
      await journal.release().catch(() => undefined)
      this.#view = failure && this.#view ? { ...this.#view, failure } : null
    }
  }
}

function journalOf(source: StudioSource): Journal {
  const { transport, tableName } = source.connection
  return new Journal({
    transport,
    tableName,
    schema: source.schema,
    environment: systemEnvironment,
    owner: `studio of ${userInfo().username}@${hostname()}, process ${process.pid}`,
  })
}
