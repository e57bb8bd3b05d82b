import { inCall } from '../template/key-component-error.ts'
import { isWithinDay } from '../template/time-bucket.ts'
import type { KeyType } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { checkName, checkOptions, entriesOf, MODEL_OPTIONS } from './check-options.ts'
import { requireValue } from './codec-for.ts'
import { compileAttributes } from './compile-attributes.ts'
import { compileTemplates } from './compile-keys.ts'
import { createDecode } from './decode-item.ts'
import { canonicalValue } from './encode-attribute.ts'
import { createEncodeKey } from './encode-key.ts'
import { createEncodeNew } from './encode-new.ts'
import { keyAttributes } from './index-keys.ts'
import { componentsOf } from './key-variables.ts'
import type {
  Attribute,
  Codec,
  DerivedKey,
  Index,
  KeyPart,
  Model,
  ModelIndex,
  Schema,
  When,
} from './model.ts'
import type { Place } from './place.ts'
import type { ModelDefinition } from './schema-definition.ts'

interface ModelPlace {
  readonly schema: Schema
  readonly place: Place
  /** The model that this one, of a copy, repeats the items of. */
  readonly source?: Model | undefined
  /** Called with the DynamoDB type of every key attribute that the model fills. */
  useKey(keyAttribute: string, type: KeyType, place: Place): void
}

