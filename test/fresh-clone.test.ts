import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './architecture/package-manifest.ts'
import { plainEnvironment } from './pack-packages.ts'

/** An installation, while other tests run. */
const INSTALL_MS = 600_000

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-clone-'))
const clone = path.join(folder, 'singletable')

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', '--no-tags', ROOT, clone], { stdio: 'pipe' })
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
}, INSTALL_MS)

test('the first commands of the README work in a fresh clone', {
  timeout: INSTALL_MS,
}, async () => {
  const readme = readFileSync(path.join(clone, 'README.md'), 'utf8')
  const commands = /^```\n([\s\S]*?)\n```/m.exec(readme)?.[1] ?? ''
  const lines = commands.split('\n')
  // The last one runs until it is stopped.
  const last = lines.pop() ?? ''
  expect(lines).toEqual(['npm ci'])
  expect(last).toBe('npm start')
  for (const line of lines) {
    // The same packages were installed for this very test.
    await run(`${line} --prefer-offline --no-audit --no-fund`)
  }
  expect(await run(`${last} -- --once`)).toContain('Blog · examples/blog/schema.ts')
  // Port 8000 may be in use on this machine.
  const printed = await run(`${last} -- --port 0`, /Ctrl-C ends/)
  expect(printed).toContain('endpoint  http://127.0.0.1:')
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('')
})

/** Runs a command line in the clone; once it has printed `until`, it is interrupted as by Ctrl-C.
 * Gives what it printed. */
function run(line: string, until?: RegExp): Promise<string> {
  const [command = '', ...parameters] = line.split(' ')
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd: clone,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: plainEnvironment(),
    })
    let printed = ''
    let isStopped = false
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (isStopped || !until?.test(printed) || child.pid === undefined) return
      isStopped = true
      process.kill(-child.pid, 'SIGINT')
    })
    let complaints = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => {
      // npm itself ends by the signal that it was sent.
      if (code === 0 || isStopped) resolve(printed)
      else reject(new Error(`${line} ended with ${code}:\n${printed}${complaints}`))
    })
  })
}
