import { bucketTime } from '../template/time-bucket.ts'
import { opaqueCodec } from './attribute-codec.ts'
import { ATTRIBUTE_OPTIONS, checkName, checkOptions, requireObject } from './check-options.ts'
import { codecFor, supplyOf } from './codec-for.ts'
import { anyCodec } from './codecs/any-codec.ts'
import { checkComputed, checkSources, transformedCodec } from './computed.ts'
import { isCounted } from './is-counted.ts'
import type { Attribute, SchemaParams } from './model.ts'
import type { Place } from './place.ts'
import { refuseExtremes } from './refuse-extremes.ts'
import type { AttributeDefinition, ModelDefinition } from './schema-definition.ts'

/**
 * A model's attributes by the name callers use, without key attributes that are rendered. One with
 * a mistake is known by its name nevertheless, and marked as faulty.
 */
export function compileAttributes(
  definition: ModelDefinition,
  params: SchemaParams,
  model: Place,
): ReadonlyMap<string, Attribute> {
  requireObject(definition.attributes, model.at('attributes'))
  const timestamps = params.timestamps
    ? { createdAt: { type: Date, readonly: true }, updatedAt: { type: Date } }
    : {}
  const attributes = new Map<string, Attribute>()
  const definitions = { ...definition.attributes, ...timestamps, ...definition.attributes }
  for (const [name, attribute] of Object.entries<AttributeDefinition>(definitions)) {
    const place = model.part('attribute', name)
    let made: Attribute | undefined
    const isSound = place.isSound(() => {
      checkName(name, place)
      refuseExtremes(attribute, place)
      checkOptions(attribute, ATTRIBUTE_OPTIONS, place)
      if (attribute.value !== undefined) return
      made = compileAttribute(name, attribute, { params, place, timestamps })
    })
    if (isSound && made) attributes.set(name, made)
    if (isSound || attribute?.value !== undefined) continue
    const codec = anyCodec(1)
    const known = made ?? { name, stored: name, codec, definition: Object(attribute) }
    place.markFaulty(known)
    attributes.set(name, known)
  }
  for (const attribute of attributes.values()) {
    if (attribute.from) checkSources(attributes, attribute, model.part('attribute', attribute.name))
  }
  return attributes
}

function compileAttribute(
  name: string,
  definition: AttributeDefinition,
  given: { readonly params: SchemaParams; readonly place: Place; readonly timestamps: object },
): Attribute {
  const { params, place, timestamps } = given
  checkRoles(definition, place, Object.hasOwn(timestamps, name))
  checkComputed(definition, place)
  const { map: stored = name } = definition
  checkName(stored, place)
  const plain = codecFor(definition, { params, at: place, depth: 1 })
  const codec = definition.set ? transformedCodec(plain, definition) : plain
  return {
    name,
    stored,
    codec: definition.codec
      ? opaqueCodec(codec)
      : definition.stored === false
        ? { ...codec, unstored: true }
        : codec,
    definition,
    supply: isCounted(definition)
      ? () => codec.decode({ N: '0' })
      : supplyOf(definition, codec, place),
    from: definition.from,
  }
}

/** Roles that need a type of their own. */
function checkRoles(definition: AttributeDefinition, place: Place, isTimestamp: boolean): void {
  const { type, ttl, version, generate, start } = definition
  const isTime = type === Date || type === Number
  const roles = [
    [ttl && !isTime, 'the time to live', 'Date or Number', 'W06'],
    [version && type !== Number, 'the version', 'Number'],
    [
      isTimestamp && (ttl || version || !(isTime || type === String)),
      'the timestamp',
      'Date, String or Number',
    ],
    [start !== undefined && !(isTime || type === String), 'a start', 'Date, String or Number'],
  ] as const
  for (const [isWrong, role, types, rule] of roles) {
    if (isWrong) place.report(`${role} can't be of this type`, `use ${types}`, { rule })
  }
  const { codec, unique, copyOf, pad, encode } = definition
  const counts = isCounted(definition)
  if (
    codec &&
    (ttl || version || unique || counts || copyOf || pad || encode || start || isTimestamp)
  ) {
    place.report('it has a codec, so it can have no other role', 'choose one of them')
  }
  if (start !== undefined && !(typeof start === 'string' && bucketTime(start) !== undefined)) {
    place.report('its start is not an ISO string in UTC', "write a time such as '2026-01-01'")
  }
  if (![undefined, true, false, 'raw'].includes(encode)) {
    place.report(`there is no encode "${encode}"`, "use true or 'raw'")
  }
  const { onUpdate, readonly: isFixed } = definition
  if (onUpdate !== undefined && typeof onUpdate !== 'function') {
    place.report('its onUpdate is not a function', 'give one that makes the value')
  }
  if (onUpdate && (version || counts || isFixed || isTimestamp || codec || definition.value)) {
    place.report("it has onUpdate and can't be set by updates", 'choose one of them')
  }
  if (generate && (version || ttl || isTimestamp)) {
    place.report('it is generated, and also supplied in another way', 'choose one of them')
  }
}
