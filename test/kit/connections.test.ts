import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listen } from '@singletable/kit/server'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

const ALICE = ['username=alice', 'name=Alice', 'email=alice@example.com']

test('--data works on the tables of a directory, which stay there', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-data-'))
  try {
    const place = ['--table', 'Blog', '--data', directory]
    expect(await runCli(['table', 'create', ...place])).toMatchObject({ code: 0 })
    expect(await runCli(['put', 'User', ...ALICE, ...place])).toMatchObject({ code: 0 })
    const { printed } = await runCli(['get', 'User', 'username=alice', '--json', ...place])
    expect(JSON.parse(printed)).toMatchObject({ name: 'Alice' })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('--endpoint works on a server, and one that is not there ends with 3', async () => {
  const engine = createEngine()
  const listener = await listen(engine, { port: 0 })
  const place = ['--table', 'Blog', '--endpoint', listener.url]
  try {
    expect(await runCli(['table', 'create', ...place])).toMatchObject({ code: 0 })
    expect(await runCli(['put', 'User', ...ALICE, ...place])).toMatchObject({ code: 0 })
    const { printed } = await runCli(['get', 'User', 'username=alice', '--json', ...place])
    expect(JSON.parse(printed)).toMatchObject({ name: 'Alice' })
  } finally {
    await listener.close()
    await engine.close()
  }
  const gone = await runCli(['table', 'describe', ...place])
  expect(gone.complaints).toContain('singletable table describe:')
  expect(gone.code).toBe(3)
})
