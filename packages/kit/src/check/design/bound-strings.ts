import { getOwn } from 'singletable/tools'
import { commonText } from '../algebra/common-text.ts'
import type { IndexUse } from './design-model.ts'
import { type KeyStrings, stringsWith } from './key-strings.ts'

/** An attribute of more values than these is taken as if each placeholder had its own. */
const VALUES_MAX = 16
/** This many attributes are bound; more are rarely in both keys. */
const NAMES_MAX = 2

/**
 * Whether two uses of an index meet with each attribute having one value wherever it is. Taken by
 * themselves, the parts of `K#${kind}` and `${kind}#${id}` could have different kinds.
 */
export function meetBound(
  a: KeyStrings,
  b: KeyStrings,
  meet: (a: KeyStrings, b: KeyStrings) => boolean,
): readonly [KeyStrings, KeyStrings] | undefined {
  // Most don't meet however they are taken, and most have nothing twice.
  if (!meet(a, b)) return undefined
  if (repeatedNames(a.use).length + repeatedNames(b.use).length === 0) return [a, b]
  const words = new Set([...wordsIn(a, b), ...wordsOf(a), ...wordsOf(b), 'a'])
  for (const one of bindings(a, words)) {
    for (const other of bindings(b, words)) {
      if (meet(one, other)) return [one, other]
    }
  }
  return undefined
}

/** The use with each combination of values for the names that are in its keys several times;
 * itself, if there are none. */
function bindings(strings: KeyStrings, words: ReadonlySet<string>): readonly KeyStrings[] {
  let choices: readonly { readonly [name: string]: unknown }[] = [{}]
  for (const name of repeatedNames(strings.use).slice(0, NAMES_MAX)) {
    const values = valuesOf(strings, name, words)
    if (values === undefined) continue
    choices = choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value })))
  }
  return choices.map((choice) =>
    Object.keys(choice).length === 0 ? strings : stringsWith(strings, choice),
  )
}

function repeatedNames({ hash, sort }: IndexUse): readonly string[] {
  const names = [...hash, ...sort].flatMap(({ template }) =>
    (template?.parts ?? []).flatMap((part) => (typeof part === 'string' ? [] : [part.name])),
  )
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}

/** What an attribute can be as far as it matters: one of its own values, or a word that is there to
 * be met. */
function valuesOf(
  { use, values }: KeyStrings,
  name: string,
  words: ReadonlySet<string>,
): readonly unknown[] | undefined {
  const attribute = values.attributes.get(name)
  const only = getOwn(use.when ?? {}, name) ?? attribute?.enum
  if (only !== undefined) {
    const list = [only].flat()
    return list.length <= VALUES_MAX ? list : undefined
  }
  if (attribute?.type === Boolean) return [false, true]
  return attribute?.type === String && words.size <= VALUES_MAX ? [...words] : undefined
}

/** The words of a text that both can have, key by key. */
function wordsIn(a: KeyStrings, b: KeyStrings): readonly string[] {
  const theirs = [...b.hash, ...b.sort]
  return [...a.hash, ...a.sort].flatMap((language, at) => {
    const other = theirs[at]
    const text = other && commonText(language, other)
    return text === undefined ? [] : split(text, a)
  })
}

/** The words that its templates are written with, and those that its attributes can be. */
function wordsOf(strings: KeyStrings): readonly string[] {
  const parts = [...strings.use.hash, ...strings.use.sort].flatMap(
    ({ template }) => template?.parts ?? [],
  )
  return parts.flatMap((part) => {
    if (typeof part === 'string') return split(part, strings)
    const { enum: values = [] } = strings.values.attributes.get(part.name) ?? {}
    const only = getOwn(strings.use.when ?? {}, part.name)
    const list = only === undefined ? values : [only].flat()
    return list.length <= VALUES_MAX ? list.map(String) : []
  })
}

function split(text: string, { values }: KeyStrings): readonly string[] {
  return text.split(values.separator).filter((word) => word !== '')
}
