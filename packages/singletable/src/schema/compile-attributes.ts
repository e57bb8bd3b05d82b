import { ATTRIBUTE_OPTIONS, checkName, checkOptions, requireObject } from './check-options.ts'
import { codecFor, requireValue } from './codec-for.ts'
import { namedGenerator } from './generate.ts'
import type { Attribute, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { AttributeDefinition, ModelDefinition } from './schema-definition.ts'

/** The attributes that `timestamps` keeps. */
export const TIMESTAMPS = ['createdAt', 'updatedAt'] as const

/** A model's attributes by the name callers use, without key attributes that are rendered. */
export function compileAttributes(
  definition: ModelDefinition,
  params: SchemaParams,
  model: string,
): ReadonlyMap<string, Attribute> {
  const attributes = new Map<string, Attribute>()
  const add = (name: string, attribute: AttributeDefinition): void => {
    const where = `${model}, attribute "${name}"`
    checkName(name, where)
    checkOptions(attribute, ATTRIBUTE_OPTIONS, where)
    if (attribute.value !== undefined) return
    const isTimestamp = params.timestamps && TIMESTAMPS.some((timestamp) => timestamp === name)
    checkRoles(attribute, where, isTimestamp)
    attributes.set(name, compileAttribute(name, attribute, params, where))
  }
  requireObject(definition.attributes, `${model}, attributes`)
  for (const [name, attribute] of Object.entries(definition.attributes)) add(name, attribute)
  if (params.timestamps) {
    if (!attributes.has('createdAt')) add('createdAt', { type: Date, readonly: true })
    if (!attributes.has('updatedAt')) add('updatedAt', { type: Date })
  }
  return attributes
}

function compileAttribute(
  name: string,
  definition: AttributeDefinition,
  params: SchemaParams,
  where: string,
): Attribute {
  const stored = definition.map ?? name
  checkName(stored, where)
  const codec = codecFor(definition, { params, where, depth: 1 })
  const { default: literal } = definition
  if (literal !== undefined && typeof literal !== 'function') {
    requireValue(codec, literal, 'default', where)
  }
  return { name, stored, codec, definition }
}

/** Roles that need a type of their own. */
function checkRoles(definition: AttributeDefinition, where: string, isTimestamp: boolean): void {
  const { type, ttl, version, generate } = definition
  const refuseType = (role: string, types: string): never =>
    refuseSchema(where, `${role} is of another type than it can be`, `use ${types}`)
  const isTime = type === Date || type === Number
  if (ttl && !isTime) refuseType('the time to live', 'Date or Number')
  if (version && type !== Number) refuseType('the version', 'Number')
  if (isTimestamp && (ttl || version || !(isTime || type === String))) {
    refuseType('the timestamp', 'Date, String or Number')
  }
  if (generate === undefined) return
  if (definition.default !== undefined || version || ttl || isTimestamp) {
    refuseSchema(where, 'it is generated and also supplied otherwise', 'choose one of them')
  }
  if (typeof generate === 'function') return
  if (namedGenerator(generate) === undefined) {
    refuseSchema(where, `there is no generator "${generate}"`, 'use ulid, uuid, uuid7, ksuid')
  }
  if (type !== String) refuseType('what is generated', 'String')
}
