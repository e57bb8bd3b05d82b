import { DefinitionError } from '../errors/definition-error.ts'
import { keysCanMeet } from '../template/meeting.ts'
import type { KeyType } from '../values/attribute-value.ts'
import {
  checkName,
  checkOptions,
  PARAMS_OPTIONS,
  requireObject,
  SCHEMA_OPTIONS,
  TABLE_OPTIONS,
} from './check-options.ts'
import { compileCompanions } from './compile-companions.ts'
import { compileIndexes } from './compile-indexes.ts'
import { compileModel } from './compile-model.ts'
import { compilePatterns } from './compile-pattern.ts'
import { copyLinks } from './copy-links.ts'
import { keyAttributes, primaryTemplates } from './index-keys.ts'
import type { Model, Pattern, Schema } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

const compiledSchemas = new WeakMap<SchemaDefinition, Schema>()

/** Makes a schema ready for use, and refuses it if it can't be used. The definition is not changed, and compiled once. */
export function compileSchema(definition: SchemaDefinition): Schema {
  checkOptions(definition, SCHEMA_OPTIONS, 'schema')
  const known = compiledSchemas.get(definition)
  if (known) return known
  checkOptions(definition.params ?? {}, PARAMS_OPTIONS, 'schema, params')
  checkOptions(definition.table ?? {}, TABLE_OPTIONS, 'schema, table')
  requireObject(definition.models, 'schema, models')
  const params = {
    timestamps: false,
    isoDates: true,
    typeField: '_type',
    separator: '#',
    cleanInternalKeys: true,
    ...definition.params,
  }
  checkName(params.typeField, 'schema, params, typeField')
  const indexes = compileIndexes(definition, params)
  const models = new Map<string, Model>()
  // What no model fills yet will most likely be text.
  const keyTypes = new Map<string, KeyType>(
    [...indexes.values()].flatMap(keyAttributes).map((name) => [name, 'S']),
  )
  const schema = {
    definition,
    indexes,
    primary: indexes.get('primary')!,
    models,
    params,
    keyTypes,
    ttl: undefined as string | undefined,
    patterns: new Map<string, Pattern>() as ReadonlyMap<string, Pattern>,
  }
  const used = new Set<string>()
  const useKey = (name: string, type: KeyType, where: string): void => {
    const known = keyTypes.get(name)
    if (used.has(name) && known !== type) {
      refuseSchema(
        where,
        `key attribute "${name}" is ${type} here and ${known} in another model`,
        'use one type in all models',
      )
    }
    used.add(name)
    keyTypes.set(name, type)
  }
  const addModel = (name: string, parts: ModelDefinition, source?: Model): Model => {
    const model = compileModel(name, parts, schema, useKey, source)
    if (models.has(name)) {
      refuseSchema(
        `schema, model "${source?.name}", copy "${name}"`,
        'there is a model or another copy of that name',
        'choose another name',
      )
    }
    for (const other of models.values()) refuseMeetingKeys(other, model)
    models.set(name, model)
    const ttl = model.ttl?.stored ?? schema.ttl
    if (schema.ttl && ttl !== schema.ttl) {
      refuseSchema(
        `schema, model "${name}"`,
        `the time to live is "${ttl}" here and "${schema.ttl}" elsewhere, and a table has one`,
        `store it by map: '${schema.ttl}'`,
      )
    }
    schema.ttl = ttl
    return model
  }
  for (const [name, parts] of Object.entries(definition.models)) addModel(name, parts)
  copyLinks(schema)
  compileCompanions(schema, addModel)
  schema.patterns = compilePatterns(schema)
  compiledSchemas.set(definition, schema)
  return schema
}

/** Two models that could write the same key could overwrite each other's items. */
function refuseMeetingKeys(a: Model, b: Model): void {
  const templatesA = primaryTemplates(a.primary)
  const templatesB = primaryTemplates(b.primary)
  const meet = templatesA.every(({ template: one }, part) => {
    const { template: other } = templatesB[part]!
    return keysCanMeet(one, other)
  })
  if (!meet) return
  const print = (templates: typeof templatesA): string =>
    templates.map(({ template }) => `"${template.source}"`).join(' and ')
  throw new DefinitionError('KEYS_MEET', {
    what: `"${a.name}" and "${b.name}" can have the same primary key: ${print(templatesA)} against ${print(templatesB)}.`,
    where: 'schema, models',
    fix: 'give one of them another literal text, such as the name of its model',
  })
}
