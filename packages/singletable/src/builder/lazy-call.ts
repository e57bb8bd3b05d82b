import type { CallOptions } from '../execute/table-context.ts'

/**
 * A call that is sent when it is awaited, and not before: what every builder is. `await`, `then`, `catch` and `finally` of one builder
 * share one run, as those of any promise do; each `execute()` is a run of its own.
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
  #run: Promise<unknown> | undefined

  abstract execute(options?: CallOptions): Promise<unknown>

  get [Symbol.toStringTag](): string {
    return 'LazyPromise'
  }

  // biome-ignore lint/suspicious/noThenProperty: a builder is there to be awaited.
  then<TFulfilled = unknown, TRejected = never>(
    onFulfilled?: ((value: unknown) => TFulfilled | PromiseLike<TFulfilled>) | null,
    onRejected?: ((reason: unknown) => TRejected | PromiseLike<TRejected>) | null,
  ): Promise<TFulfilled | TRejected> {
    // One run for all who wait: `call.catch(log)` next to `await call` must not write twice.
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

  constructor(execute: LazyCall['execute']) {
    super()
    this.execute = execute
  }
}

/** Makes a call that does this when it is awaited. */
export function lazyCall<TResult>(
  execute: (options?: CallOptions) => Promise<TResult>,
): LazyPromise<TResult> {
  // It resolves with what it is made of.
  return new Run(execute) as LazyPromise<TResult>
}
