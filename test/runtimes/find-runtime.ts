import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../architecture/package-manifest.ts'

/** The package that has the program itself for this kind of machine; others have a script that
 * looks for it. */
const RUNTIMES = {
  bun: { package: '@oven/bun-linux-x64', version: '1.4.4', program: 'bin/bun' },
  deno: { package: '@deno/linux-x64-glibc', version: '2.9.6', program: 'deno' },
  workerd: {
    package: '@cloudflare/workerd-linux-64',
    version: '1.20261110.1',
    program: 'bin/workerd',
  },
}
/** They are 50 MB each, so they are not dependencies: they are fetched when their test runs for the
 * first time. */
const CACHE = path.join(ROOT, 'node_modules/.cache/runtimes')
const DOWNLOAD_MS_MAX = 120_000

/** The program of a runtime; undefined, with a line that says why, where it can't be had, which is
 * an error when REQUIRE_RUNTIMES is 1. */
export function findRuntime(name: keyof typeof RUNTIMES): string | undefined {
  const given = process.env[name.toUpperCase()]
  if (given !== undefined) return given
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      throw new Error(`no program for ${process.platform} on ${process.arch}`)
    }
    return fetchRuntime(name)
  } catch (error) {
    if (process.env.REQUIRE_RUNTIMES === '1') throw error
    const [reason = ''] = String(error).split('\n')
    console.log(`${name}: skipped, ${reason}; ${name.toUpperCase()} can name the program`)
    return undefined
  }
}

function fetchRuntime(name: keyof typeof RUNTIMES): string {
  const { package: source, version, program } = RUNTIMES[name]
  const folder = path.join(CACHE, `${name}-${version}`)
  const file = path.join(folder, 'package', program)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const options = { cwd: folder, timeout: DOWNLOAD_MS_MAX, stdio: 'pipe' } as const
    execFileSync('npm', ['pack', `${source}@${version}`, '--silent'], options)
    const archive = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? ''
    execFileSync('tar', ['xzf', archive], options)
    chmodSync(file, 0o755)
  }
  return file
}
