import type { DefinitionIssue } from '../errors/definition-error.ts'
import {
  checkName,
  checkOptions,
  PARAMS_OPTIONS,
  requireObject,
  SCHEMA_OPTIONS,
  TABLE_OPTIONS,
} from '../schema/check-options.ts'
import { checkTable } from '../schema/check-table.ts'
import { compileDerivedItems } from '../schema/compile-derived-items.ts'
import { compileIndexes } from '../schema/compile-indexes.ts'
import { compileModel } from '../schema/compile-model.ts'
import { copyLinks } from '../schema/copy-links.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import { partsCanMeet, printParts } from '../schema/key-parts.ts'
import { requireModel } from '../schema/link-keys.ts'
import type { Model, Pattern, Schema, SchemaParams } from '../schema/model.ts'
import { Place } from '../schema/place.ts'
import type { ModelDefinition, SchemaDefinition } from '../schema/schema-definition.ts'
import { isSeparator, SEPARATOR_FIX } from '../template/key-template.ts'
import type { KeyType } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { compilePatterns } from './compile-pattern.ts'
import { definedMembers } from './defined-members.ts'

/** What was read of a schema. */
export interface SchemaReading {
  /**
   * As far as it can be used: parts with mistakes, and what depends on them, are left out. Absent
   * if nothing can.
   */
  readonly schema?: Schema | undefined
  /** All mistakes, each reported once, in the order of the schema. */
  readonly issues: readonly DefinitionIssue[]
}

// Each table, and each part of the kit, asks again. Models are compared by identity, so all must
// get the same ones.
const readings = new WeakMap<object, SchemaReading>()

/**
 * Reads a schema once, with all its mistakes. It never throws, and does not change the definition.
 */
export function readSchema(definition: SchemaDefinition): SchemaReading {
  const isObject = typeof definition === 'object' && definition !== null
  const known = isObject ? readings.get(definition) : undefined
  if (known) return known
  const place = new Place()
  const schema = place.attempt(() => compileParts(definition, place))
  const reading = Object.freeze({ schema, issues: Object.freeze([...place.issues]) })
  if (isObject) readings.set(definition, reading)
  if (schema && reading.issues.length > 0) {
    // What is left is a schema too, and that is read.
    schema.definition = withoutLeftOut(definition, schema)
    readings.set(schema.definition, { schema, issues: [] })
  }
  return reading
}

function withoutLeftOut(definition: SchemaDefinition, schema: Schema): SchemaDefinition {
  const kept = <T>(
    parts: { readonly [name: string]: T },
    known: ReadonlyMap<string, unknown>,
  ): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries<T>(Object(parts)).filter(([name]) => known.has(name)))
  const { indexes, models } = definition
  const [hash = '', sort] = keyAttributes(schema.primary)
  return {
    ...definition,
    // The primary one was read, or another took its place.
    indexes: { ...kept(indexes, schema.indexes), primary: { hash, ...(sort && { sort }) } },
    models: kept(models, schema.models),
  }
}

