import { once } from 'node:events'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { applyChange, entityKey } from './change-items.ts'
import { applyRaw } from './change-raw.ts'
import type { Answers, Failure, StudioEvent } from './contract.ts'
import { exportFile } from './export-items.ts'
import { followStream, startStream } from './follow-stream.ts'
import type { Guard } from './guard.ts'
import { importItems } from './import-items.ts'
import { printFixture } from './print-fixture.ts'
import {
  readChange,
  readEntityKey,
  readExport,
  readFilePart,
  readId,
  readImport,
  readIndex,
  readItems,
  readKey,
  readMinute,
  readPatternRequest,
  readPeriod,
  readQuery,
  readScan,
  readStatement,
  readTyped,
  readWorkbenchModel,
} from './read-body.ts'
import { readFileView, readModel } from './read-file.ts'
import { insightsOf } from './read-insights.ts'
import {
  heatOf,
  indexOf,
  itemDetail,
  overviewOf,
  queryPage,
  scanPage,
  statementPage,
  trafficOf,
} from './read-items.ts'
import { migrationsOf, tryMigration } from './read-migrations.ts'
import { runsOf } from './read-runs.ts'
import type { MigrationRunner } from './run-migrations.ts'
import { planPatternCall, runPattern, testPattern } from './run-pattern.ts'
import type { StaticFiles } from './static-files.ts'
import { failureOf, StudioError } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'
import type { TableSources } from './table-sources.ts'

const BODY_BYTES_MAX = 1_048_576
const STREAMS_MAX = 16
/** The table that a page shows, if it is another than the first. */
const TABLE_HEADER = 'x-singletable-table'

export interface AppOptions {
  readonly sources: TableSources
  readonly guard: Guard
  readonly files: StaticFiles
  readonly runner: MigrationRunner
  /** Calls back for each event until the returned function is called. */
  readonly events: (listener: (event: StudioEvent) => void) => () => void
  readonly onFault: (error: unknown) => void
}

