import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from '../errors/did-you-mean.ts'

/** Names that the language, printers and test runners look for in any object. */
const PROTOCOL = /^(then|toJSON|inspect|href|prototype|nodeType|tagName|asymmetricMatch|[$@_].*)$/

/**
 * Members by the caller's names, frozen; asking for another name is an error that says which there
 * are.
 */
export function namedMembers(
  kind: 'entity' | 'pattern',
  table: string,
  members: readonly (readonly [string, object])[],
): object {
  const known = members.map(([name]) => name)
  // Only names that the object does not have come to its prototype, so that it costs nothing where
  // names are right.
  const others = new Proxy(Object.freeze(Object.create(null)), {
    get(_, name) {
      // A name that every object has is not one of ours either, but the object can be printed.
      if (name === Symbol.toPrimitive) return () => `[object ${kind}]`
      if (typeof name === 'symbol' || PROTOCOL.test(name) || name in Object.prototype) return
      throw new DefinitionError('OPTION_INVALID', {
        what: `There is no ${kind} "${name}"${didYouMean(name, known)}.`,
        where: `table "${table}"`,
        fix: known.length > 0 ? `use one of ${known.join(', ')}` : 'declare it in the schema',
      })
    },
  })
  const named = Object.create(others)
  for (const [name, member] of members) named[name] = member
  return Object.freeze(named)
}
