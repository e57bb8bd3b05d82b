import { schemaOf, type TableOrSchema } from '../builder/context-of.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { CopySchema, IfCopies, ModelName } from '../schema/infer.ts'
import type { Schema } from '../schema/model.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type {
  AnyChange,
  InsertChange,
  ModifyChange,
  RemoveChange,
  UnknownChange,
  View,
} from './change.ts'
import { type HandlerOptions, handleChanges } from './handle-changes.ts'
import type { StreamHandler } from './stream-handler.ts'

/** What is done about the changes of one model's items. */
export interface EntityHandlers<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TView = View<TSchema>,
> {
  readonly insert?: (change: InsertChange<TSchema, TName, TView>) => unknown
  readonly modify?: (change: ModifyChange<TSchema, TName, TView>) => unknown
  readonly remove?: (change: RemoveChange<TSchema, TName, TView>) => unknown
  /** For items whose time to live ran out; without it they go to `remove`, with `expired: true`. */
  readonly expire?: (change: RemoveChange<TSchema, TName, TView>) => unknown
}

/** Handlers by the names of models and copies, and one for items that are of none. */
export type ChangeHandlers<TSchema extends SchemaDefinition> = HandlersByName<
  TSchema,
  View<TSchema>
> &
  IfCopies<TSchema, HandlersByName<CopySchema<TSchema>, View<TSchema>>> & {
    readonly unknown?: (change: UnknownChange) => unknown
  }

type HandlersByName<TSchema extends SchemaDefinition, TView> = {
  readonly [TName in ModelName<TSchema>]?: EntityHandlers<TSchema, TName, TView>
}

const VERBS = ['insert', 'modify', 'remove', 'expire']

/**
 * A handler of stream events that gives each change to the handler of its model and kind, one after
 * the other. Export it as the handler of an AWS Lambda function, or give it to `pollStream`. A
 * record that is delivered again is not handled again while it is remembered; after a restart it
 * may be, so handlers should bear being called twice.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${username}' },
 *       attributes: { username: { type: String, required: true }, name: { type: String } },
 *     },
 *   },
 * })
 * export const handler = onChange(schema, {
 *   User: {
 *     insert: ({ after }) => console.log(`${after.username} is new`),
 *     modify: ({ before, after, changed }) => {
 *       if (changed.includes('name')) console.log(`${before.name} is now ${after.name}`)
 *     },
 *   },
 * })
 */
export function onChange<const TSchema extends SchemaDefinition>(
  tableOrSchema: TableOrSchema<TSchema>,
  handlers: NoInfer<ChangeHandlers<TSchema>>,
  options?: HandlerOptions,
): StreamHandler {
  const schema = schemaOf(tableOrSchema)
  checkHandlers(schema, handlers)
  const unknown = ownValue(handlers, 'unknown')
  const handle = (change: AnyChange): unknown => {
    if (change.entity === undefined) {
      const isTheirs = change.kind === 'unknown' && typeof unknown === 'function'
      return isTheirs ? unknown(change) : undefined
    }
    const { type, expired } = change
    // Checked above: what is under a model's name has functions under the names of verbs.
    const { expire, ...verbs } = (ownValue(handlers, change.entity) ?? {}) as Handlers
    return (expired && expire ? expire : verbs[type])?.(change)
  }
  return handleChanges(schema, handle, PLACE, options)
}

type Handlers = { readonly [verb in AnyChange['type'] | 'expire']?: (change: AnyChange) => unknown }

const PLACE = 'onChange()'

/** A handler under a wrong name would never be called. */
function checkHandlers({ models }: Schema, handlers: object): void {
  const refuse = (what: string, fix: string): never => {
    throw new DefinitionError('OPTION_INVALID', { what, where: PLACE, fix })
  }
  if (typeof handlers !== 'object' || handlers === null) {
    refuse('There are no handlers.', 'give an object with the names of models')
  }
  for (const [name, entity] of Object.entries(handlers)) {
    if (name === 'unknown' && typeof entity === 'function') continue
    if (!models.has(name)) {
      const names = [...models.keys(), 'unknown']
      refuse(
        `There are handlers for "${name}", which is not a model${didYouMean(name, names)}.`,
        `use ${names.join(', ')}`,
      )
    }
    for (const [verb, handler] of Object.entries(Object(entity))) {
      if (VERBS.includes(verb) && (typeof handler === 'function' || handler === undefined)) continue
      refuse(
        `"${name}.${verb}" is not a handler of changes${didYouMean(verb, VERBS)}.`,
        `give functions under ${VERBS.join(', ')}`,
      )
    }
  }
}
