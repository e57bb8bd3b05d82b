import { getOwn } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { canMeet } from '../../algebra/common-text.ts'
import { reachOf } from '../../algebra/template-language.ts'
import { type Design, modelNamed } from '../../design/design.ts'
import {
  canBeginAlike,
  commonKey,
  commonPartition,
  type KeyStrings,
  keyStrings,
  looseKeyStrings,
  pairsOf,
  separatorOf,
} from '../../design/key-strings.ts'
import type { Notice, Rule } from '../rule.ts'

export const delimiterInjection: Rule = {
  code: 'K02',
  name: 'delimiter-injection',
  severity: 'info',
  source: 'schema',
  title: 'A key could be read as a key of another model if a value contained the separator.',
  explanation: `A comment at COMMENT#\${commentId} whose id is "7#REACTION#8" has the key of a reaction. This library refuses such a value, or escapes it with encode: true, so it never
writes such a key. Other programs that write to the table may, and items that are there already may have one: hence this note.

  wrong   Category:    { key: { pk: 'CATEGORY#\${name}', sk: 'DETAILS' } }
          Subcategory: { key: { pk: 'CATEGORY#\${parent}#\${name}', sk: 'DETAILS' } }
  right   Subcategory: { key: { pk: 'SUBCATEGORY#\${parent}#\${name}', sk: 'DETAILS' } }

Fix it with a literal of its own, with encode: true on the attribute, or with validate: /^[^#]+$/, which other programs can use too. With --preset strict it is a warning.

With encode: 'raw' such values are written as they are, for tables that have them already; this rule then says which keys can be the same. It also says which keys
end where a value is missing, by shortKeys.`,
  *check(design) {
    const uses = keyStrings(design)
    yield* acceptedAmbiguity(design)
    const loose = looseKeyStrings(design, (model, attribute) => isOpen(design, model, attribute))
    // Most pairs don't meet however they are taken.
    const looseOf = new Map(uses.map((use, at) => [use, loose[at]]))
    const canEverMeet = (a: KeyStrings, b: KeyStrings, meet: typeof meetInKey): boolean => {
      const [one, other] = [looseOf.get(a), looseOf.get(b)]
      return one !== undefined && other !== undefined && meet(one, other)
    }
    const reported = new Set<string>()
    for (const [a, b] of pairsOf(uses.filter(({ use }) => use.index === 'primary'))) {
      if (!canEverMeet(a, b, meetInKey) || meetInKey(a, b)) continue
      const found = culprit(design, a, b, meetInKey)
      if (found === undefined) continue
      reported.add(JSON.stringify([a.use.model, b.use.model].sort()))
      yield noticeOf(design, found)
    }
    for (const pattern of design.patterns) {
      if (pattern.definition.op !== 'query' || pattern.entities.length !== 1) continue
      const isOwn = ({ use }: KeyStrings): boolean =>
        use.index === pattern.index && use.model === pattern.entities[0]
      const own = uses.find(isOwn)
      if (own === undefined) continue
      for (const other of uses) {
        if (other.use.index !== own.use.index || other === own) continue
        if (reported.has(JSON.stringify([own.use.model, other.use.model].sort()))) continue
        const reads = (one: KeyStrings, two: KeyStrings): boolean => canRead(one, two, pattern.by)
        if (!canEverMeet(own, other, reads) || reads(own, other)) continue
        const found = culprit(design, own, other, reads)
        if (found) yield noticeOf(design, found, pattern.name)
      }
    }
  },
}

