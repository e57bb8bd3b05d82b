import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Failure } from '../../api/contract.ts'
import { failureIn } from './api.ts'

/** What is being read: nothing yet, a result, or why there is none. */
export interface Loading<TResult> {
  readonly result?: TResult
  readonly failure?: Failure
  readonly isBusy: boolean
}

/** Reads something again whenever one of the dependencies is another; late answers don't count. */
export function useLoad<TResult>(
  read: () => Promise<TResult>,
  dependencies: readonly unknown[],
): Signal<Loading<TResult>> {
  const state = useSignal<Loading<TResult>>({ isBusy: true })
  useEffect(() => {
    let isLate = false
    state.value = { ...state.peek(), isBusy: true }
    read().then(
      (result) => {
        if (!isLate) state.value = { result, isBusy: false }
      },
      (error: unknown) => {
        if (!isLate) state.value = { failure: failureIn(error), isBusy: false }
      },
    )
    return () => {
      isLate = true
    }
  }, dependencies)
  return state
}
