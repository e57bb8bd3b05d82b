import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { httpAnswer, rawServer } from './raw-server.ts'

test('idle sockets do not keep a program from ending', async () => {
  const server = await rawServer(({ socket }) => socket.write(httpAnswer('{}')))
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'packages/singletable/src/direct/index.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  })
  const program = `const module = { exports: {} };${outputFiles[0]?.text}
    const options = { region: 'a', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
    const transport = module.exports.connect({ ...options, endpoint: '${server.url}' })
    transport.send('ListTables', {}).then((answer) => console.log(JSON.stringify(answer)))`
  const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`(() => {${program}})()`)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exitCode = await new Promise((resolve) => child.once('exit', resolve))
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: '{}\n' })
})