/** The studio as a function of requests; it needs no port. */
export function createApp(options: AppOptions): Hono {
  const { sources, guard, files, runner, events, onFault } = options
  const app = new Hono()
  app.use(guard.everywhere)
  app.use('/api/*', guard.api)
  app.use('/api/*', bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLarge }))

  const answer = <TPath extends keyof Answers>(
    path: TPath,
    work: (
      source: StudioSource,
      body: unknown,
      context: Context,
    ) => Promise<Answers[TPath]> | Answers[TPath],
  ): void => {
    app.post(path, async (context) => {
      const body: unknown = await context.req.json().catch(() => undefined)
      // Whoever has no session yet gets no other table opened.
      const isEntry = path === '/api/session'
      const source = isEntry ? sources.first : await sources.find(context.req.header(TABLE_HEADER))
      return context.json(await work(source, body, context))
    })
  }

  answer('/api/session', (source, body, context) => {
    const { token } = Object(body) as { readonly token?: unknown }
    const entered = guard.enter(context, String(token ?? ''))
    if (entered) return { design: source.firstDesign() }
    throw new StudioError(
      entered === undefined ? 'Too many wrong tokens were given.' : 'The token is wrong.',
      entered === undefined
        ? 'wait a minute, then open the address that singletable studio printed'
        : 'open the address that singletable studio printed',
      'TOKEN_REFUSED',
    )
  })
  answer('/api/design', (source) => source.design())
  answer('/api/overview', (source, body) => {
    const { counts } = Object(body) as { readonly counts?: unknown }
    return overviewOf(source, counts === true || !source.connection.isAws)
  })
  answer('/api/tables', () => sources.list())
  answer('/api/heat', (source, body) => heatOf(source, readIndex(body)))
  answer('/api/traffic', (source, body) => trafficOf(source, readIndex(body), readMinute(body)))
  answer('/api/insights', (source, body) =>
    insightsOf(source, indexOf(source, readIndex(body)), readPeriod(body)),
  )
  answer('/api/runs', (source) => runsOf(source))
  answer('/api/scan', (source, body) => scanPage(source, readScan(body)))
  answer('/api/query', (source, body) => queryPage(source, readQuery(body)))
  answer('/api/statement', (source, body) => statementPage(source, readStatement(body)))
  answer('/api/item', async (source, body) => ({
    detail: (await itemDetail(source, readKey(body))) ?? null,
  }))
  answer('/api/key', async (source, body) => ({
    key: await entityKey(source, readEntityKey(body)),
  }))
  answer('/api/plan', (source, body) => planPatternCall(source, readPatternRequest(body)))
  answer('/api/pattern', (source, body) => runPattern(source, readPatternRequest(body)))
  answer('/api/fixture', (source, body) => printFixture(source, readItems(body)))
  answer('/api/pattern-test', (source, body) => testPattern(source, readPatternRequest(body)))
  answer('/api/change', (source, body) => {
    const { change, isDryRun, table } = readChange(body)
    if (!isDryRun) requireWrites(source, table)
    return change.kind === 'raw'
      ? applyRaw(source, change, isDryRun)
      : applyChange(source, change, isDryRun)
  })

  answer('/api/file', (source, body) => readFileView(source, readFilePart(body)))
  answer('/api/workbench', (source, body) => readModel(source, readWorkbenchModel(body)))
  answer('/api/import', (source, body) => {
    const request = readImport(body)
    if (!request.isDryRun) requireWrites(source, request.table)
    return importItems(source, request)
  })
  app.get('/api/export', async (context) => {
    const source = await sources.find(context.req.query('table'))
    const { name, type, text } = exportFile(source, readExport(context.req.query()))
    const bytes = ReadableStream.from(text).pipeThrough(new TextEncoderStream())
    return context.body(bytes, 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
  })
  answer('/api/migrations', (source) => migrationsOf(source, runner.view))
  answer('/api/run-migrations', async (source, body) => {
    requireWrites(source, readTyped(body))
    await runner.start(source)
    return { ok: true }
  })
  answer('/api/pause-migrations', async (source) => {
    requireWrites(source, source.connection.tableName)
    await runner.pause(source)
    return { ok: true }
  })
  answer('/api/try-migration', (source, body) => tryMigration(source, readId(body)))
  answer('/api/start-stream', (source) => {
    requireWrites(source, source.connection.tableName)
    return startStream(source)
  })

  let streams = 0
  /** Sends events until the page is closed or the studio stops. */
  const sends = (
    path: string,
    work: (
      source: StudioSource,
      send: (event: object) => Promise<void>,
      signal: AbortSignal,
    ) => Promise<void>,
  ): void => {
    app.get(path, async (context) => {
      const source = await sources.find(context.req.query('table'))
      if (streams >= STREAMS_MAX)
        return failed(context, 429, 'STREAMS_MANY', 'Too many pages are open.')
      streams++
      return streamSSE(context, async (stream) => {
        const closed = new AbortController()
        stream.onAbort(() => closed.abort())
        const stop = events((event) => {
          if (event.kind === 'stopped') closed.abort()
        })
        try {
          const send = (event: object): Promise<void> =>
            stream.writeSSE({ data: JSON.stringify(event) })
          await work(source, send, closed.signal)
        } finally {
          stop()
          streams--
        }
      })
    })
  }
  sends('/api/events', async (_, send, signal) => {
    const stop = events((event) => void send(event))
    await aborted(signal)
    stop()
  })
  sends('/api/stream', async (source, send, signal) => {
    try {
      await followStream(source, signal, send)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === undefined) onFault(error)
      else await send({ kind: 'failed', failure })
    }
    // A page whose stream ends asks again at once: it is closed by the page.
    await aborted(signal)
  })

  app.get('*', (context) => {
    const file = files.find(context.req.path)
    if (file === undefined) return context.text('Not found', 404)
    return context.body(file.body, 200, file.headers)
  })
  app.notFound((context) => failed(context, 404, 'NOT_FOUND', 'There is nothing here.'))
  app.onError((error, context) => {
    const failure = failureOf(error)
    if (failure) return context.json({ failure }, statusOf(failure))
    onFault(error)
    return failed(context, 500, 'FAULT', 'The studio failed; the terminal says more.')
  })
  return app
}

/** On AWS, whoever writes types the name of the table first. */
function requireWrites({ connection }: StudioSource, typed: string | undefined): void {
  const { isReadOnly, isAws, tableName } = connection
  if (isReadOnly) {
    throw new StudioError(
      'The studio is read-only.',
      'start it with --write to change items',
      'READ_ONLY',
    )
  }
  if (!isAws || typed === tableName) return
  throw new StudioError(
    'The name of the table was not typed.',
    `type ${tableName} to change items on AWS`,
    'TABLE_UNCONFIRMED',
  )
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort')
}

function statusOf({ code }: Failure): 400 | 403 | 429 {
  return /^(READ_ONLY|TOKEN_REFUSED|TABLE_UNCONFIRMED|TABLE_REFUSED)$/.test(code) ? 403 : 400
}

function failed(context: Context, status: 404 | 429 | 500, code: string, what: string): Response {
  const failure: Failure = { code, what, where: null, fix: null }
  return context.json({ failure }, status)
}

function tooLarge(context: Context): Response {
  const failure: Failure = {
    code: 'BODY_LARGE',
    what: 'The request is larger than 1 MB.',
    where: null,
    fix: 'send less at once',
  }
  return context.json({ failure }, 413)
}
