import { DefinitionError } from '../errors/definition-error.ts'
import { type Client, connect } from '../execute/connect.ts'
import { createScope } from '../plan/scope.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { RETRY_DEFAULTS, type RetryOptions, RetryPolicy } from '../wire/retry-policy.ts'
import type { BuilderContext } from './builder.ts'

/** What `new Table` takes. */
export interface TableOptions<TSchema extends SchemaDefinition> {
  /** The table's name in DynamoDB. */
  readonly name: string
  readonly schema: TSchema
  /** A `DynamoDBClient` or `DynamoDBDocumentClient` of the AWS SDK, an engine, or anything else that sends requests. */
  readonly client: Client
  /** How often and how patiently requests are sent again. */
  readonly retry?: Partial<RetryOptions> | undefined
  /** How long a call may take that says nothing else; without end unless given. */
  readonly deadlineMs?: number | undefined
  /** Encrypts cursors, so that clients see nothing of the keys. Of several the first makes new ones, and all are accepted. */
  readonly cursorSecret?: string | readonly string[] | undefined
  /** Is told of what works and is not meant so; `console.warn` unless given. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Clock, random bytes and timers, for tests that control them. */
  readonly environment?: Environment | undefined
}

const OPTIONS = [
  'name',
  'schema',
  'client',
  'retry',
  'deadlineMs',
  'cursorSecret',
  'onWarning',
  'environment',
]

/** Contexts that were made for a scope; a table takes them in place of options. */
const scoped = new WeakSet<object>()

/** What calls of a part of a table work with. */
export function scopeContext(context: BuilderContext, values: object): BuilderContext {
  const scope = createScope(context, values)
  const made: BuilderContext = { ...context, scope }
  scoped.add(made)
  return made
}

/** Checks the options and makes what all calls of the table work with. */
export function createContext(options: TableOptions<SchemaDefinition>): BuilderContext {
  // Only contexts are in the set.
  if (scoped.has(options)) return options as unknown as BuilderContext
  if (typeof options !== 'object' || options === null) refuse('are missing', 'new Table()')
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) refuse(`"${name}" is unknown${didYouMean(name, OPTIONS)}`)
  }
  const { name, client, deadlineMs, cursorSecret, environment = systemEnvironment } = options
  if (typeof name !== 'string' || name === '') refuse('name must be text')
  const where = `new Table() for "${name}"`
  const retry = { ...RETRY_DEFAULTS, ...options.retry }
  for (const [each, value] of Object.entries(retry)) {
    if (!Object.hasOwn(RETRY_DEFAULTS, each)) refuse(`retry.${each} is unknown`, where)
    if (!Number.isFinite(value) || value < (each === 'attemptsMax' ? 1 : 0)) {
      refuse(`retry.${each} must be a number that is not negative`, where)
    }
  }
  if (deadlineMs !== undefined && !(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    refuse('deadlineMs must be a positive number', where)
  }
  const cursorSecrets =
    cursorSecret === undefined
      ? []
      : typeof cursorSecret === 'string'
        ? [cursorSecret]
        : cursorSecret
  if (!Array.isArray(cursorSecrets) || !cursorSecrets.every(isSecret)) {
    refuse('cursorSecret must be text that is not empty, or a list of such texts', where)
  }
  const { onWarning = printWarning } = options
  if (typeof onWarning !== 'function') refuse('onWarning must be a function', where)
  return {
    name,
    tableName: name,
    schema: compileSchema(options.schema),
    transport: connect(client, where),
    environment,
    retry: new RetryPolicy(retry),
    deadlineMs,
    cursorSecrets,
    warn: (message) => onWarning(message),
  }
}

function isSecret(secret: unknown): boolean {
  return typeof secret === 'string' && secret !== ''
}

function printWarning(message: string): void {
  console.warn(`singletable: ${message}`)
}

function refuse(what: string, where = 'new Table()'): never {
  throw new DefinitionError('OPTION_INVALID', {
    what: `Options of the table: ${what}.`,
    where,
    fix: `correct it; the options are ${OPTIONS.join(', ')}`,
  })
}
