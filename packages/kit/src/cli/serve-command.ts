import { createEngine, type Engine, SingletableError, type Storage } from 'singletable/engine'
import { type Listener, listen } from '../server/listen.ts'
import type { RequestRecord } from '../server/request-record.ts'
import type { CommandOutput } from './command.ts'
import { helpText } from './help.ts'
import { readServeOptions, SERVE_COMMAND, type ServeOptions } from './serve-options.ts'
import { processStops, type Stops, untilSignal } from './stops.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, UsageError } from './usage-error.ts'

/** Serves until a signal comes. */
export async function runServe(
  parameters: readonly string[],
  output: CommandOutput,
  stops: Stops = processStops,
): Promise<number> {
  try {
    const options = readServeOptions(parameters)
    if (options === 'help') {
      printText(output, helpText(SERVE_COMMAND))
      return EXIT_DONE
    }
    return await serve(options, output, stops)
  } catch (error) {
    // Loaded only now, with the library whose errors it knows: a server should not wait for it.
    const { describeFailure, printFailure } = await import('./failure-report.ts')
    const report = describeFailure(error)
    const exitCode = SingletableError.is(error)
      ? isUsage(error)
        ? EXIT_USAGE
        : EXIT_FAILED
      : report.exitCode
    // Read off the words themselves, because what failed may be the reading of them.
    if (parameters.includes('--json')) {
      output.printError(JSON.stringify({ error: { ...report, exitCode } }))
    } else {
      const prefix = error instanceof UsageError ? 'singletable serve: ' : ''
      output.printError(`${prefix}${printFailure(report)}`)
    }
    return exitCode
  }
}

function isUsage(error: SingletableError): boolean {
  return /^(SERVER_OPTION|ENGINE_OPTION|FAULT)_INVALID$/.test(error.code)
}

async function serve(options: ServeOptions, output: CommandOutput, stops: Stops): Promise<number> {
  const engine = await openEngine(options)
  let listener: Listener
  try {
    for (const fault of options.faults) engine.faults.add(fault)
    listener = await listen(engine, {
      port: options.port,
      ...(options.host !== undefined && { host: options.host }),
      region: options.region,
      allowedHosts: options.allowedHosts,
      corsOrigins: options.corsOrigins,
      allowInsecureNetwork: options.allowInsecureNetwork,
      ...(options.credentials.length > 0 && { credentials: options.credentials }),
      ...(options.json && { onRequest: (record) => output.print(requestLine(record)) }),
      onFailure: (error, requestId) => output.printError(failureLine(error, requestId)),
    })
  } catch (error) {
    await engine.close()
    throw error
  }
  const stopped = untilSignal(stops)
  if (options.allowInsecureNetwork && options.credentials.length === 0) {
    output.printError(
      'singletable serve: warning: clients are not authenticated, and other machines can reach this server.',
    )
  }
  output.print(
    options.json
      ? JSON.stringify({ event: 'listening', url: listener.url, port: listener.port })
      : `listening on ${listener.url}`,
  )
  await stopped
  await listener.close()
  await engine.close()
  return EXIT_DONE
}

async function openEngine(options: ServeOptions): Promise<Engine> {
  const { region, transitionMs, data, durability } = options
  let storage: Storage | undefined
  if (data !== undefined) {
    // Loaded only when data is to be kept: it is native code, which a server in memory should not
    // wait for.
    const { lmdbStorage } = await import('../storage/index.ts')
    storage = await lmdbStorage(data, durability === undefined ? {} : { durability })
  }
  return createEngine({ region, transitionMs, ...(storage && { storage }) })
}

function requestLine(record: RequestRecord): string {
  const { operation, tables, statusCode, errorName, durationMs } = record
  const { requestBytes, responseBytes, requestId } = record
  return JSON.stringify({
    event: 'request',
    operation,
    table: tables.length > 1 ? tables : tables[0],
    status: statusCode,
    error: errorName,
    durationMs: Math.round(durationMs * 1000) / 1000,
    requestBytes,
    responseBytes,
    requestId,
  })
}

/** Where it happened, without the message: that may repeat what a client sent. */
function failureLine(error: unknown, requestId: string): string {
  if (!(error instanceof Error)) return `singletable serve: request ${requestId} failed.`
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const what = SingletableError.is(error) ? error.code : error.name
  return [`singletable serve: request ${requestId} failed with ${what}.`, ...frames].join('\n')
}
