import { DefinitionError } from '../errors/definition-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
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
import { compileIndexes } from './compile-indexes.ts'
import { compileModel } from './compile-model.ts'
import { allKeyAttributes } from './index-keys.ts'
import type { Model, Schema, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { SchemaDefinition } from './schema-definition.ts'

const compiledSchemas = new WeakMap<SchemaDefinition, Schema>()

/** Makes a schema ready for use, and refuses it if it can't be used. The definition is not changed, and compiled once. */
export function compileSchema(definition: SchemaDefinition): Schema {
  checkOptions(definition, SCHEMA_OPTIONS, 'schema')
  let schema = compiledSchemas.get(definition)
  if (schema === undefined) {
    schema = compile(definition)
    compiledSchemas.set(definition, schema)
  }
  return schema
}

function compile(definition: SchemaDefinition): Schema {
  const params = compileParams(definition)
  if (definition.table !== undefined) {
    checkOptions(definition.table, TABLE_OPTIONS, 'schema, table')
  }
  requireObject(definition.models, 'schema, models')
  const indexes = compileIndexes(definition, params)
  const models = new Map<string, Model>()
  const keyTypes = new Map<string, KeyType>()
  const ttl = ttlOf(definition)
  const schema: Schema = {
    definition,
    indexes,
    primary: indexes.get('primary')!,
    models,
    params,
    keyTypes,
    ttl,
  }
  const useKey = (name: string, type: KeyType, where: string): void => {
    const known = keyTypes.get(name) ?? type
    if (known !== type) {
      refuseSchema(
        where,
        `key attribute "${name}" is ${type} here and ${known} in another model`,
        'use one type in all models',
      )
    }
    keyTypes.set(name, type)
  }
  for (const [name, model] of Object.entries(definition.models)) {
    models.set(name, compileModel(name, model, schema, useKey))
  }
  // What no model fills yet will most likely be text.
  for (const name of allKeyAttributes(indexes)) if (!keyTypes.has(name)) keyTypes.set(name, 'S')
  refuseMeetingKeys([...models.values()])
  return schema
}

function compileParams({ params }: SchemaDefinition): SchemaParams {
  const where = 'schema, params'
  if (params !== undefined) checkOptions(params, PARAMS_OPTIONS, where)
  const typeField = params?.typeField ?? '_type'
  checkName(typeField, `${where}, typeField`)
  return {
    timestamps: params?.timestamps ?? false,
    isoDates: params?.isoDates ?? true,
    typeField,
    separator: params?.separator ?? '#',
    cleanInternalKeys: params?.cleanInternalKeys ?? true,
  }
}

/** DynamoDB knows one time-to-live attribute in a table. */
function ttlOf(definition: SchemaDefinition): string | undefined {
  let ttl: string | undefined
  for (const [model, parts] of Object.entries(definition.models)) {
    for (const [name, attribute] of Object.entries(parts?.attributes ?? {})) {
      if (!attribute?.ttl) continue
      const stored = attribute.map ?? name
      if (ttl !== undefined && ttl !== stored) {
        refuseSchema(
          `schema, model "${model}", attribute "${name}"`,
          `the time to live is stored as "${stored}" here and as "${ttl}" elsewhere, and a table has one`,
          `store it under the same name: map: '${ttl}'`,
        )
      }
      ttl = stored
    }
  }
  return ttl
}

/** Two models that could write the same key could overwrite each other's items. */
function refuseMeetingKeys(models: readonly Model[]): void {
  const templatesOf = models.map(primaryTemplates)
  for (const [index, templatesA] of templatesOf.entries()) {
    for (let other = index + 1; other < models.length; other++) {
      const templatesB = templatesOf[other]!
      const meets = (test: (a: KeyTemplate, b: KeyTemplate) => boolean): boolean =>
        templatesA.every((template, part) => test(template, templatesB[part]!))
      // Most templates differ in their first letters, which is cheaper to see.
      if (!meets(canBeginAlike) || !meets(keysCanMeet)) continue
      const print = (templates: readonly KeyTemplate[]): string =>
        templates.map(({ source }) => `"${source}"`).join(' and ')
      throw new DefinitionError('KEYS_MEET', {
        what: `"${models[index]!.name}" and "${models[other]!.name}" can have the same primary key: ${print(templatesA)} against ${print(templatesB)}.`,
        where: 'schema, models',
        fix: 'give one of the templates another literal text, such as the name of its model',
      })
    }
  }
}

function canBeginAlike(a: KeyTemplate, b: KeyTemplate): boolean {
  return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)
}

function primaryTemplates({ primary }: Model): KeyTemplate[] {
  const templates: KeyTemplate[] = []
  for (const { template } of [...primary.hash, ...primary.sort]) {
    if (template !== undefined) templates.push(template)
  }
  return templates
}
