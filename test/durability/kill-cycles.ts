import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { seededRandom } from 'singletable/engine'
import { CLIENTS } from './operation.ts'
import { type Dump, Oracle } from './oracle.ts'
import type { SeededBug } from './seeded-bugs.ts'
import type { Command, Report } from './writer-process.ts'

export interface KillCycles {
  readonly kills: number
  readonly seed: number
  readonly durability: 'flushed' | 'os'
  readonly bug: SeededBug
  /** Stop after this long, however few kills there were. */
  readonly budgetMs?: number
  readonly onProgress?: (kills: number, acknowledged: number) => void
}

export interface KillResult {
  readonly kills: number
  /** Killed before the store was open. */
  readonly killsWhileOpening: number
  readonly acknowledged: number
  /** Transactions sent again with their tokens after a restart. */
  readonly replayed: number
  readonly problems: readonly string[]
}

const WRITE_MS_MAX = 300
const OPEN_MS_MAX = 120
const CLOSE_MS_MAX = 15
/** A store is used by this many children, one after the other. */
const KILLS_PER_STORE = 50
const REPLAYS = 8
const IDS_PER_CHILD = 1_000_000

/** Bundles the child once: other people's packages stay as they are installed. */
export async function buildWriter(): Promise<string> {
  const root = path.resolve(import.meta.dirname, '../..')
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outfile = path.join(mkdtempSync(path.join(cache, 'singletable-kill-')), 'writer.mjs')
  await build({
    entryPoints: [path.join(import.meta.dirname, 'writer-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['lmdb'],
    logLevel: 'error',
  })
  return outfile
}

/** Opens, compares, writes and kills, again and again; ends early with the first thing that is
 * wrong. */
export async function runKillCycles(program: string, options: KillCycles): Promise<KillResult> {
  const random = seededRandom(options.seed)
  const end = options.budgetMs === undefined ? Infinity : performance.now() + options.budgetMs
  const result = { kills: 0, killsWhileOpening: 0, acknowledged: 0, replayed: 0 }
  const problems: string[] = []
  while (result.kills < options.kills && problems.length === 0 && performance.now() < end) {
    const folder = mkdtempSync(path.join(tmpdir(), 'singletable-kill-'))
    const oracle = new Oracle()
    try {
      for (let turn = 0; turn <= KILLS_PER_STORE && problems.length === 0; turn++) {
        const isLast =
          turn === KILLS_PER_STORE || result.kills >= options.kills || performance.now() >= end
        const writer = new Writer(program, [
          path.join(folder, 'data'),
          options.durability,
          options.bug,
        ])
        try {
          if (!isLast && random() < 0.2) {
            await sleep(random() * OPEN_MS_MAX)
            result.killsWhileOpening++
          } else {
            const { problems: found, replayed } = await compare(writer, oracle).catch((error) => ({
              problems: [String(error)],
              replayed: 0,
            }))
            problems.push(...found)
            result.replayed += replayed
            if (isLast || found.length > 0) break
            await write(writer, random, result.kills * IDS_PER_CHILD + CLIENTS)
          }
        } finally {
          await writer.kill()
        }
        result.kills++
        result.acknowledged += writer.drain(oracle)
        problems.push(...writer.failures)
        options.onProgress?.(result.kills, result.acknowledged)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { ...result, problems }
}

/** What the store has, against what it must have; then transactions of before are sent again, which
 * must change nothing. */
async function compare(
  writer: Writer,
  oracle: Oracle,
): Promise<{ problems: string[]; replayed: number }> {
  await writer.wait('ready')
  const before = await writer.dump(oracle.lastSequence)
  const problems = oracle.compare(before)
  const operations = oracle.transactions.splice(0).slice(-REPLAYS)
  if (problems.length > 0 || operations.length === 0) return { problems, replayed: 0 }
  writer.command({ do: 'replay', operations })
  await writer.wait('ready')
  const after = await writer.dump(oracle.lastSequence)
  if (after.changes.length > 0 || JSON.stringify(after.items) !== JSON.stringify(before.items)) {
    problems.push('a transaction that was sent again with its token changed something')
  }
  return { problems, replayed: operations.length }
}

async function write(writer: Writer, random: () => number, firstId: number): Promise<void> {
  writer.command({ do: 'write', seed: Math.floor(random() * 1e9), firstId })
  await sleep(random() * WRITE_MS_MAX)
  if (random() < 0.1) {
    writer.command({ do: 'close' })
    await sleep(random() * CLOSE_MS_MAX)
  }
}

/** A child and what it has said. */
class Writer {
  readonly #child: ChildProcess
  readonly #reports: Report[] = []
  readonly #ended: Promise<void>
  readonly failures: string[] = []
  #errors = ''
  #wake: (() => void) | undefined
  #isOver = false

  constructor(program: string, parameters: readonly string[]) {
    this.#child = spawn(process.execPath, [program, ...parameters], {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    })
    // The child may be gone while something is written to it.
    this.#child.stdin?.on('error', () => {})
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#errors += text
    })
    let rest = ''
    // The fourth stream was asked for above.
    const pipe = this.#child.stdio[3] as Readable
    pipe.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#reports.push(JSON.parse(line))
      this.#wake?.()
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', () => {
        this.#isOver = true
        this.#wake?.()
        resolve()
      })
    })
  }

  command(command: Command): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
  }

  async dump(after: string | undefined): Promise<Dump> {
    this.command({ do: 'dump', after })
    const { dump } = await this.wait('dump')
    return dump
  }

  async wait<TName extends 'ready' | 'dump'>(
    name: TName,
  ): Promise<Extract<Report, { readonly [N in TName]: unknown }>> {
    for (;;) {
      const report = this.#reports.shift()
      if (report && name in report) {
        // Checked in the line above.
        return report as Extract<Report, { readonly [N in TName]: unknown }>
      }
      if (report === undefined) {
        if (this.#isOver) throw new Error(`the child ended before it was ${name}: ${this.#errors}`)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Gives the oracle all that the child has said of its writes; gives how many were
   * acknowledged. */
  drain(oracle: Oracle): number {
    let acknowledged = 0
    for (const report of this.#reports) {
      if ('started' in report) oracle.started(report.started)
      else if ('acknowledged' in report) {
        oracle.acknowledged(report.acknowledged, report.outcome)
        acknowledged++
      } else if ('failed' in report && !/ENGINE_CLOSED|STORAGE_CLOSED/.test(report.failed)) {
        this.failures.push(report.failed)
      }
    }
    return acknowledged
  }
}
