import {
  checkOptions,
  type KnownOptions,
  readNumbers,
  refuseOption,
} from '../errors/check-options.ts'
import { type Client, connect } from '../execute/connect.ts'
import { DECODE_ERROR_CHOICES, type OnDecodeError } from '../execute/undecoded.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import { createScope } from '../plan/scope.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { RETRY_DEFAULTS, type RetryOptions, RetryPolicy } from '../wire/retry-policy.ts'
import type { BuilderContext } from './builder.ts'
import { printAsJson } from './printed.ts'

/** What `new Table` takes. */
export interface TableOptions<TSchema extends SchemaDefinition> {
  /** The table's name in DynamoDB. */
  readonly name: string
  readonly schema: TSchema
  /**
   * A `DynamoDBClient` or `DynamoDBDocumentClient` of the AWS SDK, an engine, or anything else that
   * sends requests.
   */
  readonly client: Client
  /** How often and how patiently requests are sent again. */
  readonly retry?: Partial<RetryOptions> | undefined
  /** How long a call may take that says nothing else; without end unless given. */
  readonly deadlineMs?: number | undefined
  /**
   * Encrypts cursors, so that clients see nothing of the keys. Of several the first makes new ones,
   * and all are accepted.
   */
  readonly cursorSecret?: string | readonly string[] | undefined
  /**
   * Whether `put` keeps attributes of the item that the schema does not declare. Unless given, it
   * does for a model once an item with such attributes was read.
   */
  readonly keepUndeclared?: boolean | undefined
  /**
   * What happens when a stored item does not fit its model, in reads of several items that don't
   * say; `'throw'` unless given.
   */
  readonly onDecodeError?: OnDecodeError | undefined
  /** Called with warnings about what works but is probably a mistake; `console.warn` by default. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Clock, random bytes and timers, for tests that control them. */
  readonly environment?: Environment | undefined
}

/** What `table.with()` takes: what is another. */
export type TableOverrides = Partial<Pick<TableOptions<SchemaDefinition>, 'name' | 'client'>>

const NAMES = [
  'name',
  'schema',
  'client',
  'retry',
  'deadlineMs',
  'cursorSecret',
  'keepUndeclared',
  'onDecodeError',
  'onWarning',
  'environment',
]

/** Contexts that were made of another; a table takes them in place of options. */
const derived = new WeakSet<object>()

/** What calls of a part of a table work with. */
export function scopeContext(context: BuilderContext, values: object): BuilderContext {
  const scope = createScope(context, values)
  const made: BuilderContext = { ...context, scope }
  derived.add(made)
  return made
}

/** What calls of a table work with that has another client or name. */
export function changeContext(context: BuilderContext, changes: TableOverrides): BuilderContext {
  const known = { where: `table "${context.name}", with()`, names: ['name', 'client'] }
  checkOptions(known, changes)
  const { name = context.name, client } = changes
  requireName(known, name)
  const made: BuilderContext = {
    ...context,
    name,
    tableName: name,
    ...(client !== undefined && { transport: connect(client, known.where) }),
  }
  derived.add(made)
  return made
}

function requireName(known: KnownOptions, name: unknown): void {
  if (typeof name !== 'string' || name === '') refuseOption(known, 'name must be a string')
}

/** Checks the options and makes what all calls of the table work with. */
export function createContext(options: TableOptions<SchemaDefinition>): BuilderContext {
  // Only contexts are in the set.
  if (derived.has(options)) return options as unknown as BuilderContext
  checkOptions({ where: 'new Table()', names: NAMES }, options)
  const { name, client, deadlineMs, cursorSecret, environment = systemEnvironment } = options
  const known = { where: `new Table() for "${name}"`, names: NAMES }
  requireName(known, name)
  const retry = readNumbers(known, RETRY_DEFAULTS, options.retry ?? {}, ['attemptsMax'], 'retry.')
  if (deadlineMs !== undefined && !(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    refuseOption(known, 'deadlineMs must be a positive number')
  }
  const cursorSecrets = [cursorSecret ?? []].flat()
  if (!cursorSecrets.every(isSecret)) {
    refuseOption(
      known,
      'cursorSecret must be a string that is not empty, or a list of such strings',
    )
  }
  const { onWarning = printWarning, keepUndeclared, onDecodeError } = options
  if (onDecodeError !== undefined && !DECODE_ERROR_CHOICES.includes(onDecodeError)) {
    refuseOption(known, "onDecodeError must be 'throw', 'skip' or 'raw'")
  }
  if (!['boolean', 'undefined'].includes(typeof keepUndeclared)) {
    refuseOption(known, 'keepUndeclared must be true or false')
  }
  if (typeof onWarning !== 'function') refuseOption(known, 'onWarning must be a function')
  return printAsJson<BuilderContext & { toJSON(): string }>({
    toJSON: () => `table "${name}"`,
    name,
    tableName: name,
    schema: compileSchema(options.schema),
    transport: connect(client, known.where),
    environment,
    retry: new RetryPolicy(retry),
    deadlineMs,
    cursorSecrets,
    keepUndeclared,
    onDecodeError,
    hooks: [],
    // Nothing need be found out where nothing is kept.
    undeclared: keepUndeclared === false ? undefined : new Map(),
    warn: (message) => onWarning(message),
  })
}

function isSecret(secret: unknown): boolean {
  return typeof secret === 'string' && secret !== ''
}

function printWarning(message: string): void {
  console.warn(`singletable: ${message}`)
}
