import { boundEntityOf } from '../builder/bound-entity-of.ts'
import type { UpdateBuilder } from '../builder/update-builder.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import type { ModelName } from '../schema/infer.ts'
import type { Attribute } from '../schema/model.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { Environment } from '../values/environment.ts'
import { getOwn } from '../values/own.ts'
import { type Duration, durationMs } from './duration.ts'
import { epochSeconds } from './expires-in.ts'

/** An entity of a table or of a scope. */
interface ReadEntity<TItem> {
  get(key: never): PromiseLike<TItem | undefined>
}

/** When the time of an item is over; `undefined` if it has no end. */
export function expiresAt<TItem extends object>(
  entity: ReadEntity<TItem>,
  item: Partial<NoInfer<TItem>>,
): Date | undefined {
  const { ttl } = lifetimeOf(entity, 'expiresAt()')
  // Outputs have attributes by name.
  const value = getOwn(item as { readonly [name: string]: unknown }, ttl.name)
  if (value instanceof Date) return value
  return typeof value === 'number' ? new Date(value * 1000) : undefined
}

/**
 * Whether the time of an item is over. The table's reads don't give such items; one that was read a
 * while ago, or with `includeExpired()`, may be.
 */
export function isExpired<TItem extends object>(
  entity: ReadEntity<TItem>,
  item: Partial<NoInfer<TItem>>,
): boolean {
  const left = timeLeftMs(entity, item)
  return left !== undefined && left <= 0
}

/** The milliseconds an item has left, negative if its time is over; `undefined` if it has no
 * end. */
export function timeLeftMs<TItem extends object>(
  entity: ReadEntity<TItem>,
  item: Partial<NoInfer<TItem>>,
): number | undefined {
  const at = expiresAt(entity, item)
  const { environment } = lifetimeOf(entity, 'timeLeftMs()')
  // As DynamoDB has it: in whole seconds.
  return at && epochSeconds(at) * 1000 - environment.now()
}

/**
 * An update that gives an item so much time from now on. An item whose time is over already is not
 * brought back: that is an `ItemNotFoundError`, as for any update.
 */
export function extendTime<
  TKey extends object,
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TOutput,
>(
  entity: { update(key: TKey): UpdateBuilder<TOutput, TName, TSchema> },
  key: NoInfer<TKey>,
  duration: Duration,
): UpdateBuilder<TOutput, TName, TSchema> {
  const { ttl, environment } = lifetimeOf(entity, 'extendTime()')
  const at = new Date(environment.now() + durationMs(duration))
  const value = ttl.definition.type === Number ? epochSeconds(at) : at
  // The name is that of an attribute with such values, which the schema's types can't say here.
  return entity.update(key).set({ [ttl.name]: value } as never)
}

function lifetimeOf(
  entity: object,
  where: string,
): { readonly ttl: Attribute; readonly environment: Environment } {
  const { model, environment } = boundEntityOf(entity, where)
  const { ttl, name } = model
  if (ttl !== undefined) return { ttl, environment }
  throw new DefinitionError('OPTION_INVALID', {
    what: `"${name}" has no time to live.`,
    where,
    fix: 'declare a Date or Number attribute with ttl: true',
  })
}
