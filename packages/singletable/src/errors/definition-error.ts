import { SingletableError } from './singletable-error.ts'

/** A schema, template or option that can't be used; thrown while it is defined, before anything is sent. */
export class DefinitionError extends SingletableError {
  override readonly name: string = 'DefinitionError'
}
