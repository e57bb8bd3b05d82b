import { didYouMean } from '../errors/did-you-mean.ts'
import type { ComponentKind } from '../template/component.ts'
import { compileTemplate, type KeyTemplate } from '../template/key-template.ts'
import { bucketTime } from '../template/time-bucket.ts'
import { entriesOf } from './check-options.ts'
import { compileShard } from './compile-shard.ts'
import { keyAttributes } from './index-keys.ts'
import type { Attribute, Model, Schema } from './model.ts'
import type { Place } from './place.ts'
import type { ModelDefinition } from './schema-definition.ts'

/**
 * The templates of a model by key attribute, wherever they are written, and the key attributes
 * whose templates have a mistake.
 */
export function compileTemplates(
  definition: ModelDefinition,
  attributes: ReadonlyMap<string, Attribute>,
  { primary, keyTypes, params, indexes, definition: schema }: Schema,
  model: Place,
  source?: Model,
): {
  readonly templates: ReadonlyMap<string, KeyTemplate>
  readonly faulty: ReadonlySet<string>
} {
  const key = entriesOf(definition.key, model.at('key'))
  const index = entriesOf(definition.index, model.at('index'))
  const needed = keyAttributes(primary)
  const given = key.map(([name]) => name)
  const templates = new Map<string, KeyTemplate>()
  const faulty = new Set<string>()
  const plain = new Set<string>()
  if (given.length !== needed.length || !needed.every((name) => given.includes(name))) {
    model.report(
      `its key names ${given.join(', ') || 'nothing'}`,
      `give templates for ${needed.join(' and ')}, the attributes of the primary index`,
    )
    for (const name of [...needed, ...given]) faulty.add(name)
  }
  const inAttributes = Object.entries(definition.attributes)
    .filter(([, attribute]) => attribute?.value !== undefined)
    .map(([name, { type, value }]) => [name, { type, value }] as const)
  const all = [...key, ...index, ...inAttributes]
  const kindAt = (placeholder: string, place: Place): ComponentKind => {
    const attribute = attributes.get(placeholder)
    if (attribute && place.isFaulty(attribute)) return place.leaveOut()
    if (attribute) return componentKind(attribute, place)
    // The mistake is in the shard's declaration.
    if (definition.shard && placeholder === (definition.shard.name ?? 'shard')) place.leaveOut()
    const hint = didYouMean(placeholder, attributes.keys())
    return place.refuse(
      `its template names "${placeholder}", which is not an attribute${hint}`,
      placeholder === 'shard' && !definition.shard
        ? 'declare shard: { count } in the model'
        : 'declare the attribute, or correct the name',
      { rule: 'K08' },
    )
  }
  const { separator } = params
  // A copy need not have all attributes of its source.
  const isAttribute = (name: string): boolean =>
    attributes.has(name) || source?.attributes.has(name) === true
  // The keys of copies may be the only ones that are spread.
  const inCopies = Object.values(Object(definition.copies)).flatMap((copy) => {
    const { key, index } = Object(copy)
    return [...Object.values(Object(key)), ...Object.values(Object(index))]
  })
  const shard =
    definition.shard &&
    model.attempt(() =>
      compileShard(definition.shard!, {
        primary: key.map(([, template]) => textOf(template)),
        templates: [...all.map(([, template]) => template), ...inCopies].map(textOf),
        kindOf: kindAt,
        isAttribute: (name) => attributes.has(name),
        separator,
        model,
      }),
    )
  const shortKeys = [definition.shortKeys ?? []].flat()
  // What every item has: required, or in the primary key.
  const lasting = new Set(
    Array.from(attributes.values(), ({ name, definition: { required, nulls } }) =>
      required && !nulls ? name : '',
    ),
  )
  for (const [name, template] of all) {
    const used = [...indexes.values()].find((each) => keyAttributes(each).includes(name))
    const place = model.at(`key attribute "${name}"`, { attribute: name, index: used?.name })
    const native = nativeAttribute(name, textOf(template), attributes)
    const made = place.attempt((): KeyTemplate | Attribute => {
      if (templates.has(name) || plain.has(name))
        place.refuse('it has two templates', 'remove one of them')
      if (!keyTypes.has(name)) {
        // It may be of an index with a mistake, or its name is reported already.
        if (Object.keys(schema.indexes).length > indexes.size || faulty.has(name)) place.leaveOut()
        const named = indexes.get(name)
        if (named) {
          const keys = keyAttributes(named).map((key) => `${key}: '…'`)
          place.refuse(
            `"${name}" is an index, and templates are given for the attributes of its key`,
            `write index: { ${keys.join(', ')} }`,
          )
        }
        place.refuse('no index has this attribute in its key', 'add an index, or remove it')
      }
      const type = native ? native.definition.type : String
      if (typeof template !== 'string' && Object(template).type !== type) {
        const word = typeof type === 'string' ? `'${type}'` : type.name
        place.refuse(`its type is not ${word}`, `use ${word}, or write the template alone`)
      }
      if (native) return native
      const kindOf = (placeholder: string): ComponentKind => kindAt(placeholder, place)
      const options = { kindOf, isAttribute, separator, shard, where: place.where }
      const compiled = compileTemplate(textOf(template), options)
      if (needed.includes(name)) for (const each of compiled.names) lasting.add(each)
      const isShort = [...indexes.values()].some(
        (each) => shortKeys.includes(each.name) && keyAttributes(each).includes(name),
      )
      return isShort && compiled.names.some((each) => !lasting.has(each))
        ? compileTemplate(textOf(template), { ...options, isShort })
        : compiled
    })
    if (made === undefined) faulty.add(name)
    else if ('codec' in made) plain.add(name)
    else templates.set(name, made)
  }
  return { templates, faulty }
}

/**
 * The attribute that a key attribute is, if its template names nothing else and that is stored
 * under the key attribute's own name: it is then the key as it is, a Number as a number.
 */
function nativeAttribute(
  key: string,
  text: string,
  attributes: ReadonlyMap<string, Attribute>,
): Attribute | undefined {
  const attribute = /^\$\{[^{}:]+\}$/.test(text) ? attributes.get(text.slice(2, -1)) : undefined
  return attribute?.stored === key ? attribute : undefined
}

/** A template, written in short or in full. */
function textOf(template: unknown): string {
  return typeof template === 'string' ? template : (Object(template).value ?? '')
}

const COMPONENT_TYPES = new Map<unknown, ComponentKind['type']>([
  [String, 'text'],
  [Number, 'number'],
  [BigInt, 'bigint'],
  ['decimal', 'decimal'],
  [Boolean, 'boolean'],
])

function componentKind({ name, definition }: Attribute, place: Place): ComponentKind {
  const { type, items, pad, encode = false, start, codec, hidden } = definition
  const kind =
    type === Array && items?.type === String
      ? 'path'
      : type === Date
        ? 'date'
        : COMPONENT_TYPES.get(type)
  // The enum of a String has only strings: other values were refused with the codec.
  const values = definition.enum as readonly string[]
  if (kind && !codec)
    return {
      type: kind,
      encode,
      pad,
      values,
      secret: hidden,
      startMs: start === undefined ? undefined : bucketTime(start),
    }
  return place.refuse(
    `"${name}" is ${codec ? 'stored by a codec, and' : 'of a type that'} can't be in a key`,
    "use a String, Number, BigInt, 'decimal', Boolean, Date or Array of String",
  )
}
