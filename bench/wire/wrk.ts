import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Operation, wrkScript } from './requests.ts'

export interface WrkResult {
  readonly perSecond: number
  readonly requests: number
  readonly p99Ms: number
}

export function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined
}

interface WrkOptions {
  readonly connections: number
  readonly seconds: number
}

/** On a busy machine a slow server may answer nothing in the time of a run; a longer one shows
 * it. */
const TRIES_MAX = 4

/** Loads a server with one thread; an answer that is not 200 spoils the run. */
export async function runWrk(
  port: number,
  operation: Operation,
  options: WrkOptions,
): Promise<WrkResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await runOnce(port, operation, {
      ...options,
      seconds: options.seconds * attempt,
    })
    if (result.requests > 0) return result
    if (attempt === TRIES_MAX) throw new Error(`port ${port}: no answer to ${operation}`)
  }
}

async function runOnce(
  port: number,
  operation: Operation,
  options: WrkOptions,
): Promise<WrkResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'singletable-wrk-'))
  const script = path.join(folder, 'requests.lua')
  writeFileSync(script, wrkScript(operation))
  try {
    const parameters = [`-c${options.connections}`, `-d${options.seconds}s`, '-t1', '-s', script]
    const output = await outputOf('wrk', [...parameters, `http://127.0.0.1:${port}/`])
    const [, requests = 0, microseconds = 1, p99 = 0, errors = 0] =
      /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(output)?.map(Number) ?? []
    if (errors > 0) throw new Error(`wrk: ${errors} errors\n${output}`)
    return { requests, perSecond: requests / (microseconds / 1e6), p99Ms: p99 / 1000 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outputOf(command: string, parameters: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
