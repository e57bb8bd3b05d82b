import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

test('completion names prints patterns, entities, indexes and rules', async () => {
  const names = async (kind: string) => (await runCli(['completion', 'names', kind])).printed
  expect(await names('pattern')).toContain('postsByUser')
  expect((await names('entity')).split('\n')).toContain('User')
  expect(await names('index')).toBe('primary\ngsi1')
  expect(await names('rule')).toContain('K01')
  expect(await runCli(['completion', 'names', 'x'])).toMatchObject({ code: 2 })
})

/** What follows the script in each shell: it prints what the shell offers for the last of the
 * words. */
const ASK: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) => `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}
_singletable
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // It is the widget of zsh that leaves out words which begin otherwise.
  zsh: (words) => `words=(${words.join(' ')}) CURRENT=${words.length}
COMP_WORDS=($words) COMP_CWORD=${words.length - 1}
compgen -F _singletable -- ${words.at(-1)} | grep -e '^${words.at(-1)}'`,
  fish: (words) => `complete -C '${words.join(' ')}'`,
}

describe.each(Object.entries(ASK))('%s', (shell, ask) => {
  const isMissing = spawnSync(shell, ['-c', 'true']).error !== undefined
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'singletable-completion-'))
    // A command, because zsh and fish look for one in $PATH.
    const names = '#!/bin/sh\nprintf "%s of the schema\\n" "$3" | tr " " "\\n"\n'
    writeFileSync(path.join(folder, 'singletable'), names, { mode: 0o755 })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(isMissing).each([
    ['a command', ['singletable', 'infr'], 'infra'],
    ['a subcommand', ['singletable', 'table', 'appl'], 'apply'],
    ['the name of a pattern', ['singletable', 'query', 'patt'], 'pattern'],
    ['the name of an entity', ['singletable', 'get', 'enti'], 'entity'],
    ['the name of a rule', ['singletable', 'check', '--explain', 'rul'], 'rule'],
    ['the last rule of a list', ['singletable', 'check', '--only', 'K01,rul'], 'K01,rule'],
    ['the name of an option', ['singletable', 'seed', '--coun'], '--count'],
    ['the value of an option', ['singletable', 'check', '--format', 'sari'], 'sarif'],
  ])('completes %s', async (_, words, expected) => {
    const { printed } = await runCli(['completion', shell])
    // A file, because Linux takes no argument of more than 128 KB.
    const script = path.join(folder, 'script')
    writeFileSync(script, `${printed}\n${ask(words)}\n`)
    const { stdout, stderr } = spawnSync(shell, [script], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    })
    expect(stderr).toBe('')
    // Fish describes each word after a tab.
    expect(stdout.trim().replaceAll(/\t.*/g, '')).toBe(expected)
  })
})
