import { keysCanMeet } from '../template/meeting.ts'
import type { KeyPart } from './model.ts'

/**
 * Whether two models can fill a key attribute with the same value. It can say yes where they can't,
 * but never no where they can.
 */
export function partsCanMeet(one: KeyPart, other: KeyPart): boolean {
  if (one.template && other.template) return keysCanMeet(one.template, other.template)
  const [own, theirs] = [one, other].map(({ attribute }) => attribute?.definition.enum)
  if (own === undefined) return theirs === undefined || theirs.some((value) => canBe(one, value))
  return own.some((value) => (theirs ? theirs.includes(value) : canBe(other, value)))
}

/** Whether a part without an enum can have a value of another's. */
function canBe({ template }: KeyPart, value: unknown): boolean {
  return !template || template.match(String(value)) !== undefined
}

/** Key attributes for messages: templates, or the names of attributes. */
export function printParts(parts: readonly KeyPart[]): string {
  return parts.map(({ name, template }) => `"${template?.source ?? name}"`).join(' and ')
}
