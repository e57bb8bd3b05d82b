import { ServiceError, SingletableError } from 'singletable'
import { NoAnswerError } from 'singletable/direct'
import { didYouMean } from 'singletable/tools'
import { MigrationError } from '../migrate/migration-error.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { notConfirmed } from './confirm-writes.ts'
import {
  EnvironmentError,
  EXIT_ENVIRONMENT,
  EXIT_FAILED,
  EXIT_USAGE,
  FailureError,
  UsageError,
} from './usage-error.ts'

/** An error as a command reports it. */
export interface FailureReport {
  readonly exitCode: number
  /** Of an error of the library: its code, see docs/errors.md. */
  readonly code?: string
  readonly message: string
  readonly where?: string
  readonly fix?: string
}

/**
 * Codes of the library's errors that are about how the table is reached, or about the schema, and
 * not about what is asked of it.
 */
const ENVIRONMENT_CODES =
  /^(ACCESS_DENIED|KEYS_MEET|PATTERN_INVALID|SCHEMA_INVALID|SERVICE_FAILED|STORAGE_\w+|TEMPLATE_INVALID)$/
/** Those that are about what was typed. */
const USAGE_CODES = /^(CURSOR_INVALID|INPUT_INVALID|KEY_COMPONENT_INVALID|OPTION_INVALID)$/

/**
 * The report of an error for the user of a command. An unknown error is thrown again: it is a bug,
 * and its stack is needed.
 */
export function describeFailure(error: unknown): FailureReport {
  if (error instanceof UsageError) {
    return { exitCode: EXIT_USAGE, message: withSuggestion(error), fix: error.fix }
  }
  if (
    error instanceof EnvironmentError ||
    error instanceof FailureError ||
    error instanceof MigrationError ||
    error instanceof TransferError
  ) {
    const exitCode = error instanceof EnvironmentError ? EXIT_ENVIRONMENT : EXIT_FAILED
    return { exitCode, message: error.message, where: error.where, fix: error.fix }
  }
  if (SingletableError.is(error)) {
    if (error.cause instanceof NoAnswerError) return describeFailure(error.cause)
    const refused = notConfirmed(error)
    if (refused) return describeFailure(refused)
    const { code, message } = error
    const exitCode = ENVIRONMENT_CODES.test(code)
      ? EXIT_ENVIRONMENT
      : USAGE_CODES.test(code)
        ? EXIT_USAGE
        : EXIT_FAILED
    return { exitCode, code, message }
  }
  if (error instanceof ServiceError) {
    return { exitCode: EXIT_FAILED, message: `${error.name}: ${error.message}` }
  }
  if (error instanceof NoAnswerError) {
    return {
      exitCode: EXIT_ENVIRONMENT,
      message: `No answer came: ${error.message}.`,
      fix: 'check --endpoint, the network, and whether the server is running',
    }
  }
  const system = describeSystemError(error)
  if (system !== undefined) return system
  throw error
}

function withSuggestion({ message, mistyped }: UsageError): string {
  if (mistyped === undefined) return message
  // Compared without the dashes of options, which would make all short names look alike.
  const [dashes = ''] = /^-*/.exec(mistyped.word) ?? []
  const known = mistyped.known.map((each) => each.replace(/^-+/, ''))
  const hint = didYouMean(mistyped.word.slice(dashes.length), known).replace('"', `"${dashes}`)
  return `${message.replace(/\.$/, '')}${hint}.`
}

/** The same for callers that continue after any error. */
export function reportFailure(error: unknown): FailureReport {
  try {
    return describeFailure(error)
  } catch {
    return {
      exitCode: EXIT_FAILED,
      message: error instanceof Error ? String(error) : 'The command failed.',
    }
  }
}

export function printFailure({ message, where, fix }: FailureReport): string {
  return [
    message,
    ...(where === undefined ? [] : [`  where:  ${where}`]),
    ...(fix === undefined ? [] : [`  fix:    ${fix}`]),
  ].join('\n')
}

const SYSTEM_ERRORS = new Map([
  ['ENOENT', ['The file or directory does not exist', 'check the path']],
  ['EACCES', ['This user may not read or write it', 'choose a place that this user has access to']],
  ['EPERM', ['This user may not read or write it', 'choose a place that this user has access to']],
  ['EROFS', ['It can only be read', 'choose a place that can be written to']],
  ['EISDIR', ['It is a directory', 'name a file']],
  ['ENOTDIR', ['A part of the path is not a directory', 'check the path']],
  ['ENOSPC', ['The disk is full', 'make room, and run it again']],
])

/** Errors of the system, such as a file that is not there or a full disk. */
function describeSystemError(error: unknown): FailureReport | undefined {
  if (!(error instanceof Error && 'syscall' in error)) return undefined
  const { code = '', path: file } = error as NodeJS.ErrnoException
  const [what, fix] = SYSTEM_ERRORS.get(code) ?? []
  if (what === undefined || fix === undefined || file === undefined) {
    return { exitCode: EXIT_ENVIRONMENT, message: error.message }
  }
  return { exitCode: EXIT_ENVIRONMENT, message: `${what} (${code}).`, where: file, fix }
}
