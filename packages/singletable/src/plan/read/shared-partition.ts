import type { KeyPart, Model, ModelIndex } from '../../schema/model.ts'
import type { Component } from '../../template/component.ts'
import type { KeyTemplate } from '../../template/key-template.ts'
import { keysCanMeet } from '../../template/meeting.ts'
import { compareUtf8 } from '../../values/utf8.ts'
import type { Where } from '../where.ts'
import { type TextRange, textRange } from './common-range.ts'
import type { KeyMatch, PartMatch } from './key-condition.ts'
import { LAST } from './key-range.ts'

/**
 * The other models whose items a query can come upon: they can have its partition key, and a sort
 * key in the range it reads. A model that is missing here has its items returned as those of
 * another; one too many costs only a filter. So everything that can't be known counts as yes.
 */
export function modelsInReach(
  members: readonly Model[],
  { use, parts, fan }: KeyMatch,
  sort: readonly Where[],
  asksInputs = false,
): readonly Model[] {
  const candidates = othersIn(members[0]!, use)
  if (candidates.length === 0) return []
  // What is asked by names of inputs, and where several partitions are read, only the templates
  // show it.
  const isOpen = asksInputs || fan !== undefined
  const count = use.hash.length
  return candidates
    .filter(
      ([other, theirs]) =>
        !members.includes(other) &&
        theirs.hash.every(
          (part, at) => canMeet(parts[at], part) && (isOpen || hasText(part, parts[at])),
        ) &&
        theirs.sort.every(
          (part, at) =>
            (members.length > 1 || canMeet(parts[count + at], part)) &&
            isInRange(part, textRange(sort[at]), asksInputs),
        ),
    )
    .map(([other]) => other)
}

/** The other models whose items can be in one partition with those of a model. */
export function modelsInPartition(members: readonly Model[], use: ModelIndex): readonly Model[] {
  return othersIn(members[0]!, use)
    .filter(
      ([other, { hash }]) =>
        !members.includes(other) && hash.every((part, at) => canMeet(use.hash[at], part)),
    )
    .map(([other]) => other)
}

const others = new WeakMap<ModelIndex, readonly (readonly [Model, ModelIndex])[]>()

/** The other models of an index, each with its keys there. */
function othersIn(model: Model, use: ModelIndex): readonly (readonly [Model, ModelIndex])[] {
  let found = others.get(use)
  if (found === undefined) {
    found = [...model.schema.models.values()].flatMap((other) => {
      const theirs = other !== model && other.indexes.find(({ index }) => index === use.index)
      return theirs ? [[other, theirs] as const] : []
    })
    others.set(use, found)
  }
  return found
}

/**
 * What is known of a key attribute: its template, and how many parts of it are fixed; all unless it
 * is said.
 */
type Reach = Pick<PartMatch, 'template' | 'fixed'>

// Whether two templates can meet is a search over both. Every query asks, and the answer never
// changes.
const meetings = new WeakMap<KeyTemplate, WeakMap<KeyTemplate, boolean[]>>()

/**
 * Whether a template can make a text that begins as another one does, as far as that is fixed; yes,
 * if it can't be known.
 */
export function canMeet(own: Reach | undefined, { template: theirs }: KeyPart): boolean {
  const { template, fixed = template?.parts.length ?? 0 } = own ?? {}
  if (template === undefined || theirs === undefined) return true
  let known = meetings.get(template)
  if (known === undefined) {
    known = new WeakMap()
    meetings.set(template, known)
  }
  let meets = known.get(theirs)
  if (meets === undefined) {
    meets = []
    known.set(theirs, meets)
  }
  if (meets[fixed] === undefined) {
    const isWhole = fixed === template.parts.length
    const parts = isWhole ? template.parts : [...template.parts.slice(0, fixed), ANYTHING]
    const key = { ...template, parts }
    meets[fixed] = keysCanMeet(isWhole ? openKey(key) : key, openKey(theirs))
  }
  return meets[fixed]
}

/** Of a short key only its beginning is certain. */
function openKey(template: KeyTemplate): KeyTemplate {
  return template.isShort ? { ...template, parts: [template.prefix, ANYTHING] } : template
}

/** Stands for the rest of a key. Only its shape is looked at. */
const ANYTHING = {
  path: true,
  shape: [[{ letters: () => true, many: true }]],
} as unknown as Component

/** Whether a model can make the text; yes, if it can't be known. */
function hasText({ template }: KeyPart, own: PartMatch | undefined): boolean {
  return !template || template.isShort || !own || template.match(own.text) !== undefined
}

/** Whether a sort key that a model makes can be in the range; yes, if it can't be known. */
function isInRange({ template }: KeyPart, range: TextRange, asksInputs: boolean): boolean {
  if (template === undefined) return true
  const { prefix } = template
  // Of names of inputs only the text before them is known.
  const [low, high] = [range.low, range.high].map((text) =>
    asksInputs ? text?.replace(/\$\{.*/s, '') : text,
  )
  if (low !== undefined && range.low === range.high && !asksInputs && !template.isShort) {
    return template.match(low) !== undefined
  }
  return (
    (high === undefined || compareUtf8(prefix, asksInputs ? high + LAST : high) <= 0) &&
    (low === undefined || compareUtf8(prefix + LAST, low) >= 0)
  )
}
