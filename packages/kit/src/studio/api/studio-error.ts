import { InputError, ServiceError, SingletableError } from 'singletable/tools'
import { InfraError } from '../../infra/infra-error.ts'
import { MigrationError } from '../../migrate/migration-error.ts'
import { EnvironmentError } from '../../schema-file/environment-error.ts'
import { ValueProblem } from '../../text/typed-values.ts'
import { TransferError } from '../../transfer/transfer-error.ts'
import type { Failure } from './contract.ts'
import { hideSecrets } from './hide-secrets.ts'

/** A request of the page that can't be carried out, with what to do instead. */
export class StudioError extends Error {
  readonly code: string
  readonly where: string | null
  readonly fix: string

  constructor(what: string, fix: string, code = 'REQUEST_INVALID', where: string | null = null) {
    super(what)
    this.code = code
    this.where = where
    this.fix = fix
  }
}

/** An error as the page shows it. Undefined for what is a fault of ours. */
export function failureOf(error: unknown): Failure | undefined {
  const failure = partsOf(error)
  return failure && { ...failure, what: hideSecrets(failure.what) }
}

function partsOf(error: unknown): Failure | undefined {
  if (error instanceof StudioError) {
    return { code: error.code, what: error.message, where: error.where, fix: error.fix }
  }
  if (error instanceof EnvironmentError) {
    const { message, where, fix } = error
    return { code: 'SCHEMA_INVALID', what: message, where, fix }
  }
  if (error instanceof MigrationError || error instanceof TransferError) {
    const { message, where, fix } = error
    const code = error instanceof TransferError ? 'TRANSFER_REFUSED' : 'MIGRATION_REFUSED'
    return { code, what: message, where, fix }
  }
  if (error instanceof InfraError) {
    return { code: 'MODEL_REFUSED', what: error.message, where: null, fix: error.fix }
  }
  if (error instanceof ValueProblem) {
    return { code: 'INPUT_INVALID', what: `A value is ${error.message}.`, where: null, fix: null }
  }
  if (error instanceof InputError || SingletableError.is(error)) {
    const { code, what, where, fix } = error as SingletableError
    return { code, what, where, fix }
  }
  if (error instanceof ServiceError) {
    const isMissing = error.name === 'ResourceNotFoundException'
    const fix = isMissing
      ? 'look whether the table is there; singletable table create makes it'
      : null
    return { code: error.name, what: error.message, where: null, fix }
  }
  const { name, message } = Object(error) as { name?: unknown; message?: unknown }
  if (name === 'NoAnswerError') {
    const fix = 'look whether the server still runs, and try again'
    return { code: 'NO_ANSWER', what: `No answer came: ${message}.`, where: null, fix }
  }
  return undefined
}
