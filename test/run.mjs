// `npm test`: every step runs even after one has failed, so that the closing summary is complete.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-test-'))
const summaryFile = path.join(folder, 'summary.json')

const steps = [
  // Format, lint and the order of imports.
  { name: 'check', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'page', command: ['tsc', '-p', 'packages/kit/src/studio/web/tsconfig.json'] },
  // Without output the compiler does not look whether every export states its type.
  { name: 'exports', command: ['tsc', '-p', 'test/tsconfig.exports.json', '--outDir', folder] },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'tests', command: ['vitest', 'run', ...process.argv.slice(2)] },
]

const results = steps.map(runStep)
const counts = readCounts()
rmSync(folder, { recursive: true, force: true })

console.log('')
for (const result of results) {
  const seconds = (result.milliseconds / 1000).toFixed(1)
  console.log(`${result.name.padEnd(8)}${result.passed ? 'passed' : 'FAILED'}  ${seconds} s`)
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = counts.failed === 0 && results.every((result) => result.passed) ? 0 : 1

function runStep({ name, command: [tool, ...parameters] }) {
  console.log(`\n── ${name}: ${tool} ${parameters.join(' ')}`)
  const start = Date.now()
  const { status, error } = spawnSync(
    path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${tool}.cmd` : tool),
    parameters,
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      env: { ...process.env, SINGLETABLE_TEST_SUMMARY: summaryFile },
    },
  )
  if (error) console.error(String(error))
  return { name, passed: status === 0, milliseconds: Date.now() - start }
}

function readCounts() {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8'))
  } catch {
    // The test runner itself broke down before it could count.
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
