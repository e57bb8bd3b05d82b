import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['singletable-source'] },
  ssr: { resolve: { conditions: ['singletable-source', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/referee/global-setup.ts'],
    reporters: ['default', './test/reporter.ts'],
    // All cores: by default one is left to the main process, which has little to do.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
