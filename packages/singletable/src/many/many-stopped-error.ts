import { describeCause } from '../errors/describe-cause.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import type { ManyReport } from './many-options.ts'

/**
 * A run over many items that ended before its time; `report` says what was done, and `cause` why it
 * ended.
 */
export class ManyStoppedError extends SingletableError {
  override readonly name: string = 'ManyStoppedError'
  readonly report: ManyReport

  constructor(where: string, report: ManyReport, cause: unknown) {
    const { done, failures } = report
    super(
      'MANY_STOPPED',
      {
        what: `The run stopped after ${done} items, with ${failures.length} failures: ${describeCause(cause)}`,
        where,
        fix: 'fix what error.cause says, and resume with { cursor: error.report.cursor }; what is in error.report.failures is not tried again',
      },
      { cause },
    )
    this.report = report
  }
}
