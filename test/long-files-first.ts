import { existsSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '..')

/** Files that take 10 seconds and more, the longest first. */
const LONG = [
  'kit/studio/features.test.ts',
  'kit/studio/studio.test.ts',
  'package.test.ts',
  'kit/live-copy.test.ts',
  'durability/sigkill.test.ts',
  'kit/init-run.test.ts',
  'kit/docs-screenshot.test.ts',
  'kit/migration-steps.test.ts',
  'types/compilers.test.ts',
  'fresh-clone.test.ts',
  'differential/differential.test.ts',
  'kit/migration-kills.test.ts',
  'runtimes/runtimes.test.ts',
].map((file) => path.join(root, 'test', file))

/**
 * Starts the longest files first, so that none of them runs alone at the end while other cores have
 * nothing to do. Vitest knows how long a file takes only where it has run before, which a fresh clone
 * has not.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((file) => !existsSync(file))
    if (gone.length > 0)
      throw new Error(`test/long-files-first.ts names files that do not exist: ${gone}`)
    const place = new Map(LONG.map((file, index) => [file, index]))
    const placeOf = ({ moduleId }: TestSpecification): number =>
      place.get(path.normalize(moduleId)) ?? LONG.length
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
