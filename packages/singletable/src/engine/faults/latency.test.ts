import { spawn } from 'node:child_process'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('a program that waits for a late answer runs until it has it', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createEngine } from './index.ts'
        const engine = createEngine()
        engine.faults.add({ kind: 'latency', ms: 30 })
        engine.send('ListTables', {}).then(({ TableNames }) => console.log(TableNames.length))`,
      resolveDir: `${import.meta.dirname}/..`,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  })
  const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(outputFiles[0]?.text)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exitCode = await new Promise((resolve) => child.once('exit', resolve))
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: '0\n' })
})
