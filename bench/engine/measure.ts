/** One thing to measure: `run` carries out calls that `prepare` has made ready, so that making them
 * isn't measured. */
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

/** A subject with its calls. */
export interface Prepared {
  readonly subject: Subject
  /** Those that begin a round, and don't count. */
  readonly first: readonly unknown[]
  readonly counted: readonly unknown[]
}

/**
 * All calls are made once, and used again in every round. Calls made again would be garbage after
 * it, which V8 lets lie about in a heap of a million items for far longer than in one of ten
 * thousand, and each of its small collections goes over all memory that the heap has. What a round
 * touches in a large table is several times what the caches hold, so a call finds as little there
 * as a new one would.
 */
export function prepareCalls(subjects: readonly Subject[]): Prepared[] {
  return subjects.map((subject) => {
    const calls = (length: number) => Array.from({ length }, () => arrived(subject.prepare()))
    return { subject, first: calls(subject.calls / 4), counted: calls(subject.calls) }
  })
}

/**
 * CPU microseconds per call of each subject. Each begins with some calls that don't count: a
 * collection of the whole heap takes away the compiled code for shapes of objects of which none was
 * left, and compiling it again would cost as much as the calls. CPU time is that of all threads,
 * the garbage collector's too. Collections of the whole heap come when V8 wants them: forced ones
 * leave a heap that no program has, full of holes and with little room until the next.
 */
export async function measureRound(prepared: readonly Prepared[]): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const { subject, first, counted } of prepared) {
    await subject.run(first)
    const before = process.cpuUsage()
    await subject.run(counted)
    const { user, system } = process.cpuUsage(before)
    figures[subject.name] = (user + system) / counted.length
  }
  return figures
}

/**
 * A call as it comes off a wire: JSON parsed into flat strings, and into objects of one shape.
 * Strings glued together in this process are put together only when they are first looked at, and
 * objects put together from others have many shapes, which the engine does not cause.
 */
export function arrived<TCall>(call: TCall): TCall {
  return JSON.parse(JSON.stringify(call))
}
