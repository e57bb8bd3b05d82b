import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../..')

/** The command of the kit, compiled for this run. */
export interface CompiledCommand {
  /** Runs it in a process of its own. */
  start(
    parameters: readonly string[],
    environment?: Readonly<Record<string, string>>,
    directory?: string,
  ): CommandProcess
  remove(): void
}

export interface CommandProcess {
  readonly child: ChildProcess
  readonly printed: () => string
  readonly complaints: () => string
  /** Resolves when something printed matches, with the match; rejects when the process ends
   * before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** Compiles the command as its package would, but into one folder, so that tests need no build. */
export async function compileCommand(): Promise<CompiledCommand> {
  // Inside node_modules, so that the compiled program finds its packages.
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'singletable-command-'))
  await build({
    entryPoints: [path.join(root, 'packages/kit/src/cli/run-process.ts')],
    outdir: path.join(folder, 'dist/cli'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['jiti', 'lmdb', '@babel/parser'],
    logLevel: 'error',
  })
  const start = path.join(folder, 'start.mjs')
  writeFileSync(
    start,
    `import { runProcess } from './dist/cli/run-process.js'
await runProcess(process.argv.slice(2))
`,
  )
  return {
    start: (parameters, environment = {}, cwd?: string) => {
      const child = spawn(process.execPath, [start, ...parameters], {
        env: { ...process.env, ...environment },
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      return follow(child)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Collects what a process prints. */
export function follow(child: ChildProcess): CommandProcess {
  let printed = ''
  let complaints = ''
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk
    notify()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk
  })
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
  })
  return {
    child,
    printed: () => printed,
    complaints: () => complaints,
    ended,
    waitFor(pattern) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(printed)
          if (match === null) return
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        void ended.then((code) => {
          reject(new Error(`The process ended with ${code}.\n${printed}\n${complaints}`))
        })
      })
    },
  }
}