function compileParts(
  definition: SchemaDefinition,
  place: Place,
): Schema & { definition: SchemaDefinition } {
  checkOptions(definition, SCHEMA_OPTIONS, place)
  const optional = (name: 'params' | 'table', known: string): void =>
    void place.attempt(() => checkOptions(definition[name] ?? {}, known, place.at(name)))
  optional('params', PARAMS_OPTIONS)
  optional('table', TABLE_OPTIONS)
  requireObject(definition.models, place.at('models'))
  requireObject(definition.indexes, place.at('indexes'))
  const params = readParams(definition, place)
  const indexes = compileIndexes(definition, params, place)
  const { table } = definition
  if (typeof table === 'object' && table !== null) checkTable(table, indexes, place.at('table'))
  const models = new Map<string, Model>()
  // What no model fills yet will most likely be text.
  const keyTypes = new Map<string, KeyType>(
    [...indexes.values()].flatMap(keyAttributes).map((name) => [name, 'S']),
  )
  const schema = {
    definition: definition as SchemaDefinition,
    indexes,
    primary: indexes.get('primary')!,
    models,
    types: new Map<string, Model>(),
    params,
    keyTypes,
    ttl: undefined as string | undefined,
    patterns: new Map<string, Pattern>() as ReadonlyMap<string, Pattern>,
  }
  // A table declares one type for each key attribute (AttributeDefinitions), whatever the model.
  const used = new Set<string>()
  const useKey = (name: string, type: KeyType, at: Place): void => {
    const known = keyTypes.get(name)
    if (used.has(name) && known !== type) {
      at.report(
        `key attribute "${name}" is ${type} here and ${known} in another model`,
        'use one type in all models',
        { rule: 'K15', subject: { attribute: name } },
      )
      return
    }
    used.add(name)
    keyTypes.set(name, type)
  }
  const addModel = (name: string, parts: ModelDefinition, at: Place, source?: Model): Model => {
    const model = compileModel(name, parts, { schema, place: at, source, useKey })
    if (models.has(name)) {
      at.refuse('there is a model or another copy of that name', 'choose another name')
    }
    for (const other of models.values()) reportMeetingKeys(other, model, place)
    const known = schema.types.get(model.type)
    if (known) {
      at.report(
        `its items have the same type, "${model.type}", as those of "${known.name}"`,
        'give one of them another type',
      )
    }
    schema.types.set(model.type, model)
    models.set(name, model)
    const ttl = model.ttl?.stored ?? schema.ttl
    if (schema.ttl && ttl !== schema.ttl) {
      at.report(
        `the time to live is "${ttl}" here and "${schema.ttl}" elsewhere, and a table has one`,
        `store it under that name, with map: '${schema.ttl}'`,
        { subject: { attribute: model.ttl?.name } },
      )
    } else schema.ttl = ttl
    return model
  }
  for (const [name, parts] of Object.entries(definition.models)) {
    const at = place.part('model', name)
    if (at.attempt(() => addModel(name, parts, at))) continue
    at.markFaulty(`model ${name}`)
    for (const copy of Object.keys(Object(Object(parts).copies))) at.markFaulty(`model ${copy}`)
  }
  for (const model of models.values()) {
    // A model may name one that is declared after it, so this is checked when all are known. So are
    // links, copies and patterns below.
    const at = place.part('model', model.name).at('sharesKeyWith')
    for (const other of sharedWith(model)) {
      at.attempt(() => requireModel(schema, other, at))
      if (other === model.name) at.report('it names the model itself', 'name another one')
    }
  }
  copyLinks(schema, place)
  compileDerivedItems(schema, place, (name, parts, source, at) => addModel(name, parts, at, source))
  schema.patterns = compilePatterns(schema, place)
  return schema
}

/** The params with their defaults, also for those that can't be used. */
function readParams({ params }: SchemaDefinition, place: Place): SchemaParams {
  const defaults = {
    timestamps: false,
    isoDates: true,
    typeField: '_type',
    itemVersionField: '_v',
    separator: '#',
    cleanInternalKeys: true,
  }
  const given = { ...defaults, ...definedMembers(params ?? {}) }
  const at = place.at('params')
  for (const option of ['timestamps', 'isoDates', 'cleanInternalKeys'] as const) {
    if (typeof given[option] !== 'boolean') {
      at.report(`${option} is neither true nor false`, 'give true or false')
    }
  }
  const isName = at.isSound(() => checkName(given.typeField, at.at('typeField')))
  at.isSound(() => checkName(given.itemVersionField, at.at('itemVersionField')))
  const { separator } = isSeparator(given.separator) ? given : defaults
  if (separator !== given.separator) {
    at.report(`"${given.separator}" can't be the separator`, SEPARATOR_FIX, {
      code: 'TEMPLATE_INVALID',
    })
  }
  return { ...given, typeField: isName ? given.typeField : defaults.typeField, separator }
}

/** The models that a model declares to share its keys with. */
function sharedWith({ schema, name }: Model): readonly string[] {
  return getOwn(schema.definition.models, name)?.sharesKeyWith ?? []
}

/** Two models that could write the same key could overwrite each other's items. */
function reportMeetingKeys(a: Model, b: Model, place: Place): void {
  const [partsA, partsB] = [a, b].map(({ primary }) => [...primary.hash, ...primary.sort])
  const meet = partsA!.every((part, at) => partsCanMeet(part, partsB![at]!))
  const isShared = sharedWith(a).includes(b.name) || sharedWith(b).includes(a.name)
  if (meet === isShared) return
  if (isShared) {
    place
      .part('model', b.name)
      .report(`its keys are never those of "${a.name}"`, 'leave sharesKeyWith out')
    return
  }
  place
    .at('models', { model: b.name, index: 'primary' })
    .report(
      `"${a.name}" and "${b.name}" can have the same primary key: ${printParts(partsA!)} against ${printParts(partsB!)}.`,
      'give one of them another literal text, such as the name of its model; or declare sharesKeyWith, if each key belongs to only one of them',
      { code: 'KEYS_MEET', rule: 'K01' },
    )
}
