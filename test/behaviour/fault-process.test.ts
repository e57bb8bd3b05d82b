import { expect, test } from 'vitest'
import { runBundled } from '../run-bundled.ts'

test('a program that only waits for a delayed answer stays alive until it comes', async () => {
  const ended = await runBundled(
    'engine',
    `const engine = entry.createEngine()
    engine.faults.add({ kind: 'latency', ms: 50, operation: 'ListTables' })
    engine.send('ListTables', {}).then((answer) => console.log(JSON.stringify(answer)))`,
  )
  expect(ended).toEqual({ exitCode: 0, output: '{"TableNames":[]}\n' })
})
