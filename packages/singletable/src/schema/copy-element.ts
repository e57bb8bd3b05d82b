import { checkName } from './check-options.ts'
import { requireAttribute } from './link-keys.ts'
import type { Attribute, Model } from './model.ts'
import type { Place } from './place.ts'
import type { AttributeDefinition, CopyDefinition } from './schema-definition.ts'

/** An element of a list or set, as an attribute of its copy. */
interface CopyElement {
  readonly list: Attribute
  readonly name: string
  readonly definition: AttributeDefinition
}

/** The attribute whose elements have a copy each, and what the copy knows its element as. */
export function elementOf(
  source: Model,
  { each, as }: CopyDefinition,
  placeholders: readonly string[],
  place: Place,
): CopyElement | undefined {
  if (each === undefined) {
    return as === undefined
      ? undefined
      : place.refuse('it has as without each', "name the list or set: each: 'tags'")
  }
  const list = requireAttribute(source, each, place.at('each'))
  const { type, items, set, encode, pad, start, hidden } = list.definition
  if ((type !== Array && type !== Set) || items === undefined || set) {
    place.refuse(
      `"${each}" has no elements that a key can be made of`,
      'name an Array or a Set that declares its items, and has no set of its own',
    )
  }
  const others = new Set(placeholders.filter((name) => !source.attributes.has(name)))
  const [name] = as === undefined ? others : [as]
  if (name === undefined || (as === undefined && others.size > 1)) {
    return place.refuse(
      others.size > 1
        ? `its templates have ${[...others].map((other) => `\${${other}}`).join(' and ')}, and one of them is an element of "${each}"`
        : `none of its templates has an element of "${each}"`,
      `name the element, as in \`as: 'tag'\`, and write \${tag} into its key`,
    )
  }
  checkName(name, place.at('as'))
  if (source.attributes.has(name)) {
    place.refuse(`"${name}" is an attribute of "${source.name}"`, 'choose another name in as')
  }
  const { required, ...element } = items!
  const inKeys = { encode, pad, start, hidden }
  const given = Object.entries(inKeys).filter(([, value]) => value !== undefined)
  return { list, name, definition: { ...element, ...Object.fromEntries(given), required: true } }
}
