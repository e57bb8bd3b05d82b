import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importModule } from './import-module.ts'

test('process.exit is as it was after files are loaded at the same time', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'singletable-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = ['slow', 'quick', 'exits'].map((name) => path.join(folder, `${name}.mjs`))
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 50))\n'
  writeFileSync(files[0]!, `${wait}export const name = 'slow'\n`)
  writeFileSync(files[1]!, "export const name = 'quick'\n")
  writeFileSync(files[2]!, `${wait}process.exit(3)\n`)
  const { exit } = process
  const [slow, quick, exits] = await Promise.allSettled(files.map(importModule))
  expect(process.exit).toBe(exit)
  expect(slow).toMatchObject({ value: { name: 'slow' } })
  expect(quick).toMatchObject({ value: { name: 'quick' } })
  expect(String(Object(exits).reason)).toContain('The file ends the process')
})
