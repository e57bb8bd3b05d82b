/** What an error says in one line, to be part of another message: not its stack, not its further
 * lines. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n')
  // The error of a host with several addresses has no text of its own, only a code.
  const { code = error.name, errors: [cause = error.cause] = [] } = error as {
    readonly code?: unknown
    readonly errors?: readonly unknown[]
  }
  return line || (cause instanceof Error ? describeCause(cause) : String(code))
}
