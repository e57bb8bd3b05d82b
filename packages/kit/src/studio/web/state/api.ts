import type { Answers, Failure } from '../../api/contract.ts'
import { tableOf } from './route.ts'
import { endpointState, isOffline } from './studio-state.ts'

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

/** Answered by the studio itself: these say nothing of the endpoint. */
const OWN: ReadonlySet<keyof Answers> = new Set([
  ...(['/api/session', '/api/design', '/api/runs', '/api/traffic', '/api/plan'] as const),
  ...(['/api/file', '/api/workbench', '/api/fixture', '/api/key'] as const),
])
const SLOW_MS = 1000
let slowCalls = 0

/** Says that the endpoint is slow, until the returned function is called. */
function noteSlow(): () => void {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowCalls++
    if (endpointState.value === 'answers') endpointState.value = 'waiting'
  }, SLOW_MS)
  return () => {
    clearTimeout(timer)
    if (isSlow) slowCalls--
    if (slowCalls === 0 && endpointState.value === 'waiting') endpointState.value = 'answers'
  }
}

/** Calls the server; whatever goes wrong is a `CallError`. */
export async function call<TPath extends keyof Answers>(
  path: TPath,
  body: object = {},
): Promise<Answers[TPath]> {
  let response: Response
  const table = tableOf()
  const noteEnd = OWN.has(path) ? undefined : noteSlow()
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
  } finally {
    noteEnd?.()
  }
  isOffline.value = false
  const answer: unknown = await response.json().catch(() => undefined)
  const { failure } = Object(answer) as { failure?: Failure }
  if (failure?.code === 'NO_ANSWER') endpointState.value = 'silent'
  else if (!OWN.has(path)) endpointState.value = slowCalls > 0 ? 'waiting' : 'answers'
  if (response.ok) return answer as Answers[TPath]
  throw new CallError(
    failure ?? { ...OFFLINE, what: `The answer was ${response.status}.` },
    response.status,
  )
}

export function failureIn(error: unknown): Failure {
  if (error instanceof CallError) return error.failure
  return { code: 'FAULT', what: String(error), where: null, fix: 'reload this page' }
}
