import type { Attribute, Schema } from 'singletable/tools'
import { definitionData } from '../check/evidence/definition-data.ts'

type Definition = Attribute['definition']

/** How a difference between two definitions of a value matters for values that are stored. */
export interface ValueChange {
  /** `form`: they have to be stored in another way. `check`: some of them may be wrong now. */
  readonly effect: 'form' | 'check'
  /** The value, and what is different: `User.address.city has another enum`. */
  readonly what: string
  /** The value is inside that of the attribute. */
  readonly isInside: boolean
}

/** An attribute, or a value inside one, as a version of the schema has it. */
export interface VersionedValue {
  readonly definition: Definition
  readonly isoDates: boolean
}

/**
 * What a change of an option means. A function says of which changes values have to be checked.
 * `elsewhere` is what other comparisons find: keys, derived items, attributes as a whole.
 */
type Effect =
  | 'none'
  | 'form'
  | 'inside'
  | 'elsewhere'
  | ((old: Definition, now: Definition) => boolean)

/** All that an attribute, an element or a member can say. */
const EFFECTS: { readonly [option in keyof Required<Definition>]: Effect } = {
  type: 'inside',
  items: 'inside',
  schema: 'inside',
  values: 'inside',
  elements: 'inside',
  variants: 'inside',
  ttl: 'inside',
  discriminator: 'form',
  normalize: 'form',
  codec: 'form',
  set: 'form',
  enum: (old, now) =>
    now.enum !== undefined && !old.enum?.every((value) => now.enum!.includes(value)),
  const: (_, now) => now.const !== undefined,
  nulls: (_, now) => !now.nulls,
  validate: (_, now) => now.validate !== undefined,
  maxBytes: ({ maxBytes = Number.POSITIVE_INFINITY }, now) =>
    (now.maxBytes ?? Number.POSITIVE_INFINITY) < maxBytes,
  keys: (old, now) => now.keys !== undefined && !old.keys?.every((key) => now.keys!.includes(key)),
  // Of an attribute it makes items need a value; of a member it is found with the members.
  required: 'elsewhere',
  map: 'elsewhere',
  default: 'elsewhere',
  generate: 'elsewhere',
  version: 'elsewhere',
  from: 'elsewhere',
  compute: 'elsewhere',
  stored: 'elsewhere',
  counts: 'elsewhere',
  sums: 'elsewhere',
  copyOf: 'elsewhere',
  unique: 'elsewhere',
  value: 'elsewhere',
  pad: 'elsewhere',
  encode: 'elsewhere',
  get: 'none',
  onUpdate: 'none',
  readonly: 'none',
  hidden: 'none',
  examples: 'none',
  start: 'none',
}

