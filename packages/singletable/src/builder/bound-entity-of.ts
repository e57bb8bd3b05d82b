import { DefinitionError } from '../errors/definition-error.ts'
import type { Model } from '../schema/model.ts'
import type { Environment } from '../values/environment.ts'
import { BoundReads } from './bound-reads.ts'

/** What stands behind an entity; for the package's other entries, which work on entities without being part of them. */
export function boundEntityOf(
  entity: object,
  where: string,
): { readonly model: Model; readonly environment: Environment } {
  if (entity instanceof BoundReads) {
    // Kept from callers, and not from the package itself.
    // biome-ignore lint/complexity/useLiteralKeys: this is how protected members are reached.
    return { model: entity['model'], environment: entity['context'].environment }
  }
  throw new DefinitionError('OPTION_INVALID', {
    what: 'What is given is no entity.',
    where,
    fix: "give table.entities.Name, with Table and this function from one installed copy of 'singletable'",
  })
}
