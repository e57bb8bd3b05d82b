import { SingletableError } from '../errors/singletable-error.ts'

/** How the client turns binary values into Base64 text and back. */
export interface BinaryCodec {
  readonly base64Encoder: (bytes: Uint8Array) => string
  readonly base64Decoder: (text: string) => Uint8Array
}

/** What stands in for a member of an object or list; the member itself if it needs no change. */
type Exchange = (member: unknown, name: string) => unknown

/** DynamoDB allows 32 levels in an item and requests add a few; what is deeper is left to be refused. */
const DEPTH_MAX = 64

/** A request with bytes where the wire has Base64 text, as the SDK wants it. Nothing is copied if it has no binary value. */
export function toSdkForm(request: unknown, codec: BinaryCodec): unknown {
  const bytes = (text: unknown): unknown =>
    typeof text === 'string' ? codec.base64Decoder(text) : text
  return exchange(request, 0, (member, name) => {
    if (name === 'B') return bytes(member)
    return name === 'BS' && Array.isArray(member) && member.length > 0 ? member.map(bytes) : member
  })
}

/** A response or a member of an error as it was on the wire: Base64 text for bytes, seconds since 1970 for dates. */
export function toWireForm(response: unknown, codec: BinaryCodec): unknown {
  return exchange(response, 0, (member, name) => {
    if (typeof member !== 'object') {
      if (member === undefined && name === '__proto__') throw lostAttribute()
      return member
    }
    if (member instanceof Uint8Array) return codec.base64Encoder(member)
    return member instanceof Date ? member.getTime() / 1000 : member
  })
}

/** Exchanges members on all levels, and copies only objects and lists that have a changed one. */
function exchange(node: unknown, depth: number, change: Exchange): unknown {
  if (typeof node !== 'object' || node === null || depth > DEPTH_MAX) return node
  // Bytes and dates have no members of their own; requests have them where they were just put in.
  if (node instanceof Uint8Array) return node
  if (Array.isArray(node)) {
    let copy: unknown[] | undefined
    for (let index = 0; index < node.length; index++) {
      const member: unknown = node[index]
      const changed = exchange(change(member, ''), depth + 1, change)
      if (changed !== member) {
        copy ??= node.slice()
        copy[index] = changed
      }
    }
    return copy ?? node
  }
  // Names are those of the node's own members, so that none of them can reach a prototype.
  const members = node as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const name in members) {
    const member = members[name]
    const changed = exchange(change(member, name), depth + 1, change)
    if (changed !== member) {
      copy ??= { ...members }
      // The copy has an own member of each name, which an assignment then changes, also that of the name `__proto__`.
      copy[name] = changed
    }
  }
  return copy ?? node
}

/** The SDK reads an attribute of this name as undefined; an item without it would be taken for the whole. */
function lostAttribute(): SingletableError {
  return new SingletableError('DECODE_FAILED', {
    what: 'An item has an attribute named "__proto__", whose value the AWS SDK drops from responses.',
    where: 'option "client"',
    fix: 'select attributes without it, or read the item through another transport',
  })
}
