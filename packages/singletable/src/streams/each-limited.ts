/** Calls a function for each member, several at a time. After a failure no more are started; it is
 * thrown when all have ended. */
export async function eachLimited<T>(
  members: AsyncIterable<T>,
  concurrency: number,
  call: (member: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  for await (const member of members) {
    const task = call(member)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => running.delete(task))
    running.add(task)
    if (running.size >= concurrency) await Promise.race(running)
    if (failure !== undefined) break
  }
  await Promise.all(running)
  if (failure !== undefined) throw failure.error
}
