// `npm run test:quick`: what a change needs before it is committed, in under a minute: format and
// lint of the changed files, types, and the unit tests that import one of them. Changed means
// different from the last commit; `npm run test:quick -- main` compares with a branch or commit.
// `--all` runs every unit test and skips the rest, as `.ci/run` does on other versions of Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const [argument] = process.argv.slice(2)
const CHECK = ['--error-on-warnings', '--no-errors-on-unmatched']
// Random tests search for long by design: `npm test` runs them.
const units = ['packages', '--exclude', '**/*.prop.test.ts', '--exclude', '**/*.fuzz.test.ts']

if (argument === '--all') {
  process.exitCode = run('vitest', ['run', ...units]) ? 0 : 1
} else {
  const base = argument ?? 'HEAD'
  const files = changedSince(base)
  const checked = files.filter(
    (file) => /\.(?:[cm]?[jt]sx?|json)$/.test(file) && existsSync(path.join(root, file)),
  )
  const passed = [
    checked.length === 0 || run('biome', ['check', ...CHECK, ...checked]),
    run('tsc', ['--noEmit', '-p', 'tsconfig.json']),
    run('vitest', ['run', ...units, '--changed', base, '--passWithNoTests']),
  ]
  process.exitCode = passed.every(Boolean) ? 0 : 1
}

function changedSince(base) {
  const git = (...parameters) => {
    const { status, stdout, stderr } = spawnSync('git', parameters, { cwd: root, encoding: 'utf8' })
    if (status !== 0) {
      console.error(stderr.trim())
      process.exit(2)
    }
    return stdout.split('\n').filter(Boolean)
  }
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

function run(tool, parameters) {
  const isWindows = process.platform === 'win32'
  const file = path.join(root, 'node_modules', '.bin', isWindows ? `${tool}.cmd` : tool)
  const { status } = spawnSync(file, parameters, { cwd: root, stdio: 'inherit', shell: isWindows })
  return status === 0
}
