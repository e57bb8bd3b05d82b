import { ConditionFailedError } from '../errors/condition-failed-error.ts'
import { kindOfValue, showValue } from '../errors/show-value.ts'
import {
  type ConditionCode,
  TransactionCanceledError,
  TransactionRepeatedError,
} from '../errors/transaction-canceled-error.ts'
import { startCall } from '../execute/call.ts'
import { executeWrite } from '../execute/execute-write.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import type { Where } from '../plan/where.ts'
import { explainWrite } from '../plan/write/explain-write.ts'
import { requireSingle, requireWrite } from '../plan/write/require-write.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { nativeParams, transactionParams } from '../request/native-params.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { andWhere, Builder, type WhereCallback } from './builder.ts'
import type { ExactlyOnceWrite } from './exactly-once.ts'
import { lazyCall } from './lazy-call.ts'
import type { Plannable } from './planned.ts'
import type { TransactionResult } from './transaction-builders.ts'
import type { WriteResult } from './write-builder.ts'

interface ConditionalState {
  readonly model: Model
  readonly where: Where | undefined
  readonly returning?: string
}

/** The words that all writes have. */
export abstract class BaseWriteBuilder<TState extends ConditionalState>
  extends Builder<TState>
  implements Plannable<UpdatePlan>
{
  protected abstract readonly verb: string
  protected abstract plan(): UpdatePlan

  where(callback: WhereCallback): this {
    const { model, where } = this.state
    // All states of writes have this member.
    return this.with({ where: andWhere(model, where, callback) } as Partial<TState>)
  }

  /** What asserts nothing must not look like an assertion. */
  protected requireGiven(given: object): object {
    if (typeof given === 'object' && given !== null) return given
    return refuseInput(
      'given() needs an object',
      placeOf(this.context, this.state.model, this.verb),
      'give the current values by attribute, as in { status: value }',
    )
  }

  /** Nothing must not be taken for no condition. */
  protected requireVersion(version: unknown): number {
    const { model } = this.state
    if (model.version && Number.isSafeInteger(version)) return version as number
    const [what, fix] = model.version
      ? [
          `ifVersion() was given ${showValue(version) ?? kindOfValue(version)}, which is not a version`,
          `give "${model.version.name}" of the item as it was read; leave out ifVersion() to write whatever the version is`,
        ]
      : [`${model.name} has no version`, 'declare a Number attribute with version: true']
    return refuseInput(what!, placeOf(this.context, model, this.verb), fix)
  }

  toPlan(verb: string): UpdatePlan {
    // A batch carries out by themselves those that take more than one request.
    const plan = this.plan()
    return verb === 'batchWrite' && plan.kind !== 'write' && plan.unconditional
      ? plan
      : requireWrite(plan, placeOf(this.context, this.state.model, verb))
  }

  /**
   * An object of its own, so that nothing can be changed about it and nothing else takes it for a
   * plain write.
   */
  exactlyOnce(): ExactlyOnceWrite<unknown> {
    const { context, state } = this
    const { returning = 'NONE' } = state
    const place = placeOf(context, state.model, 'exactlyOnce')
    if (!/^(NEW|ALL_NEW|NONE)$/.test(returning)) {
      refusePlan(
        'PLAN_INVALID',
        place,
        `exactlyOnce() sends a transaction, which can't return what returning('${returning}') asks for.`,
        'leave out returning(), and read the item before or afterwards',
      )
    }
    // What an update gives by default comes back from a single request alone.
    const patch = { returning: 'NONE' } as Partial<TState>
    const write = returning === 'ALL_NEW' ? this.with(patch) : this
    const call = lazyCall((options) => write.run(options, true))
    const params = () => transactionParams([requireWrite(write.plan(), place)], undefined)
    const once: Omit<ExactlyOnceWrite<unknown>, keyof typeof call> & Plannable<never> = {
      dbParams: params,
      params,
      explain: () => explainWrite(write.plan(), true),
      toPlan: (verb) =>
        refusePlan(
          'PLAN_INVALID',
          placeOf(context, state.model, verb),
          'A write with exactlyOnce() is always sent alone.',
          verb.startsWith('batch')
            ? 'call its own execute(): a batch has no tokens'
            : 'leave out exactlyOnce(): the transaction has a token already',
        ),
    }
    return Object.freeze(Object.assign(call, once))
  }

  dbParams(): object {
    const place = placeOf(this.context, this.state.model, 'dbParams')
    return nativeParams(requireSingle(requireWrite(this.plan(), place), place))
  }

  params(): object {
    return this.dbParams()
  }

  explain(): Explanation {
    return explainWrite(this.plan())
  }

  result(options?: CallOptions): Promise<WriteResult<unknown>> {
    // One write is never a transaction of its caller's.
    return resultOf(() => this.execute(options)) as Promise<WriteResult<unknown>>
  }

  execute(options?: CallOptions): Promise<unknown> {
    return this.run(options, false)
  }

  private async run(options: CallOptions | undefined, exactlyOnce: boolean): Promise<unknown> {
    const { context } = this
    const call = startCall(context, this.verb, this.state.model.name, options)
    return await executeWrite(context, call, this.plan(), exactlyOnce)
  }
}

/** Gives a failed condition as a result: of a write, or of an operation of a transaction. */
export async function resultOf(
  run: () => Promise<unknown>,
): Promise<WriteResult<unknown> | TransactionResult<unknown>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    if (error instanceof TransactionRepeatedError) {
      return { ok: false, reason: 'TRANSACTION_REPEATED', failures: [], error }
    }
    if (error instanceof TransactionCanceledError) {
      const { failures } = error
      // Conflicts say nothing about the conditions.
      const reason = failures.find(({ code }) => code)?.code
      if (reason) return { ok: false, reason, failures, error }
    }
    if (!(error instanceof ConditionFailedError)) throw error
    // Conditions have no other codes, and the item was decoded by the model.
    const item = error.item as Record<string, unknown> | undefined
    return { ok: false, reason: error.code as ConditionCode, item, error }
  }
}
