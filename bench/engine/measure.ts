/** One thing to measure: `run` carries out the calls that `prepare` has made ready, so that making them isn't measured. */
export interface Subject<TCall = unknown> {
  readonly name: string
  readonly calls: number
  readonly prepare: () => TCall
  readonly run: (calls: readonly TCall[]) => void | Promise<void>
}

/** Keeps the type of the prepared calls inside one subject. */
export function subject<TCall>(definition: Subject<TCall>): Subject {
  return {
    ...definition,
    run: (calls) => definition.run(calls as readonly TCall[]),
  }
}

/** The process is quiet when it has used less than a tenth of so many milliseconds. */
const QUIET_MS = 50
const QUIET_TRIES_MAX = 100

/**
 * CPU microseconds per call of each subject. Each begins with as many calls that don't count: a collection takes away the compiled code for shapes of
 * objects of which none was left, and compiling it again would cost as much as the calls. CPU time is that of all threads, the garbage
 * collector's too.
 */
export async function measureRound(subjects: readonly Subject[]): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  globalThis.gc?.()
  await quiet()
  for (const { name, calls, prepare, run } of subjects) {
    await run(arrived(Array.from({ length: calls }, prepare)))
    const prepared = arrived(Array.from({ length: calls }, prepare))
    const before = process.cpuUsage()
    await run(prepared)
    const { user, system } = process.cpuUsage(before)
    figures[name] = (user + system) / calls
  }
  return figures
}

/**
 * After a collection its threads go on sweeping, for a second and more in a large heap. Their CPU time belongs to no subject, least of all
 * to whichever happens to come first.
 */
async function quiet(): Promise<void> {
  for (let tries = 0; tries < QUIET_TRIES_MAX; tries++) {
    const before = process.cpuUsage()
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    const { user, system } = process.cpuUsage(before)
    if (user + system < QUIET_MS * 100) return
  }
}

/**
 * Calls as they come off a wire: JSON parsed into flat strings, and into objects of one shape. Strings glued together in this process are put
 * together only when they are first looked at, and objects put together from others have many shapes, which is no work of the engine's. Two small collections move the calls out of the way of those that follow.
 */
export function arrived<TCall>(calls: readonly TCall[]): TCall[] {
  const parsed: TCall[] = JSON.parse(JSON.stringify(calls))
  globalThis.gc?.({ type: 'minor' })
  globalThis.gc?.({ type: 'minor' })
  return parsed
}
