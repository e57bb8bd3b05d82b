/** Work that takes longer lets others have a turn, where the context says how. */
const TURN_MS = 5

/** Work on something of this size takes a turn of its own. */
export const LARGE_BYTES = 65_536

/** How work waits for its next turn; undefined where it runs to its end at once, so that a test is
 * the same every time. */
export interface TurnTaking {
  readonly nextTurn?: (() => Promise<void>) | undefined
  /** Whether the request is a large one, so that all work on it takes turns. */
  readonly isLarge?: boolean
}

/** Lets others have a turn before more is done with something of that size; undefined where there
 * is no need. */
export function pause(context: TurnTaking, sizeBytes = 0): Promise<void> | undefined {
  if (context.nextTurn === undefined) return undefined
  return context.isLarge === true || sizeBytes >= LARGE_BYTES ? context.nextTurn() : undefined
}

/** Runs the steps to their end. Each step is short; between two of them others may change what is
 * stored. */
export function inTurns<T>(context: TurnTaking, steps: Iterator<void, T, void>): T | Promise<T> {
  const { nextTurn } = context
  const start = nextTurn === undefined ? 0 : performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (nextTurn !== undefined && performance.now() - start > TURN_MS) {
      return nextTurn().then(() => inTurns(context, steps))
    }
  }
}

/** What becomes of each element, one in a step. */
export function* mapInSteps<T, TResult>(
  elements: readonly T[],
  map: (element: T, position: number) => TResult,
): Generator<void, TResult[]> {
  const results: TResult[] = []
  for (const [position, element] of elements.entries()) {
    results.push(map(element, position))
    yield
  }
  return results
}

/** As `Promise.all(elements.map(start))`, each started in a step of its own. */
export async function allInTurns<T, TResult>(
  context: TurnTaking,
  elements: readonly T[],
  start: (element: T) => Promise<TResult>,
): Promise<TResult[]> {
  const steps = mapInSteps(elements, (element) => {
    const running = start(element)
    // It may fail before all are waited for, which must not count as a failure that nobody handles.
    running.catch(() => {})
    return running
  })
  return Promise.all(await inTurns(context, steps))
}

/** Continues with a result that may be there already, without a turn of the event loop then. */
export function after<T, TNext>(
  result: T | Promise<T>,
  next: (result: T) => TNext | Promise<TNext>,
): TNext | Promise<TNext> {
  return result instanceof Promise ? result.then(next) : next(result)
}

// Kept from the start: a test may put timers of its own in its place.
const immediate: (callback: () => void) => unknown =
  globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0))

/** Turns of the event loop, each for one of those who wait: others wait for one step of work, not
 * for one of everybody's. */
export function turnsOfEventLoop(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => new Promise<void>((resolve) => void immediate(resolve)))
    return last
  }
}
