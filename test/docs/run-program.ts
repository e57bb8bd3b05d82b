import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { expect } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { compileAssertions } from './assertions.ts'
import { missingImports, type NameSource } from './missing-imports.ts'

/** Inside node_modules, so that packages are found from it and no tool takes it for source. */
const OUTPUT = path.join(ROOT, 'node_modules/.cache/singletable-docs')

/** Runs a program with its assertions; resolves to how many there were. */
export async function runProgram(text: string, sources: readonly NameSource[]): Promise<number> {
  const compiled = compileAssertions(text)
  const imports = [...compiled.imports, ...missingImports(compiled, sources)]
  const program = `${imports.join('\n')}\nexport default (check: any) => (${compiled.body})()\n`
  const file = path.join(OUTPUT, `${process.pid}-${nextNumber()}.mjs`)
  mkdirSync(OUTPUT, { recursive: true })
  try {
    writeFileSync(file, await bundleProgram(program))
    const { default: run } = await import(/* @vite-ignore */ pathToFileURL(file).href)
    const check = makeCheck()
    await run(check)
    return check.count
  } finally {
    rmSync(file, { force: true })
  }
}

let number = 0
function nextNumber(): number {
  return number++
}

async function bundleProgram(program: string): Promise<string> {
  const result = await build({
    stdin: { contents: program, resolveDir: ROOT, loader: 'ts', sourcefile: 'program.ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['singletable-source'],
    // Names that are only types must fall away, which the repository's own settings forbid.
    tsconfigRaw: {},
    write: false,
    logLevel: 'silent',
    plugins: [onlyOurOwnBundled],
  })
  return result.outputFiles[0]?.text ?? ''
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
