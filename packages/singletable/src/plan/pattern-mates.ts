import type { KeyPart, Model, ModelIndex, Pattern } from '../schema/model.ts'
import type { Component } from '../template/component.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { keysCanMeet } from '../template/meeting.ts'
import { compareUtf8 } from '../values/utf8.ts'
import { type FixedNames, headOf } from './pattern-keys.ts'

/** Other models whose items can be in the partition that a pattern is about. */
export function partitionMates({ models, use }: Pattern): readonly string[] {
  return matesOf(models, use!).map(([name]) => name)
}

/** Those of them that a query can come upon, with the sort keys it reads. */
export function leakingModels({ models, use, definition }: Pattern): readonly string[] {
  const { by } = definition as { readonly by: readonly string[] }
  return matesOf(models, use!)
    .filter(([, theirs]) => theirs.sort.every((part, at) => canBeRead(models, use!, part, at, by)))
    .map(([name]) => name)
}

function matesOf(models: readonly Model[], { index, hash }: ModelIndex): [string, ModelIndex][] {
  return [...models[0]!.schema.models.values()].flatMap((other): [string, ModelIndex][] => {
    const theirs = other.indexes.find((each) => each.index === index)
    if (theirs === undefined || models.includes(other)) return []
    return theirs.hash.every((part, at) => canMeet(hash[at]!, part)) ? [[other.name, theirs]] : []
  })
}

/** Whether a sort key that another model makes can be in the range; yes, if it can't be told. */
function canBeRead(
  models: readonly Model[],
  { index, sort }: ModelIndex,
  theirs: KeyPart,
  at: number,
  by: FixedNames,
): boolean {
  if (models.length === 1) return canMeet(sort[at]!, theirs, by)
  // The range goes from the first of their heads to the end of the last one.
  const heads = models.flatMap((model) => {
    const template = model.indexes.find((each) => each.index === index)?.sort[at]?.template
    return template ? [template.prefix] : []
  })
  const [first = '', ...rest] = heads.sort(compareUtf8)
  const { prefix = '' } = theirs.template ?? {}
  const isBefore = compareUtf8(prefix, first) < 0 && !first.startsWith(prefix)
  const last = rest.at(-1) ?? first
  return !isBefore && (compareUtf8(prefix, last) <= 0 || prefix.startsWith(last))
}

/** Whether two models can make the same text; with `fixed`, one that begins as far as those names go. */
function canMeet(
  { template }: KeyPart,
  { template: theirs }: KeyPart,
  fixed?: FixedNames,
): boolean {
  if (template === undefined || theirs === undefined) return true
  const { open } = headOf(template, fixed)
  const reach: KeyTemplate = open
    ? { ...template, parts: [...template.parts.slice(0, open.at), ANYTHING] }
    : template
  return keysCanMeet(reach, theirs)
}

/** Stands for the rest of a key. Only its shape is looked at. */
const ANYTHING = {
  path: true,
  shape: [[{ letters: () => true, many: true }]],
} as unknown as Component
