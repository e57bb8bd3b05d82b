import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import type { Engine } from 'singletable/engine'
import { ROOT } from '../architecture/package-manifest.ts'

/** A program of the tests, compiled, whose processes are killed. */
export interface MortalProgram {
  /** For data, removed with the program. */
  readonly folder: string
  /** Starts a process. `ended` gives the signal that killed it, or `code 0`. */
  start(...parameters: readonly (string | number)[]): {
    readonly ended: Promise<{ readonly signal: string; readonly printed: string }>
    kill(): void
  }
  remove(): void
}

/** Compiles a file of this folder. Packages with native code stay outside. */
export async function mortalProgram(file: string): Promise<MortalProgram> {
  const cache = path.join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const program = path.join(mkdtempSync(path.join(cache, 'singletable-killed-')), 'process.mjs')
  const folder = mkdtempSync(path.join(tmpdir(), 'singletable-killed-'))
  await build({
    entryPoints: [path.join(ROOT, 'test/kit', file)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['lmdb', 'pgsql-ast-parser', 'csv-parse', 'csv-stringify'],
    logLevel: 'error',
  })
  return {
    folder,
    start(...parameters) {
      const child = spawn(process.execPath, [program, ...parameters.map(String)], {
        // A process that dies leaves its temporary files behind.
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      const ended = new Promise<{ readonly signal: string; readonly printed: string }>(
        (resolve) => {
          child.once('close', (code, signal) =>
            resolve({ signal: signal ?? `code ${code}`, printed }),
          )
        },
      )
      return { ended, kill: () => void child.kill('SIGKILL') }
    },
    remove() {
      for (const each of [path.dirname(program), folder]) rmSync(each, { recursive: true })
    },
  }
}

/** An engine that does something at each request of its server. */
export function watched(
  engine: Engine,
  onRequest: (send: () => Promise<unknown>) => Promise<unknown>,
): Engine {
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'sendText') {
        return (...request: Parameters<Engine['sendText']>) =>
          onRequest(() => target.sendText(...request))
      }
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
