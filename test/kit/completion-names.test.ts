import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

test('completion names prints patterns, entities, indexes and rules', async () => {
  const names = async (kind: string) => (await runCli(['completion', 'names', kind])).printed
  expect(await names('pattern')).toContain('postsByUser')
  expect((await names('entity')).split('\n')).toContain('User')
  expect(await names('index')).toBe('primary\ngsi1')
  expect(await names('rule')).toContain('K01')
  expect(await runCli(['completion', 'names', 'x'])).toMatchObject({ code: 2 })
})

test('bash completes the name of a pattern', async () => {
  const { printed } = await runCli(['completion', 'bash'])
  const script = `singletable() { echo postsByUser postsByTag; }
${printed}
COMP_WORDS=(singletable query postsByU) COMP_CWORD=2
_singletable
echo "\${COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect(stdout.trim()).toBe('postsByUser')
})
