import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
// @ts-expect-error: what GitHub runs as it is has no types.
import { runChecks } from '../action/run-checks.mjs'
import { ROOT } from './architecture/package-manifest.ts'
import { runCli } from './kit/run-cli.ts'

let directory: string

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-action-'))
  cpSync(path.join(ROOT, 'examples/blog/schema.ts'), path.join(directory, 'schema.ts'))
  await run(['docs', '--out', 'access-patterns.md'])
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const run = (parameters: readonly string[]) =>
  runCli(parameters, { directory, now: Date.parse('2026-11-01') })
const checks = (inputs: object) => runChecks({ inputs, run })

test('a design without errors and an up-to-date document pass, with a summary', async () => {
  const { code, summary } = await checks({})
  expect(code).toBe(0)
  expect(summary).toMatch(/`singletable check` \| ✅ passed \| 0 errors, \d+ warnings/)
  expect(summary).toContain('`singletable docs --check` | ✅ passed')
  expect(summary).not.toContain('infra diff')
})

test('findings are annotations on lines of the schema', async () => {
  const { code, printed, summary } = await checks({ check: '--max-warnings 0', docs: 'false' })
  expect(code).toBe(1)
  expect(printed).toMatch(/^::warning file=schema\.ts,line=\d+,col=\d+,title=/m)
  expect(summary).toContain('`singletable check` | ❌ failed')
})

test('a stale document is an annotation at its first line that differs, and other commands still run', async () => {
  const file = path.join(directory, 'access-patterns.md')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('## Overview', '## An older overview'))
  const { code, printed, summary } = await checks({})
  writeFileSync(file, text)
  expect(code).toBe(1)
  expect(printed).toMatch(/^::error file=access-patterns\.md,line=\d+,title=docs --check::/m)
  expect(summary).toContain('`singletable check` | ✅ passed')
  expect(summary).toContain('`singletable docs --check` | ❌ failed | 1 errors')
})

test('a table that differs from the schema fails', async () => {
  const template = await run(['infra', 'cfn', '--table', 'Blog'])
  const changed = template.printed.replaceAll('gsi1', 'gsi9')
  writeFileSync(path.join(directory, 'template.yml'), changed)
  const diff = '--table Blog --from "template.yml"'
  const { code, printed, summary } = await checks({ check: 'false', docs: 'false', diff })
  expect(code).toBe(1)
  expect(printed).toMatch(/^::error title=infra diff::.*gsi9/m)
  expect(summary).toContain('`singletable infra diff` | ❌ failed')
})

test('the action names every input that its script reads', () => {
  const action = readFileSync(path.join(ROOT, 'action.yml'), 'utf8')
  for (const name of ['INPUT_CHECK', 'INPUT_DOCS', 'INPUT_DIFF']) expect(action).toContain(name)
})
