import { base64Text } from '../values/base64.ts'

/** DynamoDB allows 32 levels in an item and requests add a few; what is deeper is left to be
 * refused. */
const DEPTH_MAX = 64

/**
 * A value with Base64 text for bytes and seconds since 1970 for dates, as on the wire. Only objects
 * and lists that have a changed member are copied, so for values that are in this form already it
 * costs no more than a look.
 */
export function toWireForm(node: unknown, depth = 0): unknown {
  if (typeof node !== 'object' || node === null || depth > DEPTH_MAX) return node
  if (node instanceof Uint8Array) return base64Text(node)
  if (node instanceof Date) return node.getTime() / 1000
  // Names are those of the node's own members, so that none of them can reach a prototype.
  const members = node as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const name in members) {
    const member = members[name]
    const changed = toWireForm(member, depth + 1)
    if (changed !== member) {
      // An index of a list is a name as well.
      copy ??= (Array.isArray(node) ? node.slice() : { ...members }) as Record<string, unknown>
      // The copy has an own member of each name, which an assignment then changes, also that of the
      // name `__proto__`.
      copy[name] = changed
    }
  }
  return copy ?? node
}
