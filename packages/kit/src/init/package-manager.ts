export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

/** The one that package.json names, else the one whose lock file is there. */
export function packageManagerOf(named: unknown, has: (file: string) => boolean): PackageManager {
  const name = typeof named === 'string' ? named.split('@')[0] : undefined
  const [, known] = LOCK_FILES.find(([, manager]) => manager === name) ?? []
  const [, found] = LOCK_FILES.find(([file]) => has(file)) ?? []
  return known ?? found ?? 'npm'
}

/** The command that adds packages, as words. */
export function addCommand(
  manager: PackageManager,
  packages: readonly string[],
  isForDevelopment: boolean,
): readonly string[] {
  const [word, flag] = manager === 'npm' ? ['install', '--save-dev'] : ['add', '--dev']
  return [manager, word, ...(isForDevelopment ? [flag] : []), ...packages]
}

/** The command that runs a script of package.json. */
export function scriptCommand(manager: PackageManager, script: string): string {
  return `${manager} run ${script}`
}

/** The command line that runs an installed program. */
export function commandLine(manager: PackageManager, line: string): string {
  const runner = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }[manager]
  return `${runner} ${line}`
}
