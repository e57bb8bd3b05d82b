import type { LmdbFile } from './lmdb-file.ts'

/** Which call fails, counted from 1, and how. For tests. */
export interface FileFailure {
  readonly call: number
  /** `before`: nothing is done. `after`: a commit takes place, but is reported as failed, as when the last flush fails. */
  readonly when: 'before' | 'after'
  /** Whether all later calls fail too. */
  readonly forever: boolean
}

/** A file whose calls fail as planned; `calls` counts them, `failed` tells whether the time has come. */
export function failingFile(
  file: LmdbFile,
  failure: FileFailure,
): LmdbFile & { readonly state: { calls: number; failedCommit: boolean } } {
  const state = { calls: 0, failedCommit: false }
  const failsNow = (): boolean => {
    state.calls++
    return failure.forever ? state.calls >= failure.call : state.calls === failure.call
  }
  const failing = <TArguments extends unknown[], TResult>(
    call: (...args: TArguments) => TResult,
  ): ((...args: TArguments) => TResult) => {
    return (...args) => {
      if (failsNow()) throw new Error('EIO: i/o error')
      return call(...args)
    }
  }
  return {
    state,
    readPoint: failing(file.readPoint),
    release: (point) => file.release(point),
    get: failing(file.get),
    range: failing(file.range),
    async commit(writes) {
      const fails = failsNow()
      if (!fails || failure.when === 'after') await file.commit(writes)
      if (!fails) return
      state.failedCommit = true
      throw new Error('EIO: i/o error, fsync')
    },
    commitLarge(callback) {
      const fails = failsNow()
      if (!fails || failure.when === 'after') file.commitLarge(callback)
      if (!fails) return
      state.failedCommit = true
      throw new Error('EIO: i/o error, fsync')
    },
    close: () => file.close(),
  }
}
