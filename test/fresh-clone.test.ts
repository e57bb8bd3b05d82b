import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './architecture/package-manifest.ts'
import { plainEnvironment } from './pack-packages.ts'

/** Building the studio, while other tests run. */
const START_MS = 300_000

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-clone-'))
const clone = path.join(folder, 'singletable')

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', '--no-tags', ROOT, clone], { stdio: 'pipe' })
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('the first commands of the README work in a fresh clone', {
  timeout: START_MS,
}, async () => {
  const readme = readFileSync(path.join(clone, 'README.md'), 'utf8')
  const commands = /^```\n([\s\S]*?)\n```/m.exec(readme)?.[1] ?? ''
  const lines = commands.split('\n')
  // The last one runs until it is stopped.
  const last = lines.pop() ?? ''
  expect(lines).toEqual(['npm ci'])
  expect(last).toBe('npm start')
  // `npm ci` has installed what runs this very test, so here it only says whether it would, and the
  // clone gets the same packages: to install them again takes a minute.
  await run('npm ci --dry-run --prefer-offline --no-audit --no-fund')
  linkPackages()
  expect(await run(`${last} -- --once`)).toContain('Blog · examples/blog/schema.ts')
  // Port 8000 may be in use on this machine.
  const printed = await run(`${last} -- --port 0`, /Ctrl-C ends/)
  expect(printed).toContain('endpoint  http://127.0.0.1:')
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('')
})

/** Links each installed package into the clone, but its own packages for those of this repository. */
function linkPackages(): void {
  const modules = path.join(clone, 'node_modules')
  const own = new Map<string, string>()
  for (const folder of readdirSync(path.join(clone, 'packages'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue
    const home = path.join(clone, 'packages', folder.name)
    const { name } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
    own.set(name, home)
  }
  const link = (target: string, name: string): void => {
    const file = path.join(modules, name)
    mkdirSync(path.dirname(file), { recursive: true })
    symlinkSync(target, file, 'junction')
  }
  for (const name of packageNames()) {
    if (!own.has(name)) link(path.join(ROOT, 'node_modules', name), name)
  }
  for (const [name, home] of own) link(home, name)
}

/** The installed packages, those of scopes by both parts of their names. */
function packageNames(): string[] {
  const modules = path.join(ROOT, 'node_modules')
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('@'))
      return readdirSync(path.join(modules, name)).map((part) => `${name}/${part}`)
    return name.startsWith('.') ? [] : [name]
  })
}

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
