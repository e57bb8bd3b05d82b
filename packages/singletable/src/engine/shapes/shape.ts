/**
 * The shape of a request as data: which members there are, of which JSON type, and within which
 * bounds. One reader turns it into AWS's type errors (`readShape`), one checker into AWS's
 * constraint errors (`checkConstraints`).
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
  /** Elements beyond this many are not read: what checks their number refuses the request. */
  readonly readMax?: number
}
export interface MapShape {
  readonly kind: 'map'
  /** The Java type AWS names in its type errors. */
  readonly typeName: string
  readonly value: Shape
  readonly lengthMin?: number
  readonly lengthMax?: number
  /** As of a list. */
  readonly readMax?: number
}
export interface StructureShape {
  readonly kind: 'structure'
  readonly members: ReadonlyMap<string, Member>
  /** The members that can break a constraint; the others need no look. */
  readonly constrained: readonly Member[]
}
export interface Member {
  readonly name: string
  readonly shape: Shape
  readonly required: boolean
  /** Whether its value can break a constraint. */
  readonly constrained: boolean
  /** The member's name as AWS prints it in constraint errors. */
  readonly label: string
}

/** Members of a structure by name; `{ required: shape }` marks one that may not be absent. */
export type MemberDefinitions = Readonly<Record<string, Shape | { readonly required: Shape }>>

/** A structure from its members. */
export function structure(definitions: MemberDefinitions): StructureShape {
  const members = new Map<string, Member>()
  for (const [name, definition] of Object.entries(definitions)) {
    const required = 'required' in definition
    const shape = required ? definition.required : definition
    members.set(name, {
      name,
      shape,
      required,
      constrained: isConstrained(shape),
      label: name.charAt(0).toLowerCase() + name.slice(1),
    })
  }
  const constrained = [...members.values()].filter(
    (member) => member.required || member.constrained,
  )
  return { kind: 'structure', members, constrained }
}

const BOUNDS = ['values', 'pattern', 'lengthMin', 'lengthMax', 'min', 'max']

/** Whether anything at or below this shape can break a constraint; attribute values can't. */
export function isConstrained(shape: Shape): boolean {
  if (BOUNDS.some((bound) => bound in shape)) return true
  switch (shape.kind) {
    case 'list':
      return isConstrained(shape.member)
    case 'map':
      return isConstrained(shape.value)
    case 'structure':
      return shape.constrained.length > 0
    default:
      return false
  }
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
