import type { CallOptions } from '../execute/table-context.ts'
import { printAsJson } from './printed.ts'

/**
 * A call that is sent when it is awaited, and not before: what every builder is. A builder that
 * reads does so each time it is awaited. One that writes is sent once: `await`, `then`, `catch` and
 * `finally` share that run. Each `execute()` is a run of its own.
 */
export interface LazyPromise<out TResult> extends Promise<TResult> {
  // As promises have it. Declared here, it costs the compiler less than the inherited one.
  then<TFulfilled = TResult, TRejected = never>(
    onFulfilled?: ((value: TResult) => TFulfilled | PromiseLike<TFulfilled>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as promises have it.
    onRejected?: ((reason: any) => TRejected | PromiseLike<TRejected>) | null,
  ): Promise<TFulfilled | TRejected>
  /** Sends it now, with options for this call. Each call of `execute` sends it again. */
  execute(options?: CallOptions): Promise<TResult>
}

/** The part of a builder that is a promise. */
export abstract class LazyCall implements LazyPromise<unknown> {
  static {
    printAsJson(LazyCall.prototype)
  }

  #run: Promise<unknown> | undefined

  abstract execute(options?: CallOptions): Promise<unknown>

  /** Whether it can be sent again without harm. */
  protected onlyReads(): boolean {
    return false
  }

  get [Symbol.toStringTag](): string {
    return 'LazyPromise'
  }

  /** What it is, for consoles. */
  protected get title(): string {
    return 'call'
  }

  /** One line: consoles and test runners must not print what is in the table's context. */
  toJSON(): string {
    return `${this.title}, not awaited`
  }

  // biome-ignore lint/suspicious/noThenProperty: a builder is there to be awaited.
  then<TFulfilled = unknown, TRejected = never>(
    onFulfilled?: ((value: unknown) => TFulfilled | PromiseLike<TFulfilled>) | null,
    onRejected?: ((reason: unknown) => TRejected | PromiseLike<TRejected>) | null,
  ): Promise<TFulfilled | TRejected> {
    // `call.catch(log)` next to `await call` must not write twice; a query that is kept must not
    // give old results.
    if (this.onlyReads()) return this.execute().then(onFulfilled, onRejected)
    this.#run ??= this.execute()
    return this.#run.then(onFulfilled, onRejected)
  }

  catch<TRejected = never>(
    onRejected?: ((reason: unknown) => TRejected | PromiseLike<TRejected>) | null,
  ): Promise<unknown> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<unknown> {
    return this.then().finally(onFinally)
  }
}

/** A call of which nothing but its run is known. */
class Run extends LazyCall {
  readonly execute: LazyCall['execute']
  readonly #onlyReads: boolean

  constructor(execute: LazyCall['execute'], onlyReads: boolean) {
    super()
    this.execute = execute
    this.#onlyReads = onlyReads
  }

  protected override onlyReads(): boolean {
    return this.#onlyReads
  }
}

/** Makes a call that does this when it is awaited. */
export function lazyCall<TResult>(
  execute: (options?: CallOptions) => Promise<TResult>,
  onlyReads = false,
): LazyPromise<TResult> {
  // It resolves with what it is made of.
  return new Run(execute, onlyReads) as LazyPromise<TResult>
}