/** What a schema accepts by encode: 'raw': keys that values with separators can have in common. */
function* acceptedAmbiguity(design: Design): Generator<Notice> {
  for (const { model, index, keyAttribute, template } of design.keys) {
    if (template?.isShort) {
      const short = template.components.filter(({ raw }) => raw).map(({ name }) => name)
      const empty = short.length > 0 ? `, and reads as one whose ${listNames(short)} is empty` : ''
      yield {
        message: `${model}.${keyAttribute} ("${template.source}") ends where a value is missing${empty}: a filter decides, and an item that another program took out of ${index} is not found there.`,
        fix: 'accept it for items that are there, or remove shortKeys: then items without a value are not in the index',
        place: { model, index, attribute: keyAttribute },
      }
    }
    const parts = template?.parts ?? []
    const raw = parts.filter((part) => typeof part !== 'string' && part.raw)
    const last = parts.at(-1)
    if (raw.length === 0 || (raw.length === 1 && raw[0] === last)) continue
    const names = raw.map((part) => (typeof part === 'string' ? part : part.name))
    const separator = separatorOf(design)
    yield {
      message:
        raw.length > 1
          ? `${model}.${keyAttribute} ("${template?.source}") has ${listNames(names)} as they are: items whose values contain "${separator}" can have the same key, and the last one written replaces the others.`
          : `${model}.${keyAttribute} ("${template?.source}") has ${names[0]} as it is: a query by it also reads items whose ${names[0]} continues with "${separator}", and filters them out.`,
      fix: `accept it for items that are there, or declare encode: true and write them again under other keys`,
      place: { model, index, attribute: names[0] },
    }
  }
}

function meetInKey(a: KeyStrings, b: KeyStrings): boolean {
  return commonKey(a, b) !== undefined
}

/** Whether a query by these names can come upon the other's items. */
function canRead(own: KeyStrings, other: KeyStrings, by: readonly string[]): boolean {
  const isRead = own.use.sort.every(({ template }, at) => {
    const theirs = other.sort[at]
    if (template === undefined || theirs === undefined) return true
    if (!canBeginAlike(template, other.use.sort[at]?.template)) return false
    return canMeet(reachOf(template, by, own.values), theirs)
  })
  return isRead && commonPartition(own, other) !== undefined
}

interface Culprit {
  readonly model: string
  readonly attribute: string
  readonly other: string
}

/** The attribute that alone lets them meet when its text is taken as it comes. */
function culprit(
  design: Design,
  a: KeyStrings,
  b: KeyStrings,
  meet: (a: KeyStrings, b: KeyStrings) => boolean,
): Culprit | undefined {
  for (const [{ use }, { use: other }] of [
    [a, b],
    [b, a],
  ] as const) {
    const names = [...use.hash, ...use.sort].flatMap(({ template }) => template?.names ?? [])
    for (const name of new Set(names)) {
      if (!isOpen(design, use.model, name)) continue
      const loose = looseKeyStrings(
        design,
        (model, attribute) => model === use.model && attribute === name,
      )
      const [one, two] = [sameUse(loose, a), sameUse(loose, b)]
      if (one && two && meet(one, two)) {
        return { model: use.model, attribute: name, other: other.model }
      }
    }
  }
  return undefined
}

function sameUse(uses: readonly KeyStrings[], { use }: KeyStrings): KeyStrings | undefined {
  return uses.find((each) => each.use.model === use.model && each.use.index === use.index)
}

/** A text that nothing but the library keeps from containing the separator. */
function isOpen(design: Design, model: string, attribute: string): boolean {
  const found = getOwn(modelNamed(design, model)?.definition.attributes ?? {}, attribute)
  return (
    found !== undefined &&
    (found.type === String || found.type === Array) &&
    !found.encode &&
    !found.enum &&
    found.validate === undefined
  )
}

function noticeOf(design: Design, { model, attribute, other }: Culprit, pattern?: string): Notice {
  const separator = separatorOf(design)
  return {
    message: `If ${model}.${attribute} contains "${separator}", its key reads as a ${other}${pattern === undefined ? '' : ` in ${pattern}`}.`,
    fix: `give one of them another literal text, or declare ${attribute} with encode: true or a validate that forbids "${separator}"`,
    place: { model, attribute, pattern },
  }
}
