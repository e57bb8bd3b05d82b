import { expect, test } from 'vitest'
import { runBundled } from '../run-bundled.ts'
import { httpAnswer, rawServer } from './raw-server.ts'

test('idle sockets do not keep a program from ending', async () => {
  const server = await rawServer(({ socket }) => socket.write(httpAnswer('{}')))
  const ended = await runBundled(
    'direct',
    `const options = { region: 'a', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
    const transport = entry.connect({ ...options, endpoint: '${server.url}' })
    transport.send('ListTables', {}).then((answer) => console.log(JSON.stringify(answer)))`,
  )
  expect(ended).toEqual({ exitCode: 0, output: '{}\n' })
})
