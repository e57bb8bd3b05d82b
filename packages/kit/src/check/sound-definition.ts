import type { SchemaDefinition } from 'singletable/tools'

/**
 * A schema as far as it has the shape of one: what stands where an object, a list or a text should be and is something else is left out, so that rules can
 * read the rest. The library refuses such a schema, which is told. A schema of the right shape is given back itself.
 */
export function soundDefinition(definition: SchemaDefinition): SchemaDefinition {
  const reader = new ShapeReader()
  const sound =
    reader.members(definition, {
      indexes: (value) => reader.entries(value, (index) => readIndex(reader, index)) ?? {},
      models: (value) => reader.entries(value, (model) => readModel(reader, model)) ?? {},
      patterns: (value) => reader.entries(value, (pattern) => reader.object(pattern)),
      params: (value) => reader.object(value),
      table: (value) => reader.object(value),
      lint: (value) => reader.object(value),
    }) ?? {}
  const indexes = Object(sound.indexes)
  if (!reader.isChanged && indexes.primary !== undefined) return definition
  // Rules may count on a primary index; which it is makes no difference where no key names its attributes.
  const primary = indexes.primary ?? { hash: 'pk', sort: 'sk' }
  // Each member has been read as what it should be.
  return {
    ...sound,
    indexes: { primary, ...indexes },
    models: sound.models ?? {},
  } as SchemaDefinition
}

type Members = { readonly [name: string]: unknown }
type Readers = { readonly [name: string]: (value: unknown) => unknown }

/** Reads values as what they should be, and notes whether something was not. */
class ShapeReader {
  isChanged = false

  /** The object with some members read, and without those that can't be; undefined if it is none. */
  members(value: unknown, readers: Readers): Members | undefined {
    const object = this.object(value)
    if (object === undefined) return undefined
    return this.#kept(object, (name, member) => {
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined
      return read && member !== undefined ? read(member) : member
    })
  }

  /** The object with all members read alike. */
  entries(value: unknown, read: (member: unknown) => unknown): Members | undefined {
    const object = this.object(value)
    return object && this.#kept(object, (_, member) => read(member))
  }

  object(value: unknown): Members | undefined {
    // Any object can be read so.
    if (typeof value === 'object' && value !== null) return value as Members
    return this.#nothing()
  }

  list(value: unknown): readonly unknown[] | undefined {
    return Array.isArray(value) ? value : this.#nothing()
  }

  text(value: unknown): string | undefined {
    return typeof value === 'string' ? value : this.#nothing()
  }

  #kept(object: Members, read: (name: string, member: unknown) => unknown): Members {
    const kept = Object.entries(object).flatMap(([name, member]) => {
      const made = read(name, member)
      return made === undefined ? [] : [[name, made] as const]
    })
    return Object.fromEntries(kept)
  }

  #nothing(): undefined {
    this.isChanged = true
    return undefined
  }
}

function readIndex(reader: ShapeReader, value: unknown): Members | undefined {
  const names = (given: unknown): unknown =>
    Array.isArray(given) && given.every((name) => typeof name === 'string')
      ? given
      : reader.text(given)
  const index = reader.members(value, { hash: names, sort: names })
  // A local index has the partition key of the table.
  return index?.hash === undefined && index?.type !== 'local' ? reader.object(undefined) : index
}

function readModel(reader: ShapeReader, value: unknown): Members | undefined {
  const templates = (given: unknown): unknown =>
    reader.entries(given, (template) =>
      typeof template === 'object' ? readTemplateObject(reader, template) : reader.text(template),
    )
  const model = reader.members(value, {
    key: templates,
    index: templates,
    attributes: (given) =>
      reader.entries(given, (attribute) =>
        reader.members(attribute, {
          enum: (values) => reader.list(values),
          value: (template) => reader.text(template),
          map: (name) => reader.text(name),
        }),
      ) ?? {},
    copies: (given) =>
      reader.entries(given, (copy) =>
        reader.members(copy, {
          key: templates,
          index: templates,
          attributes: (names) => reader.list(names),
          when: (condition) => reader.object(condition),
        }),
      ),
    when: (given) => reader.entries(given, (condition) => reader.object(condition)),
    unique: (given) => reader.object(given),
    shard: (given) => reader.object(given),
    stats: (given) => reader.object(given),
  })
  return model && { ...model, attributes: model.attributes ?? {} }
}

function readTemplateObject(reader: ShapeReader, template: unknown): Members | undefined {
  const read = reader.members(template, { value: (text) => reader.text(text) })
  return read?.value === undefined ? reader.object(undefined) : read
}
