/**
 * States what must hold if our own code is right. A failure is a bug of ours, so the text asks for
 * a report; wrong input from outside is never checked this way.
 */
export function assert(condition: unknown, why: string): asserts condition {
  if (condition) return
  const error = new Error(
    `${why}\n  This is a bug in singletable. Please report it, with this message and its stack.`,
  )
  error.name = 'AssertionError'
  throw error
}
