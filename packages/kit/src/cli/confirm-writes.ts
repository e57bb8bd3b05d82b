import { createInterface } from 'node:readline/promises'
import type { OperationName, Operations, Transport } from 'singletable/tools'
import type { CommandOutput } from './command.ts'
import type { OptionGroup, Parameters } from './help.ts'
import { UsageError } from './usage-error.ts'

/** For commands that write. */
export const WRITE_OPTIONS: OptionGroup = {
  title: 'To be sure',
  options: [
    {
      name: 'yes',
      short: 'y',
      text: 'do not ask for confirmation before writing, such as to prod',
    },
  ],
}

const READS = /^(Get|BatchGet|TransactGet|Query|Scan|Describe|List)/

/**
 * Nobody agreed that something is written. Its name ends as that of an answer, so that it is not
 * sent again.
 */
class NotConfirmedError extends UsageError {
  override readonly name = 'NotConfirmedException'
}

/** The refusal behind an error of the library. */
export function notConfirmed(error: unknown): UsageError | undefined {
  if (error instanceof NotConfirmedError) return error
  return error instanceof Error && error.cause !== undefined ? notConfirmed(error.cause) : undefined
}

/**
 * Asks once, before the first request that writes, where the environment wants it. It is asked
 * here, so that no command can forget it.
 */
export function confirmWrites(
  transport: Transport,
  place: string,
  given: Parameters,
  output: CommandOutput,
): Transport {
  const { environment } = given
  if (!environment?.confirm || given.flag('yes') || given.text('yes') !== undefined)
    return transport
  let answer: Promise<void> | undefined
  return {
    async send(operation, request, options) {
      if (!isRead(operation, request)) {
        answer ??= ask(environment.name, place, output)
        await answer
      }
      return transport.send(operation, request, options)
    },
  }
}

function isRead<TName extends OperationName>(
  operation: TName,
  request: Operations[TName]['request'],
): boolean {
  const { Statement } = Object(request) as { readonly Statement?: unknown }
  return READS.test(operation) || (typeof Statement === 'string' && /^\s*select\b/i.test(Statement))
}

async function ask(environment: string, place: string, output: CommandOutput): Promise<void> {
  await requireYes(`This writes to ${environment} (${place})`, output, 'Nothing was written.')
}

/** Asks on a terminal, and fails unless the answer is yes; without a terminal it always fails. */
export async function requireYes(
  what: string,
  output: CommandOutput,
  otherwise: string,
): Promise<void> {
  const { standardInput: input, standardOutput } = output
  const isTerminal = output.isTerminal === true && Object(input).isTTY === true
  if (!isTerminal || input === undefined || standardOutput === undefined) {
    throw new NotConfirmedError(
      `${what}, and there is no terminal to ask.`,
      'pass --yes if you are sure',
    )
  }
  output.progress?.('')
  const terminal = createInterface({ input, output: standardOutput })
  try {
    const answer = await terminal.question(`${what}. Continue? (y/N) `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  throw new NotConfirmedError(otherwise, 'answer y to continue')
}
