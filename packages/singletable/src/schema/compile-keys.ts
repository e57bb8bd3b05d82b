import type { ComponentKind } from '../template/component.ts'
import { compileTemplate, type KeyTemplate } from '../template/key-template.ts'
import { bucketTime } from '../template/time-bucket.ts'
import { compileShard } from './compile-shard.ts'
import { didYouMean } from './did-you-mean.ts'
import { keyAttributes } from './index-keys.ts'
import type { Attribute, Schema } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { ModelDefinition } from './schema-definition.ts'

/** The templates of a model by key attribute, wherever they are written. */
export function compileTemplates(
  definition: ModelDefinition,
  attributes: ReadonlyMap<string, Attribute>,
  { primary, keyTypes, params }: Schema,
  model: string,
): ReadonlyMap<string, KeyTemplate> {
  const { key = {}, index = {} } = definition
  const needed = keyAttributes(primary)
  const given = Object.keys(key)
  if (given.length !== needed.length || !needed.every((name) => given.includes(name))) {
    refuseSchema(
      model,
      `its key names ${given.join(', ') || 'nothing'}`,
      `give templates for ${needed.join(' and ')}, the attributes of the primary index`,
    )
  }
  const templates = new Map<string, KeyTemplate>()
  const inAttributes = Object.entries(definition.attributes).filter(
    ([, { value }]) => value !== undefined,
  )
  const all = [...Object.entries(key), ...Object.entries(index), ...inAttributes]
  const kindAt = (placeholder: string, where: string): ComponentKind => {
    const attribute = attributes.get(placeholder)
    if (attribute) return componentKind(attribute, where)
    const hint = didYouMean(placeholder, attributes.keys())
    return refuseSchema(
      where,
      `its template names "${placeholder}", which is no attribute${hint}`,
      placeholder === 'shard' && !definition.shard
        ? 'declare shard: { count } in the model'
        : 'declare the attribute, or correct the name',
    )
  }
  const { separator } = params
  // The keys of copies may be the only ones that are spread.
  const inCopies = Object.values(definition.copies ?? {}).flatMap((copy) => [
    ...Object.values(copy?.key ?? {}),
    ...Object.values(copy?.index ?? {}),
  ])
  const shard =
    definition.shard &&
    compileShard(definition.shard, {
      primary: Object.values(key).map(textOf),
      templates: [...all.map(([, template]) => template), ...inCopies].map(textOf),
      kindOf: kindAt,
      isAttribute: (name) => attributes.has(name),
      separator,
      model,
    })
  for (const [name, template] of all) {
    const where = `${model}, key attribute "${name}"`
    if (templates.has(name)) refuseSchema(where, 'it has two templates', 'remove one of them')
    if (!keyTypes.has(name)) {
      refuseSchema(where, 'no index has this attribute in its key', 'add an index, or remove it')
    }
    if (typeof template !== 'string' && template.type !== String) {
      refuseSchema(where, 'its type is not String', 'use String')
    }
    const kindOf = (placeholder: string): ComponentKind => kindAt(placeholder, where)
    templates.set(name, compileTemplate(textOf(template), { kindOf, separator, shard, where }))
  }
  return templates
}

/** A template, written in short or in full. */
function textOf(template: string | { readonly value?: string }): string {
  return typeof template === 'string' ? template : (template.value ?? '')
}

const COMPONENT_TYPES = new Map<unknown, ComponentKind['type']>([
  [String, 'text'],
  [Number, 'number'],
  [BigInt, 'bigint'],
  ['decimal', 'decimal'],
  [Boolean, 'boolean'],
])

function componentKind({ name, definition }: Attribute, where: string): ComponentKind {
  const { type, items, pad, encode = false, start, codec } = definition
  const kind =
    type === Array && items?.type === String
      ? 'path'
      : type === Date
        ? 'date'
        : COMPONENT_TYPES.get(type)
  // The enum of a text is one of texts: others were refused with the codec.
  const values = definition.enum as readonly string[]
  if (kind && !codec)
    return {
      type: kind,
      encode,
      pad,
      values,
      startMs: start === undefined ? undefined : bucketTime(start),
    }
  return refuseSchema(
    where,
    `"${name}" is ${codec ? 'stored by a codec, and' : 'of a type that'} can't stand in a key`,
    "use a String, Number, BigInt, 'decimal', Boolean, Date or Array of String",
  )
}
