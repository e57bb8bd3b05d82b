// What the GitHub Action runs, in the folder of a project that has @singletable/kit installed.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { runChecks } from './run-checks.mjs'

const { INPUT_CHECK, INPUT_DOCS, INPUT_DIFF, GITHUB_STEP_SUMMARY } = process.env
const { code, printed, summary } = await runChecks({
  inputs: { check: INPUT_CHECK, docs: INPUT_DOCS, diff: INPUT_DIFF },
  run: (parameters) => {
    const { status, stdout, stderr, error } = spawnSync(
      'npx',
      ['--no-install', 'singletable', ...parameters],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    )
    return { code: status ?? 1, printed: stdout ?? '', complaints: stderr || String(error ?? '') }
  },
})
console.log(printed)
if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, summary)
process.exitCode = code
