import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './architecture/package-manifest.ts'

/** Runs a program in a process of its own, which has an entry of the library as `entry`. */
export async function runBundled(
  entry: 'direct' | 'engine',
  program: string,
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, `packages/singletable/src/${entry}/index.ts`)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  })
  const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`(() => {
    const module = { exports: {} };${outputFiles[0]?.text}
    const entry = module.exports;${program}
  })()`)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { exitCode, output }
}
