import { build } from 'esbuild'
import { ROOT } from '../architecture/package-manifest.ts'

/**
 * Bundles a program as for a runtime that has nothing of Node: a module that is missing there, and
 * is not `external`, is an error. The entry points are those that the exports of the package give
 * to a runtime with these conditions.
 */
export async function bundleProgram(
  contents: string,
  conditions: readonly string[],
  external: readonly string[] = [],
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${ROOT}/test/runtimes`, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: [...external],
    target: 'es2022',
    conditions: ['singletable-source', ...conditions],
    tsconfigRaw: {},
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
