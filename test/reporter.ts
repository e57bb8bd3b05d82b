import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { countConformance, unknownDifferences } from './conformance/count-conformance.ts'
import { differences } from './conformance/differences.ts'

/** What a run came to, for test/run.mjs. */
export interface RunSummary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Adds to Vitest's own report: the line on conformance, the check of differences.ts, and the
 * counts as a file. */
export default class SummaryReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
  ): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    // A file that cannot be loaded, or an error outside any test, has no test to be counted by.
    const brokenModules = modules.filter((module) => module.errors().length > 0)
    let failed = tests.filter(hasState('failed')).length + brokenModules.length + errors.length

    const outcomes = tests.map((test) => ({ name: test.name, state: test.result().state }))
    const line = countConformance(outcomes, differences)
    if (line !== undefined) this.#vitest?.logger.log(line)
    if (await this.#ranEverything(modules)) {
      for (const difference of unknownDifferences(outcomes, differences)) {
        this.#vitest?.logger.error(
          `differences.ts names a test that does not exist: "${difference.test}"`,
        )
        process.exitCode = 1
        failed++
      }
    }

    const file = process.env.SINGLETABLE_TEST_SUMMARY
    if (file !== undefined) {
      const summary: RunSummary = {
        passed: tests.filter(hasState('passed')).length,
        failed,
        skipped: tests.filter(hasState('skipped')).length,
      }
      writeFileSync(file, JSON.stringify(summary))
    }
  }

  /** Whether no file and no test was filtered out: only then is a test that did not run one that
   * does not exist. */
  async #ranEverything(modules: readonly TestModule[]): Promise<boolean> {
    if (this.#vitest === undefined || this.#vitest.config.testNamePattern !== undefined)
      return false
    const files = await this.#vitest.globTestSpecifications()
    // A file that could not be loaded hides its tests.
    const loaded = modules.filter((module) => module.errors().length === 0)
    return loaded.length === files.length
  }
}

function hasState(state: 'passed' | 'failed' | 'skipped'): (test: TestCase) => boolean {
  return (test) => test.result().state === state
}
