import { isPlain } from '../schema/compile-filter.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { KeyPart, Model, ModelIndex, Pattern } from '../schema/model.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { compareUtf8 } from '../values/utf8.ts'

/** The condition on one key attribute, with the input's members in place of values. */
export type KeyPlan =
  | { readonly eq: string }
  | { readonly beginsWith: string }
  | {
      readonly between: readonly [string, string]
      /** What it is without a range in the input. */
      readonly else?: { readonly beginsWith: string }
    }

/** What equality fixes; everything, if undefined. */
export type FixedNames = readonly string[] | undefined

/** Greater than every text that goes on after the same beginning. */
const LAST = '\u{10FFFF}'

/** Two bounds, the lower and the upper, by the input's members. */
const BOUNDS = [
  ['from', 'gt'],
  ['to', 'lt'],
] as const

/** The key condition of a pattern. With an input, its range is told as that call would have it. */
export function planKey(
  { definition, use, models }: Pattern,
  input: object | undefined,
): { readonly [keyAttribute: string]: KeyPlan } {
  const { by, range } = definition as { by?: readonly string[]; range?: string }
  const value = input && range && ownValue(input, range)
  const isExact = value !== undefined && !isPlain(value)
  const fixed = isExact && by ? [...by, range!] : definition.op === 'query' ? by : undefined
  const key: { [keyAttribute: string]: KeyPlan } = {}
  for (const part of [...use!.hash, ...use!.sort]) {
    // Of a partition key, shards and buckets of time are counted up.
    const names = use!.hash.includes(part) ? undefined : fixed
    const others = names && models.slice(1).flatMap((model) => partsOf(model, use!, part))
    const plan = others?.length
      ? planHeads([part, ...others], names)
      : planPart(part, names, range, input && (value ?? {}))
    if (plan !== undefined) key[part.name] = plan
    if (plan === undefined || !('eq' in plan)) break
  }
  return key
}

function partsOf({ indexes }: Model, { index, sort }: ModelIndex, part: KeyPart): KeyPart[] {
  const theirs = indexes.find((each) => each.index === index)
  return theirs?.sort[sort.indexOf(part)] ? [theirs.sort[sort.indexOf(part)]!] : []
}

/** Of several models: from the first of their heads to the end of the last one. */
function planHeads(parts: readonly KeyPart[], fixed: FixedNames): KeyPlan | undefined {
  const heads = parts
    .map(({ template }) => (template ? headOf(template, fixed) : { head: '', open: {} }))
    .sort((a, b) => compareUtf8(a.head, b.head))
  const first = heads[0]!
  const last = heads.at(-1)!
  if (last.head === '') return undefined
  if (first.head === last.head) return last.open ? { beginsWith: last.head } : { eq: last.head }
  return { between: [first.head, last.head + (last.open ? LAST : '')] }
}

function planPart(
  { name, template }: KeyPart,
  fixed: FixedNames,
  range: string | undefined,
  given: unknown,
): KeyPlan | undefined {
  const { head, open, next } = template
    ? headOf(template, fixed)
    : {
        head: isFixed(fixed, name) ? `\${${name}}` : '',
        open: isFixed(fixed, name) ? undefined : { body: name, descending: false },
        next: undefined,
      }
  if (open === undefined) return { eq: head }
  const beginsWith = head === '' ? undefined : { beginsWith: head }
  const [variable = '', ...modifiers] = open.body.split(':')
  if (variable !== range) return beginsWith
  const text = (member: string): string =>
    `${head}\${${[`${variable}.${member}`, ...modifiers].join(':')}}`
  const bounds = isPlain(given) ? Object.keys(given) : undefined
  if (bounds?.includes('beginsWith')) return { beginsWith: text('beginsWith') }
  if (bounds?.length === 0) return beginsWith
  // Of descending values the greatest has the first text.
  const texts = (open.descending ? [...BOUNDS].reverse() : BOUNDS).map(
    ([inclusive, exclusive], at) => {
      const member = bounds === undefined || bounds.includes(inclusive) ? inclusive : exclusive
      if (bounds && !bounds.includes(member)) return at === 0 ? head : head + LAST
      if ((member === inclusive) !== (at === 1)) return text(member)
      return text(member) + (next !== undefined ? next + LAST : at === 1 ? '' : '\0')
    },
  )
  const between = texts as [string, string]
  return bounds || !beginsWith ? { between } : { between, else: beginsWith }
}

/** The text that equality fixes, and the placeholder behind it, if there is one. `next` is the literal that follows that. */
export function headOf(
  { parts, source }: KeyTemplate,
  fixed: FixedNames,
): {
  readonly head: string
  readonly open?:
    | { readonly body: string; readonly descending: boolean; readonly at: number }
    | undefined
  readonly next?: string | undefined
} {
  const bodies = [...source.matchAll(/\$\{([^}]*)\}/g)].map(([, body = '']) => body)
  let head = ''
  for (const [at, part] of parts.entries()) {
    if (typeof part === 'string') head += part
    else {
      const body = bodies.shift()!
      if (!isFixed(fixed, part.name)) {
        const next = parts[at + 1]
        const { descending } = part
        return { head, open: { body, descending, at }, next: typeof next === 'object' ? '' : next }
      }
      head += `\${${body}}`
    }
  }
  return { head }
}

function isFixed(fixed: FixedNames, name: string): boolean {
  return fixed === undefined || fixed.includes(name)
}
