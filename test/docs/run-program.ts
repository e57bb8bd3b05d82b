import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { expect } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { compileAssertions } from './assertions.ts'
import { missingImports, type NameSource } from './missing-imports.ts'

/** Inside node_modules, so that packages are found from it and no tool takes it for source. */
const OUTPUT = path.join(ROOT, 'node_modules/.cache/singletable-docs')

interface ProgramSource {
  readonly text: string
  /** Where names come from that the program does not import itself. */
  readonly sources: readonly NameSource[]
}

/** Runs one program with its assertions; resolves to how many there were. */
export async function runProgram(text: string, sources: readonly NameSource[]): Promise<number> {
  const { folder, run } = await bundlePrograms([{ text, sources }])
  try {
    return await run(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface BundledPrograms {
  readonly folder: string
  /** Runs a program by its position in the list, and resolves to how many assertions it has. */
  run(index: number): Promise<number>
}

/**
 * Bundles programs together, so that the compiler reads the library once for all of them. A program
 * that can't be compiled fails alone.
 */
export async function bundlePrograms(programs: readonly ProgramSource[]): Promise<BundledPrograms> {
  const folder = path.join(OUTPUT, `${process.pid}-${nextNumber()}`)
  mkdirSync(folder, { recursive: true })
  const modules = programs.map(printProgram)
  const whole = await build(buildOptions(modules, folder)).then(
    () => true,
    () => false,
  )
  return {
    folder,
    async run(index) {
      const text = modules[index]
      if (typeof text !== 'string') throw text
      if (!whole) await build(buildOptions([text], folder, index))
      const file = path.join(folder, `${index}.mjs`)
      const { default: run } = await import(/* @vite-ignore */ pathToFileURL(file).href)
      const check = makeCheck()
      await run(check)
      return check.count
    },
  }
}

/** The program as a module; an error where its assertions can't be read. */
function printProgram({ text, sources }: ProgramSource): string | Error {
  try {
    const compiled = compileAssertions(text)
    const imports = [...compiled.imports, ...missingImports(compiled, sources)]
    return `${imports.join('\n')}\nexport default (check: any) => (${compiled.body})()\n`
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

let number = 0
function nextNumber(): number {
  return number++
}

function buildOptions(
  modules: readonly (string | Error)[],
  folder: string,
  first = 0,
): BuildOptions {
  const entries = modules.flatMap((text, index) => (typeof text === 'string' ? [index] : []))
  const programs: Plugin = {
    name: 'programs',
    setup(builder) {
      builder.onResolve({ filter: /^program:/ }, (given) => ({
        path: given.path.slice('program:'.length),
        namespace: 'program',
      }))
      builder.onLoad({ filter: /./, namespace: 'program' }, (given) => ({
        contents: String(modules[Number(given.path)]),
        loader: 'ts',
        resolveDir: ROOT,
      }))
    },
  }
  return {
    entryPoints: entries.map((index) => ({ in: `program:${index}`, out: String(first + index) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['singletable-source'],
    // Names that are only types must fall away, which the repository's own settings forbid.
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [programs, onlyOurOwnBundled],
  }
}

/** Other packages stay what Node finds: many of them cannot be bundled as modules. */
const onlyOurOwnBundled: Plugin = {
  name: 'only-our-own-bundled',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path: specifier }) =>
      /^(@singletable\/kit|singletable)(\/|$)/.test(specifier) || path.isAbsolute(specifier)
        ? undefined
        : { path: specifier, external: true },
    )
  },
}

interface Check {
  count: number
  equals(actual: unknown, expected: unknown, line: number): void
  throws(action: () => Promise<unknown>, text: string, line: number): Promise<void>
}

function makeCheck(): Check {
  return {
    count: 0,
    equals(actual, expected, line) {
      this.count++
      expect(actual, `line ${line} of the program`).toEqual(expected)
    },
    async throws(action, text, line) {
      this.count++
      const error: unknown = await action().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      const found = error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
      expect(found.slice(0, text.length), `line ${line} of the program`).toBe(text)
    },
  }
}