/** A model ready for use. It is left out if its primary key can't be made. */
export function compileModel(name: string, definition: ModelDefinition, at: ModelPlace): Model {
  const { schema, place, source, useKey } = at
  checkName(name, place)
  checkOptions(definition, MODEL_OPTIONS, place)
  // A copy has the timestamps of its item, or none.
  const params = source ? { ...schema.params, timestamps: false } : schema.params
  const attributes = compileAttributes(definition, params, place)
  const { templates, faulty } = compileTemplates(definition, attributes, schema, place, source)
  const byStored = storedAttributes(attributes, [...templates.keys(), params.typeField], place)
  const isFaultyKey = (key: string): boolean =>
    faulty.has(key) || place.isFaulty(byStored.get(key) ?? key)
  const partOf = (key: string): KeyPart[] => {
    const template = templates.get(key)
    const attribute = byStored.get(key)
    if (template) useKey(key, 'S', place)
    else if (attribute) {
      const type = isFaultyKey(key) ? undefined : plainKeyType(attribute, place)
      if (type === undefined) {
        place.markFaulty(attribute)
        return []
      }
      useKey(key, type, place)
    }
    return template ? [{ name: key, template }] : attribute ? [{ name: key, attribute }] : []
  }

  const conditions = Object.fromEntries(entriesOf(definition.when, place.at('when')))
  const secondary = Object.keys(schema.definition.indexes).slice(1)
  checkOptions(conditions, secondary, place.at('when'))
  const inShortKeys = place.at('shortKeys')
  const shortKeys = [definition.shortKeys ?? []].flat()
  checkOptions(Object.fromEntries(shortKeys.map((each) => [each, 0])), secondary, inShortKeys)
  const indexes: ModelIndex[] = []
  for (const index of schema.indexes.values()) {
    const when = place.at(`when "${index.name}"`, { index: index.name })
    const condition = getOwn(conditions, index.name)
    const allowed = condition === undefined ? undefined : compileWhen(condition, attributes, when)
    const hash = index.hash.flatMap(partOf)
    const sort = index.sort.flatMap(partOf)
    const parts = [...hash, ...sort]
    const isShort = shortKeys.includes(index.name)
    if (parts.length === keyAttributes(index).length) {
      const names = new Set(allowed?.keys())
      for (const { template, attribute } of parts) {
        for (const each of template?.names ?? [attribute!.name]) names.add(each)
      }
      checkClocks(hash, sort, place.in({ index: index.name }))
      const use = { index, hash, sort, names: [...names], when: allowed }
      if (isShort && !canBeShort(use, schema.primary)) {
        inShortKeys.report(
          `index "${index.name}" can't have short keys`,
          "it needs project: 'all', templates that begin with text, and no when, shard or bucket of time",
        )
      }
      indexes.push(isShort ? { ...use, isShort } : use)
    } else if (keyAttributes(index).some(isFaultyKey)) place.markFaulty(`${name} ${index.name}`)
    else if (condition !== undefined || isShort) {
      const at = condition === undefined ? inShortKeys : when
      at.report(`the model is not in index "${index.name}"`, 'remove it')
    }
  }
  const [primary] = indexes
  if (primary?.index !== schema.primary) return place.leaveOut()
  for (const keyName of primary.names) {
    const { from = [], definition: options } = attributes.get(keyName)!
    const { nulls, version, onUpdate } = options
    const moving = from.filter((source) => !attributes.get(source)?.definition.readonly)
    if (moving.length > 0) {
      place.report(
        `"${keyName}" is part of the primary key, and computed from "${moving[0]}", which can change`,
        `declare ${moving.join(' and ')} with readonly: true, or use another attribute in the key`,
        { subject: { attribute: keyName, index: 'primary' }, rule: 'K12' },
      )
    }
    if (nulls || version || onUpdate || (params.timestamps && keyName === 'updatedAt')) {
      place.report(`"${keyName}" can't be part of the primary key`, 'use another attribute', {
        subject: { attribute: keyName, index: 'primary' },
        rule: nulls ? 'K09' : 'K12',
      })
    }
  }
  const only = (role: 'version' | 'ttl'): Attribute | undefined => {
    const found = [...attributes.values()].filter((attribute) => attribute.definition[role])
    if (found.length > 1) place.report(`it has two attributes with ${role}`, 'keep one')
    return found[0]
  }
  const derived: DerivedKey[] = []
  for (const [key, template] of templates) {
    const uses = indexes.filter(({ index }) => keyAttributes(index).includes(key))
    const isOfPrimary = uses.includes(primary)
    const long = uses.find(({ isShort }) => template.isShort && !isShort)
    if (long) {
      place
        .at('shortKeys', { attribute: key })
        .report(
          `"${key}" is also in the key of "${long.index.name}"`,
          `add "${long.index.name}" to shortKeys, or give it a key attribute of its own`,
        )
    }
    if (uses.length > 0) {
      if (!isOfPrimary) derived.push({ name: key, template, uses })
      continue
    }
    const lacking = [...schema.indexes.values()].find((index) => keyAttributes(index).includes(key))
    const keys = lacking ? keyAttributes(lacking) : []
    if (keys.some(isFaultyKey)) continue
    const missing = keys.filter((each) => !templates.has(each) && !byStored.has(each)).join(' and ')
    place
      .at(`key attribute "${key}"`, { attribute: key })
      .report(
        `index "${lacking?.name}" needs ${missing} as well, and the model has no template for it`,
        `add a template for ${missing}, or remove ${key}`,
      )
  }
  const timestamp = (role: string): Attribute | undefined =>
    params.timestamps ? attributes.get(role) : undefined
  const { type = name, sharesKeyWith = [] } = definition
  checkName(type, place.at('type'))
  const parts = {
    name,
    type,
    isShared:
      sharesKeyWith.length > 0 ||
      Object.values(schema.definition.models).some((other) =>
        [other?.sharesKeyWith].flat().includes(name),
      ),
    schema,
    attributes,
    hidden: [...attributes.values()].filter(({ definition }) => definition.hidden),
    structured: [...attributes.values()].filter(({ codec }) => hasMembers(codec)),
    storedNames: new Set([
      ...Array.from(attributes.values(), ({ stored }) => stored),
      ...schema.keyTypes.keys(),
      params.typeField,
      params.itemVersionField,
    ]),
    primary,
    indexes,
    derived,
    createdAt: timestamp('createdAt'),
    updatedAt: timestamp('updatedAt'),
    version: only('version'),
    ttl: only('ttl'),
    source,
    derivedItems: undefined,
  }
  const decode = createDecode(parts)
  const encodeKey = createEncodeKey(parts)
  const encodeNew = createEncodeNew(parts, decode)
  return {
    ...parts,
    encodeKey(input, where, warn) {
      try {
        return encodeKey(input, where, warn)
      } catch (error) {
        throw inCall(error, where)
      }
    },
    encodeNew(input, environment, where, wasRead) {
      try {
        return encodeNew(input, environment, where, wasRead)
      } catch (error) {
        throw inCall(error, where)
      }
    },
    decode,
  }
}

