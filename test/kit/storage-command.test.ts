import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lmdbStorage } from '@singletable/kit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

let directory: string
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-storage-command-'))
  const storage = lmdbStorage(path.join(directory, 'data'))
  await storage.transaction((transaction) => {
    for (let n = 0; n < 500; n++) transaction.put(`k${n}`, { n, text: 'some text' })
  })
  await storage.close()
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const verify = (...parameters: string[]) =>
  runCli(['storage', 'verify', ...parameters], { directory })

test('a whole folder is reported with what it holds, and exit code 0', async () => {
  const run = await verify('data')
  expect(run.printed).toMatch(/^data: no damage found \(\d+ pages, 501 entries, 0 items\)/)
  expect([run.code, run.complaints]).toEqual([0, ''])
  const { code, printed } = await verify('data', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(printed)).toMatchObject({ folder: 'data', entries: 501, problems: [] })
})

test('a damaged value is named, with exit code 1', async () => {
  const file = path.join(directory, 'data', 'data.mdb')
  // Also where it is no longer in use.
  const text = readFileSync(file, 'latin1').replaceAll('"n":77,"text":"some', '"n":77,"text":"same')
  writeFileSync(file, text, 'latin1')
  const run = await verify('data')
  expect(run.code).toBe(1)
  expect(run.printed).toMatch(/The value under the key 016b\w+ .* is not what was written\./)
  expect(run.printed).toContain('data: damaged, 1 problems')
  const { code, printed } = await verify('data', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(printed).problemsCount).toBe(1)
})

test('a folder that is in use, no folder, and a missing argument are errors', async () => {
  const storage = lmdbStorage(path.join(directory, 'data'))
  const inUse = await verify('data')
  await storage.close()
  expect(inUse.code).toBe(3)
  expect(inUse.complaints).toContain('STORAGE_IN_USE')
  const none = await verify('none')
  expect(none.code).toBe(3)
  expect(none.complaints).toContain('STORAGE_REFUSED')
  expect((await verify()).code).toBe(2)
})
