/** One thing to measure: `run` carries out so many operations. */
export interface Subject {
  readonly name: string
  readonly run: (operations: number) => void | Promise<void>
}

/**
 * CPU microseconds per operation of each subject: the median over interleaved rounds, so that what else the machine does strikes all
 * subjects alike. CPU time counts the main thread and the garbage collector's threads.
 */
export async function measure(
  subjects: readonly Subject[],
  { rounds, operations }: { readonly rounds: number; readonly operations: number },
): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await subject.run(operations)
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of subjects) {
      globalThis.gc?.()
      const before = process.cpuUsage()
      await run(operations)
      const { user, system } = process.cpuUsage(before)
      samples.get(name)?.push((user + system) / operations)
    }
  }
  return new Map([...samples].map(([name, values]) => [name, median(values)]))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
