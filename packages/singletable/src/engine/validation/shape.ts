/**
 * The shape of a request as data: which members there are, of which JSON type, and within which bounds. One reader turns it into AWS's
 * type errors (`readShape`), one checker into AWS's constraint errors (`checkConstraints`).
 */
export type Shape =
  | StringShape
  | NumberShape
  | { readonly kind: 'boolean' }
  | { readonly kind: 'attributeValue' }
  | ListShape
  | MapShape
  | StructureShape

export interface StringShape {
  readonly kind: 'string'
  readonly lengthMin?: number
  readonly lengthMax?: number
  readonly pattern?: { readonly test: RegExp; readonly text: string }
  /** Allowed values, in the order in which AWS lists them. */
  readonly values?: readonly string[]
}
export interface NumberShape {
  readonly kind: 'integer' | 'long' | 'double'
  readonly min?: number
  readonly max?: number
}
export interface ListShape {
  readonly kind: 'list'
  readonly member: Shape
  readonly lengthMin?: number
  readonly lengthMax?: number
}
export interface MapShape {
  readonly kind: 'map'
  /** The Java type AWS names in its type errors. */
  readonly typeName: string
  readonly value: Shape
  readonly lengthMin?: number
  readonly lengthMax?: number
}
export interface StructureShape {
  readonly kind: 'structure'
  readonly members: ReadonlyMap<string, Member>
}
export interface Member {
  readonly shape: Shape
  readonly required: boolean
  /** The member's name as AWS prints it in constraint errors. */
  readonly label: string
}

type MemberDefinitions = Readonly<Record<string, Shape | { readonly required: Shape }>>

/** A structure from its members; `{ required: shape }` marks one that may not be absent. */
export function structure(definitions: MemberDefinitions): StructureShape {
  const members = new Map<string, Member>()
  for (const [name, definition] of Object.entries(definitions)) {
    const required = 'required' in definition
    members.set(name, {
      shape: required ? definition.required : definition,
      required,
      label: name.charAt(0).toLowerCase() + name.slice(1),
    })
  }
  return { kind: 'structure', members }
}

export function text(bounds: Omit<StringShape, 'kind'> = {}): StringShape {
  return { kind: 'string', ...bounds }
}
export function oneOf(...values: readonly string[]): StringShape {
  return { kind: 'string', values }
}
export function integer(bounds: Omit<NumberShape, 'kind'> = {}): NumberShape {
  return { kind: 'integer', ...bounds }
}
export function long(bounds: Omit<NumberShape, 'kind'> = {}): NumberShape {
  return { kind: 'long', ...bounds }
}
export function list(member: Shape, bounds: Omit<ListShape, 'kind' | 'member'> = {}): ListShape {
  return { kind: 'list', member, ...bounds }
}
export function map(
  typeName: string,
  value: Shape,
  bounds: Omit<MapShape, 'kind' | 'typeName' | 'value'> = {},
): MapShape {
  return { kind: 'map', typeName, value, ...bounds }
}

export const boolean: Shape = { kind: 'boolean' }
export const attributeValue: Shape = { kind: 'attributeValue' }
export const attributeMap: MapShape = map('AttributeValue', attributeValue)
