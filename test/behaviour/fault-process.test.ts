import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'

test('a program that only waits for a delayed answer stays alive until it comes', async () => {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'packages/singletable/src/engine/index.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  })
  const program = `const module = { exports: {} };${outputFiles[0]?.text}
    const engine = module.exports.createEngine()
    engine.faults.add({ kind: 'latency', ms: 50, operation: 'ListTables' })
    engine.send('ListTables', {}).then((answer) => console.log(JSON.stringify(answer)))`
  const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`(() => {${program}})()`)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exitCode = await new Promise((resolve) => child.once('exit', resolve))
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: '{"TableNames":[]}\n' })
})
