import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ignore from 'ignore'
import { glob } from 'tinyglobby'

/** A project with more is read as far as this. */
export const CODE_FILES_MAX = 20_000

const SKIPPED = ['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'cdk.out'].map(
  (folder) => `**/${folder}/**`,
)
const TESTS = ['**/{test,tests,__tests__,__mocks__}/**', '**/*.{test,spec,test-d}.*']
const GENERATED = ['**/*.d.{ts,cts,mts}', '**/*.{min,bundle}.*']

/**
 * The TypeScript and JavaScript files of a project, relative to it, in the order of their names.
 * Tests, what is generated or installed, hidden files, symbolic links and what a .gitignore names
 * are left out.
 */
export async function findCodeFiles(directory: string): Promise<readonly string[]> {
  const options = { cwd: directory, followSymbolicLinks: false, expandDirectories: false }
  const [files, ignoring] = await Promise.all([
    glob('**/*.{ts,cts,mts,tsx,ctsx,mtsx,js,cjs,mjs,jsx,cjsx,mjsx}', {
      ...options,
      ignore: [...SKIPPED, ...TESTS, ...GENERATED],
    }),
    glob('**/.gitignore', { ...options, dot: true, ignore: [...SKIPPED, '**/.*/**'] }),
  ])
  const isIgnored = ignoredBy([
    ...gitignoresAbove(directory),
    ...ignoring.map((file) => path.join(directory, file)),
  ])
  return files
    .sort()
    .filter((file) => !isIgnored(path.join(directory, file)))
    .slice(0, CODE_FILES_MAX)
}

/** Those of the folders from the repository's root to the project, which may be one of several in
 * it. */
function gitignoresAbove(directory: string): readonly string[] {
  const found: string[] = []
  for (let folder = directory; !existsSync(path.join(folder, '.git')); ) {
    const above = path.dirname(folder)
    // Outside a repository no .gitignore but the project's own counts.
    if (above === folder) return []
    found.unshift(path.join(above, '.gitignore'))
    folder = above
  }
  return found.filter((file) => existsSync(file))
}

/** A .gitignore is about the files below its own folder; the deeper one wins. */
function ignoredBy(gitignores: readonly string[]): (file: string) => boolean {
  const rules = gitignores
    .map((file) => ({
      folder: path.dirname(file),
      matcher: ignore().add(readFileSync(file, 'utf8')),
    }))
    .sort((a, b) => a.folder.length - b.folder.length)
  return (file) => {
    let isIgnored = false
    for (const { folder, matcher } of rules) {
      const inside = path.relative(folder, file)
      if (inside.startsWith('..')) continue
      const { ignored, unignored } = matcher.test(inside.replaceAll(path.sep, '/'))
      isIgnored = ignored || (isIgnored && !unignored)
    }
    return isIgnored
  }
}
