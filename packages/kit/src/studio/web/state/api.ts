import type { Answers, Failure } from '../../api/contract.ts'
import { tableOf } from './route.ts'
import { isOffline } from './studio-state.ts'

/** An answer that is an error; the page shows its parts in place. */
export class CallError extends Error {
  readonly failure: Failure
  readonly status: number

  constructor(failure: Failure, status: number) {
    super(failure.what)
    this.failure = failure
    this.status = status
  }
}

const OFFLINE: Failure = {
  code: 'OFFLINE',
  what: 'The studio does not answer.',
  where: null,
  fix: 'look whether singletable studio still runs in its terminal, then reload this page',
}

/** Calls the server; whatever goes wrong is a `CallError`. */
export async function call<TPath extends keyof Answers>(
  path: TPath,
  body: object = {},
): Promise<Answers[TPath]> {
  let response: Response
  const table = tableOf()
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-singletable-studio': '1',
        ...(table !== undefined && { 'x-singletable-table': table }),
      },
      body: JSON.stringify(body),
    })
  } catch {
    isOffline.value = true
    throw new CallError(OFFLINE, 0)
  }
  isOffline.value = false
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer as Answers[TPath]
  const { failure } = Object(answer) as { failure?: Failure }
  throw new CallError(
    failure ?? { ...OFFLINE, what: `The answer was ${response.status}.` },
    response.status,
  )
}

export function failureIn(error: unknown): Failure {
  if (error instanceof CallError) return error.failure
  return { code: 'FAULT', what: String(error), where: null, fix: 'reload this page' }
}
