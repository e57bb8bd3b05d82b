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

/**
 * CPU microseconds per call of each subject. Each begins with as many calls that don't count: a collection of the whole heap takes away the compiled
 * code for shapes of objects of which none was left, and compiling it again would cost as much as the calls. CPU time is that of all threads, the
 * garbage collector's too. Collections of the whole heap come when V8 wants them: forced ones leave a heap that no program has, full of
 * holes and with little room until the next.
 */
export async function measureRound(subjects: readonly Subject[]): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
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
 * Calls as they come off a wire: JSON parsed into flat strings, and into objects of one shape. Strings glued together in this process are put
 * together only when they are first looked at, and objects put together from others have many shapes, which is no work of the engine's. Two small collections move the calls out of the way of those that follow.
 */
export function arrived<TCall>(calls: readonly TCall[]): TCall[] {
  const parsed: TCall[] = JSON.parse(JSON.stringify(calls))
  globalThis.gc?.({ type: 'minor' })
  globalThis.gc?.({ type: 'minor' })
  return parsed
}
