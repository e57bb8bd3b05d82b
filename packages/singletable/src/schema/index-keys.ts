import type { KeyTemplate } from '../template/key-template.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import type { Index, KeyPart, ModelIndex, SchemaParams } from './model.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

/** The key attributes of an index. */
export function keyAttributes({ hash, sort }: Index): readonly string[] {
  return [...hash, ...sort]
}

/** The templates of the primary key, without the parts that are attributes as they are. */
export function primaryTemplates({
  hash,
  sort,
}: ModelIndex): readonly { readonly name: string; readonly template: KeyTemplate }[] {
  return [...hash, ...sort].filter((part) => part.template !== undefined)
}

/** The attributes that a key attribute is made of. */
export function partNames({ template, attribute }: KeyPart): readonly string[] {
  return template ? template.names : [attribute.name]
}

/** Those of them whose whole values can be recovered from the key attribute. */
export function recoverableNames({ template, attribute }: KeyPart): readonly string[] {
  return template ? template.recoverable : [attribute.name]
}

/** A key attribute as it is stored, or `undefined` where a value it is made of is missing. */
export function renderPart(part: KeyPart, values: object): AttributeValue | undefined {
  if (part.template) {
    const S = part.template.render(values)
    return S === undefined ? undefined : { S }
  }
  const { name, codec } = part.attribute
  const value = ownValue(values, name)
  return value === undefined || value === null ? undefined : codec.encode(value, [])
}

/**
 * The values that a stored key attribute was made of, or `undefined` if the model makes no such
 * key.
 */
export function matchPart(
  part: KeyPart,
  value: AttributeValue | undefined,
): Record<string, unknown> | undefined {
  if (part.template) return part.template.match(value?.S ?? '')
  if (value === undefined) return undefined
  const { name, codec } = part.attribute
  try {
    const values: Record<string, unknown> = {}
    setOwn(values, name, codec.decode(value))
    return values
  } catch (error) {
    if (error instanceof StoredValueProblem) return undefined
    throw error
  }
}

/** An attribute's value among those given by name. */
export function ownValue(values: object, name: string): unknown {
  // Reading through getOwn is sound for any object.
  return getOwn(values as { readonly [name: string]: unknown }, name)
}

/**
 * Whether an item with these values is in the index: everything its keys need is there, or of short
 * keys anything, and its condition holds.
 */
export function isInIndex(
  { names, when, isShort = false }: Pick<ModelIndex, 'names' | 'when' | 'isShort'>,
  values: object,
): boolean {
  // A key can't be made of null.
  const isThere = (name: string): boolean => (ownValue(values, name) ?? null) !== null
  if (!names.every(isThere) && !(isShort && names.some(isThere))) return false
  if (when === undefined) return true
  for (const [name, allowed] of when) {
    if (!allowed.includes(ownValue(values, name))) return false
  }
  return true
}

/**
 * The type of an item, if it has one. Inherited members are functions, so they are never taken for
 * a type.
 */
export function typeIn(item: Item, { typeField }: SchemaParams): AttributeValue | undefined {
  const type = item[typeField]
  return typeof type === 'object' ? type : undefined
}

/** The key an item has in an index; without the attributes that it lacks. */
export function keyFromItem(index: Index, item: Item): Item {
  const key: { [name: string]: AttributeValue } = {}
  for (const name of keyAttributes(index)) {
    const value = getOwn(item, name)
    if (value !== undefined) key[name] = value
  }
  return key
}
