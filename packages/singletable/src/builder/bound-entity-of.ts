import { DefinitionError } from '../errors/definition-error.ts'
import { fillScope } from '../plan/scope.ts'
import type { Model } from '../schema/model.ts'
import type { Environment } from '../values/environment.ts'
import { BoundReads } from './bound-reads.ts'

export interface BehindEntity {
  readonly model: Model
  readonly environment: Environment
  /** The input with the values of the table's scope, if the entity is one of a scope. */
  inScope(input: object): object
}

/**
 * What is behind an entity; for the package's other entries, which work on entities without being
 * part of them.
 */
export function boundEntityOf(entity: object, where: string): BehindEntity {
  if (entity instanceof BoundReads) {
    // Kept from callers, and not from the package itself.
    // biome-ignore lint/complexity/useLiteralKeys: this is how protected members are reached.
    const { model, context } = { model: entity['model'], context: entity['context'] }
    return {
      model,
      environment: context.environment,
      inScope: (input) => fillScope(context, model, input, where),
    }
  }
  throw new DefinitionError('OPTION_INVALID', {
    what: 'The given value is not an entity.',
    where,
    fix: "give table.entities.Name, with Table and this function from the same copy of 'singletable'",
  })
}
