import { bucketTime } from '../template/time-bucket.ts'
import { opaqueCodec } from './attribute-codec.ts'
import { ATTRIBUTE_OPTIONS, checkName, checkOptions, requireObject } from './check-options.ts'
import { codecFor, supplyOf } from './codec-for.ts'
import { namedGenerator } from './generate.ts'
import type { Attribute, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { AttributeDefinition, ModelDefinition } from './schema-definition.ts'

/** A model's attributes by the name callers use, without key attributes that are rendered. */
export function compileAttributes(
  definition: ModelDefinition,
  params: SchemaParams,
  model: string,
): ReadonlyMap<string, Attribute> {
  requireObject(definition.attributes, `${model}, attributes`)
  const timestamps = params.timestamps
    ? { createdAt: { type: Date, readonly: true }, updatedAt: { type: Date } }
    : {}
  const attributes = new Map<string, Attribute>()
  const definitions = { ...definition.attributes, ...timestamps, ...definition.attributes }
  for (const [name, attribute] of Object.entries<AttributeDefinition>(definitions)) {
    const where = `${model}, attribute "${name}"`
    checkName(name, where)
    checkOptions(attribute, ATTRIBUTE_OPTIONS, where)
    if (attribute.value !== undefined) continue
    checkRoles(attribute, where, Object.hasOwn(timestamps, name))
    const { map: stored = name, generate } = attribute
    checkName(stored, where)
    const codec = codecFor(attribute, { params, where, depth: 1 })
    const own = typeof generate === 'function' ? () => generate() : namedGenerator(generate)
    const supply = attribute.counts ? () => 0 : (own ?? supplyOf(attribute, codec, where))
    attributes.set(name, {
      name,
      stored,
      codec: attribute.codec ? opaqueCodec(codec) : codec,
      definition: attribute,
      supply,
    })
  }
  return attributes
}

/** Roles that need a type of their own. */
function checkRoles(definition: AttributeDefinition, where: string, isTimestamp: boolean): void {
  const { type, ttl, version, generate, start } = definition
  const isTime = type === Date || type === Number
  const isNamed = generate !== undefined && typeof generate !== 'function'
  const roles = [
    [ttl && !isTime, 'the time to live', 'Date or Number'],
    [version && type !== Number, 'the version', 'Number'],
    [
      isTimestamp && (ttl || version || !(isTime || type === String)),
      'the timestamp',
      'Date, String or Number',
    ],
    [isNamed && type !== String, 'what is generated', 'String'],
    [start !== undefined && !(isTime || type === String), 'a start', 'Date, String or Number'],
  ] as const
  for (const [isWrong, role, types] of roles) {
    if (isWrong) refuseSchema(where, `${role} is of another type than it can be`, `use ${types}`)
  }
  const { codec, unique, counts, copyOf, pad, encode } = definition
  if (
    codec &&
    (ttl || version || unique || counts || copyOf || pad || encode || start || isTimestamp)
  ) {
    refuseSchema(
      where,
      'a codec stores it, so that it can have no other role',
      'choose one of them',
    )
  }
  if (start !== undefined && !(typeof start === 'string' && bucketTime(start) !== undefined)) {
    refuseSchema(where, 'its start is no ISO text in UTC', "write a time such as '2026-01-01'")
  }
  if (isNamed && namedGenerator(generate) === undefined) {
    refuseSchema(where, `there is no generator "${generate}"`, 'use ulid, uuid, uuid7, ksuid')
  }
  if (generate && (definition.default !== undefined || version || ttl || isTimestamp)) {
    refuseSchema(where, 'it is generated and also supplied otherwise', 'choose one of them')
  }
}
