/** What an error says in one line, to be part of another message: not its stack, not its further lines. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n')
  // The error of a host with several addresses has no text of its own, only a code.
  const { code = error.name } = error as { readonly code?: unknown }
  return line || (error.cause instanceof Error ? describeCause(error.cause) : String(code))
}
