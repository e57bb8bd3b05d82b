import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli } from './run-cli.ts'

const page = readFileSync(path.join(ROOT, 'docs/command.md'), 'utf8')

test('the page of the command lists every command as the help does', async () => {
  const { printed } = await runCli(['--help'])
  const [, section = ''] = /^Commands:\n((?: {2}\S.*\n)+)/m.exec(printed) ?? []
  const inHelp = section
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
  const onPage = [...page.matchAll(/^\| \[`(\w+)`\]\(\S+\) +\| (.*?) +\|$/gm)]
  expect(inHelp.length).toBeGreaterThan(9)
  expect(onPage.map(([, name, summary]) => [name, summary])).toEqual(inHelp)
})

test('what the page shows is what the commands print', async () => {
  const [, shown = ''] = /```text\n(\$ singletable [\s\S]*?)```/.exec(page) ?? []
  const engine = createEngine({ environment: simulatedEnvironment() })
  const strings: string[] = []
  for (const line of shown.split('\n').filter((each) => each.startsWith('$ '))) {
    const [, , ...words] = line.split(' ')
    const run = await runCli(words, { transport: engine })
    const parts = [line, run.printed, run.complaints].filter((text) => text !== '')
    strings.push(`${parts.join('\n')}\n`)
  }
  await engine.close()
  expect(strings.length).toBeGreaterThan(3)
  // Here the commands are given an engine in place of an address.
  expect(strings.join('').replaceAll('this process', 'http://localhost:8000')).toBe(shown)
})