/**
 * The attributes by the name they are stored under, which must not be that of another or of a
 * rendered key attribute.
 */
function storedAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  taken: readonly string[],
  place: Place,
): ReadonlyMap<string, Attribute> {
  const byStored = new Map<string, Attribute>()
  for (const attribute of attributes.values()) {
    const { name, stored } = attribute
    if (byStored.has(stored) || taken.includes(stored) || taken.includes(name)) {
      place
        .part('attribute', name)
        .report(
          'its name is taken by a key attribute, the type or another attribute',
          'choose another name, or store it under another by map',
          { rule: 'K15' },
        )
    } else byStored.set(stored, attribute)
  }
  return byStored
}

/** The type of an attribute that is a key as it is. */
function plainKeyType({ name, codec, definition }: Attribute, place: Place): KeyType | undefined {
  const { tag } = codec
  const at = place.part('attribute', name)
  if (codec.unstored) {
    at.report(
      'it is a key attribute, and not stored',
      'leave out stored, or make the key by a template',
    )
    return undefined
  }
  if ((tag === 'S' || tag === 'N' || tag === 'B') && !definition.nulls && !codec.opaque) return tag
  at.report(
    "it is a key attribute, and keys can't be of its type or null",
    "use String, Number, Date, BigInt, 'decimal' or Uint8Array without nulls",
  )
  return undefined
}

/** The conditions of `when`, each as the values that are allowed. */
export function compileWhen(
  definition: unknown,
  attributes: ReadonlyMap<string, Attribute>,
  place: Place,
): When {
  const when = new Map<string, readonly unknown[]>()
  for (const [name, values] of entriesOf(definition, place)) {
    const attribute = attributes.get(name)
    if (attribute === undefined || attribute.codec.opaque) {
      place.report(
        `it asks for "${name}", which is not an attribute${attribute ? ' to ask for' : ''}`,
        'name an attribute',
      )
      continue
    }
    const list = [values].flat()
    const isFaulty = place.isFaulty(attribute)
    // As an item that is read has them: `1.0` is `1`, and text is in its Unicode form.
    const allowed = isFaulty ? list : list.map((value) => canonicalValue(attribute, value, []))
    for (const [at, value] of isFaulty ? [] : list.entries()) {
      requireValue(attribute.codec, value, `the value of "${name}"`, place)
      if (typeof allowed[at] !== 'object' || allowed[at] === null) continue
      place.report(
        `it asks for a value of "${name}" that is not text, a number or a boolean`,
        'ask for another attribute, or for one that is computed from it',
      )
    }
    when.set(name, allowed)
  }
  return when
}

function hasMembers({ opaque, members, element, elements = [] }: Codec): boolean {
  if (opaque) return false
  return members !== undefined || [element, ...elements].some((each) => each && hasMembers(each))
}

/**
 * Whether an index can have short keys: conditions on them are also sent as filters, and
 * partitions are not counted up.
 */
function canBeShort({ index, hash, sort, when }: ModelIndex, primary: Index): boolean {
  const isUnfit = ({ name, template }: KeyPart): boolean =>
    template
      ? template.enumerable || (template.isShort && template.prefix === '')
      : !keyAttributes(primary).includes(name)
  return index.project === 'all' && !when && ![...hash, ...sort].some(isUnfit)
}

/** A time of day orders times only within a day, which the partition key has to say. */
function checkClocks(hash: readonly KeyPart[], sort: readonly KeyPart[], place: Place): void {
  const buckets = componentsOf(hash).filter(({ unit }) => isWithinDay(unit))
  const clocks = [...hash, ...sort].flatMap((part) =>
    componentsOf([part]).map(({ name, unit }) => ({ name, unit, isHash: hash.includes(part) })),
  )
  for (const { name, unit, isHash } of clocks) {
    if (unit !== 'time' || (!isHash && buckets.some((bucket) => bucket.name === name))) continue
    place.report(
      `\${${name}:time} is a time of day, which needs a sort key whose partition key has the day`,
      `put \${${name}:day} into the partition key, and \${${name}:time} into the sort key`,
    )
  }
}
