import { defineConfig } from 'vitest/config'
import LongFilesFirst from './test/long-files-first.ts'

// Suites in one process share no state but what their helpers keep for all of them.
const SHARED = [
  'aws',
  'attacks',
  'behaviour',
  'conformance',
  'corpus',
  'library',
  'reference',
  'streams',
].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  resolve: { conditions: ['singletable-source'] },
  ssr: { resolve: { conditions: ['singletable-source', 'node', 'import', 'default'] } },
  test: {
    globalSetup: ['test/referee/global-setup.ts'],
    sequence: { sequencer: LongFilesFirst },
    reporters: ['default', './test/reporter.ts'],
    // All cores: by default one is left to the main process, which has little to do.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is polled comes in milliseconds, but not on a machine that is busy with other tests.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          // They share no state, so that modules need not be loaded again for each file: half the
          // time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'shared', include: SHARED, isolate: false },
      },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: SHARED },
      },
    ],
  },
})
