import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from '../schema/did-you-mean.ts'

/** Refuses options that nobody would read, and numbers that are not positive. */
export function checkLimitOptions(
  options: object,
  known: { readonly [name: string]: 'number' | 'any' },
  where: string,
): void {
  const refuse = (what: string): never => {
    const names = Object.keys(known).join(', ')
    throw new DefinitionError('OPTION_INVALID', {
      what: `${what}.`,
      where,
      fix: `correct it; the options are ${names}`,
    })
  }
  if (typeof options !== 'object' || options === null) refuse('Options are no object')
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) {
      refuse(`"${name}" is no option${didYouMean(name, Object.keys(known))}`)
    }
    const isWrong = known[name] === 'number' && !(typeof value === 'number' && value > 0)
    if (value !== undefined && isWrong) refuse(`${name} is no positive number`)
  }
}