/** What differs in the values of an attribute, and of all that is inside them. */
export function valueChanges(
  path: string,
  old: VersionedValue,
  now: VersionedValue,
  isInside = false,
): readonly ValueChange[] {
  const changes: ValueChange[] = []
  const add = (effect: ValueChange['effect'], what: string): void => {
    changes.push({ effect, what: `${path} ${what}`, isInside })
  }
  const [was, is] = [formOf(old), formOf(now)]
  const typeEffect = was === is ? undefined : effectOfForms(was, is)
  if (typeEffect) add(typeEffect, `was stored as ${was} and is stored as ${is}`)
  if (typeEffect === 'form') return changes
  for (const option of changedOptions(old.definition, now.definition)) {
    const effect = EFFECTS[option]
    if (effect === 'form') add('form', `has another ${option}`)
    if (typeof effect === 'function' && effect(old.definition, now.definition)) {
      add('check', `has another ${option}`)
    }
  }
  const [known, parts] = [partsOf(old), partsOf(now)]
  const isDeclared = [...known.keys()].some((name) => name.startsWith('.'))
  for (const [name, part] of known) {
    const other = parts.get(name)
    if (other) changes.push(...valueChanges(`${path}${name}`, part, other, true))
    // What is stored of other names is not read.
    else if (/^\[\d|^\(/.test(name)) add('check', `has no ${name} any more`)
  }
  for (const [name, { definition }] of parts) {
    const before = known.get(name)?.definition
    const isMember = name.startsWith('.')
    // Of members that are new, only those that are required can be missed, if others were declared.
    const isTyped = isMember ? isDeclared : name.startsWith('(')
    if (isMember && definition.required && !before?.required) {
      changes.push({ effect: 'check', what: `${path}${name} is required now`, isInside: true })
    } else if (!before && !isTyped) {
      changes.push({ effect: 'check', what: `${path}${name} has a type now`, isInside: true })
    }
    if (isMember && before && before.map !== definition.map) {
      changes.push({
        effect: 'form',
        what: `${path}${name} is stored under another name`,
        isInside: true,
      })
    }
  }
  return changes
}

/** The options that differ, as far as they can be seen in data: of code, only that there is some. */
function changedOptions(old: Definition, now: Definition): readonly (keyof Definition)[] {
  const dataOf = (each: Definition): string => JSON.stringify(definitionData({ each } as never))
  // Checked when the schemas were compiled.
  const names = new Set([...Object.keys(old), ...Object.keys(now)]) as Set<keyof Definition>
  return [...names].filter(
    (name) => dataOf({ [name]: old[name] } as never) !== dataOf({ [name]: now[name] } as never),
  )
}

/** Which types are stored in which form, in words. */
export function formOf({ definition: { type, ttl, items }, isoDates }: VersionedValue): string {
  if (type === Date) {
    return `a Date ${ttl ? 'in seconds' : isoDates ? 'as text' : 'in milliseconds'}`
  }
  if (type === Number && ttl) return 'a Number of seconds'
  if (type === Set) return `a Set of ${nameOf(items?.type ?? String)}`
  return nameOf(type)
}

function nameOf(type: Definition['type']): string {
  return typeof type === 'function' ? type.name : type
}

/** Types that are stored alike; what the last of a row takes, all before it have. */
const ALIKE = [
  ['Number', 'BigInt', 'decimal'],
  ['a Set of Number', 'a Set of BigInt', 'a Set of decimal'],
  ['a Date as text', 'String'],
  ['tuple', 'Array'],
  ['record', 'union', 'Object'],
]

function effectOfForms(was: string, is: string): ValueChange['effect'] | undefined {
  if (is === 'any') return undefined
  if (was === 'any') return 'check'
  const seconds = ['a Number of seconds', 'a Date in seconds']
  if (seconds.includes(was) && seconds.includes(is)) return undefined
  // Numbers that are the time to live are so already.
  const plain = (form: string): string => (form === seconds[0] ? 'Number' : form)
  const row = ALIKE.find((each) => each.includes(plain(was)) && each.includes(plain(is)))
  if (row === undefined) return 'form'
  return plain(is) === row.at(-1) || plain(was) === plain(is) ? undefined : 'check'
}

/** The definitions of what is inside a value, by the path to it. */
function partsOf({ definition, isoDates }: VersionedValue): ReadonlyMap<string, VersionedValue> {
  const { type, values, schema = {}, elements = [], variants = {} } = definition
  const { items = type === Set ? { type: String } : undefined } = definition
  const parts: (readonly [string, Definition | undefined])[] = [
    ['[]', items],
    ['{}', values],
    ...elements.map((each, at) => [`[${at}]`, each] as const),
    ...Object.entries(schema).map(([name, each]) => [`.${name}`, each] as const),
    ...Object.entries(variants).flatMap(([variant, members]) => [
      [`(${variant})`, { type: Object, schema: members }] as const,
    ]),
  ]
  return new Map(
    parts.flatMap(([name, each]) => (each ? [[name, { definition: each, isoDates }]] : [])),
  )
}

export function versionedValue({ definition }: Attribute, schema: Schema): VersionedValue {
  return { definition, isoDates: schema.params.isoDates }
}
