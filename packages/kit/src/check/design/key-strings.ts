import { type KeyTemplate, keysCanMeet } from 'singletable/tools'
import { commonText } from '../algebra/common-text.ts'
import type { Language } from '../algebra/language.ts'
import { ANY_VALUE, type TemplateValues, templateStrings } from '../algebra/template-language.ts'
import { type Design, modelNamed } from './design.ts'
import { type IndexUse, type ModelKey, printPartition } from './design-model.ts'

/** An index as a model is in it, with the strings that its keys can be. */
export interface KeyStrings {
  readonly use: IndexUse
  readonly values: TemplateValues
  /** One for each key attribute of the partition key, and of the sort key. */
  readonly hash: readonly Language[]
  readonly sort: readonly Language[]
}

/** The attributes of a model whose strings are taken as they come, with the separator in them. */
export type Loose = (model: string, attribute: string) => boolean

const known = new WeakMap<Design, readonly KeyStrings[]>()

/** All uses of indexes with their strings, in the order of the schema. */
export function keyStrings(design: Design): readonly KeyStrings[] {
  const made = known.get(design) ?? makeStrings(design, undefined)
  known.set(design, made)
  return made
}

/** The same with some attributes taken as they come. */
export function looseKeyStrings(design: Design, loose: Loose): readonly KeyStrings[] {
  return makeStrings(design, loose)
}

function makeStrings(design: Design, loose: Loose | undefined): readonly KeyStrings[] {
  return design.uses.map((use): KeyStrings => {
    const { shard } = use.definition
    const values: TemplateValues = {
      attributes: modelNamed(design, use.model)?.attributes ?? new Map(),
      separator: separatorOf(design),
      shard: shard && { name: shard.name ?? 'shard', count: Number(shard.count) || 1 },
      only: use.when,
      loose: loose && ((attribute) => loose(use.model, attribute)),
    }
    return { use, values, hash: stringsOf(use.hash, values), sort: stringsOf(use.sort, values) }
  })
}

/** The same use with these values only. */
export function stringsWith(
  { use, values }: KeyStrings,
  only: { readonly [attribute: string]: unknown },
): KeyStrings {
  const fixed: TemplateValues = { ...values, only: { ...values.only, ...only } }
  return { use, values: fixed, hash: stringsOf(use.hash, fixed), sort: stringsOf(use.sort, fixed) }
}

function stringsOf(keys: readonly ModelKey[], values: TemplateValues): readonly Language[] {
  return keys.map(({ template }) => (template ? templateStrings(template, values) : ANY_VALUE))
}

/** A key that both can have: a text for each key attribute; undefined if there is none. */
export function commonKey(a: KeyStrings, b: KeyStrings): readonly string[] | undefined {
  const partition = commonPartition(a, b)
  const sort = partition && commonStrings(a, b, 'sort')
  return sort && [...partition, ...sort]
}

/** A partition key that both can have. */
export function commonPartition(a: KeyStrings, b: KeyStrings): readonly string[] | undefined {
  return commonStrings(a, b, 'hash')
}

function commonStrings(
  a: KeyStrings,
  b: KeyStrings,
  role: 'hash' | 'sort',
): readonly string[] | undefined {
  if (a[role].length !== b[role].length) return undefined
  const isLoose = a.values.loose ?? b.values.loose
  const strings: string[] = []
  for (const [at, language] of a[role].entries()) {
    // All four are equally long.
    const [own, theirs] = [a.use[role][at]!.template, b.use[role][at]!.template]
    // The library's own check is the front of this one: it never says no where there is a common
    // text, and needs no automaton.
    const canMeet =
      isLoose || !own || !theirs ? canBeginAlike(own, theirs) : keysCanMeet(own, theirs)
    const text = canMeet ? commonText(language, b[role][at]!) : undefined
    if (text === undefined) return undefined
    strings.push(text)
  }
  return strings
}

/** Whether what two templates begin with can be the beginning of one text: most are distinguished
 * this way, without an automaton. */
export function canBeginAlike(a: KeyTemplate | undefined, b: KeyTemplate | undefined): boolean {
  if (a === undefined || b === undefined) return true
  return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)
}

export function separatorOf({ definition }: Design): string {
  const separator = definition.params?.separator
  return typeof separator === 'string' && separator !== '' ? separator : '#'
}

/** The partition key of a use with a shard at its end, as a text of the schema's. */
export function spreadPartition(design: Design, use: IndexUse): string {
  return `"${printPartition(use)}${separatorOf(design)}\${shard}" with shard: { count: 10 }`
}

/** Each two of a list. */
export function* pairsOf<T>(list: readonly T[]): Generator<readonly [T, T]> {
  for (const [at, one] of list.entries()) {
    for (const other of list.slice(at + 1)) yield [one, other]
  }
}

/** The templates of a use, as `"USER#${username}" / "PROFILE"`. */
export function printKeys({ hash, sort }: Pick<IndexUse, 'hash' | 'sort'>): string {
  return [...hash, ...sort]
    .map(({ template, keyAttribute }) => `"${template?.source ?? `\${${keyAttribute}}`}"`)
    .join(' / ')
}
