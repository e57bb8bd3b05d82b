import { DefinitionError } from '../errors/definition-error.ts'

/** Throws what is wrong with a template, while it is defined. */
export function refuseTemplate(
  at: { readonly source: string; readonly where: string },
  what: string,
  fix: string,
): never {
  throw new DefinitionError('TEMPLATE_INVALID', {
    what: `Template "${at.source}": ${what}.`,
    where: at.where,
    fix,
  })
}
