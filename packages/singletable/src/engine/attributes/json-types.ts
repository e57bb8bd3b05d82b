import {
  listForMap,
  START_OF_STRUCTURE,
  serializationError,
  UNEXPECTED_FIELD_TYPE,
  UNEXPECTED_TOKEN,
  wrongScalar,
} from '../messages/serialization-messages.ts'

/** JSON values that are of the type that is expected, or are refused as AWS does; `null` was taken
 * for absent before. */

export function asList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json
  throw serializationError(typeof json === 'object' ? START_OF_STRUCTURE : UNEXPECTED_FIELD_TYPE)
}

/** `typeName` is the type of the map's values in AWS's text. */
export function asMap(json: unknown, typeName: string): Record<string, unknown> {
  if (Array.isArray(json)) throw serializationError(listForMap(typeName))
  if (typeof json !== 'object') throw serializationError(UNEXPECTED_FIELD_TYPE)
  return json as Record<string, unknown>
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])

/** AWS also accepts some strings as true and false. */
export function readBoolean(json: unknown): boolean {
  if (typeof json === 'boolean') return json
  if (typeof json !== 'string') throw wrongScalar('Boolean', json)
  const value = BOOLEANS.get(json.toLowerCase())
  if (value === undefined) throw serializationError(UNEXPECTED_TOKEN)
  return value
}
