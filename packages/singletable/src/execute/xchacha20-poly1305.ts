/**
 * XChaCha20-Poly1305 (RFC 8439, and draft-irtf-cfrg-xchacha-03 for the longer nonce): encrypts
 * bytes, and makes a tag of the result and of associated bytes. No branch and no place in memory
 * depends on a secret. It is written here because a call of a platform's own cryptography takes
 * longer than all the work on a few hundred bytes, and because few platforms have one that answers
 * at once.
 */

export const KEY_BYTES = 32
export const NONCE_BYTES = 24
export const TAG_BYTES = 16

/** Of the key stream, and of what the tag is made of. */
const BLOCK_BYTES = 64
const PART_BYTES = 16

/** "expand 32-byte k" */
const CONSTANT: readonly number[] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]

/** Where things are in one piece of memory. */
export interface Layout {
  readonly view: DataView
  /** Associated bytes are at the beginning. */
  readonly associatedBytes: number
  /**
   * The next multiple of 16, where the bytes begin that are encrypted; 32 bytes behind them are
   * overwritten.
   */
  readonly start: number
  readonly bytes: number
}

/** The next multiple of the length of a part. */
export function partsOf(bytes: number): number {
  return Math.ceil(bytes / PART_BYTES) * PART_BYTES
}

/** Encrypts the bytes where they are, and writes the tag. */
export function sealBytes(layout: Layout, key: DataView, nonce: DataView, tag: DataView): void {
  const state = stateOf(key, nonce)
  const stream = nextBlock(state)
  const macKey = stream.slice(0, 8)
  crypt(layout, state, stream)
  authenticate(layout, macKey, tag)
}

/** Decrypts the bytes where they are, and writes the tag that they should have had. */
export function openBytes(layout: Layout, key: DataView, nonce: DataView, tag: DataView): void {
  const state = stateOf(key, nonce)
  const stream = nextBlock(state)
  authenticate(layout, stream, tag)
  crypt(layout, state, stream)
}

const STATE = new Int32Array(16)
const STREAM = new Int32Array(16)

/** The state before the first block: HChaCha20 makes a key of the key and most of the nonce. */
function stateOf(key: DataView, nonce: DataView): Int32Array {
  const state = STATE
  state.set(CONSTANT)
  for (let at = 0; at < 8; at++) state[4 + at] = key.getInt32(4 * at, true)
  for (let at = 0; at < 4; at++) state[12 + at] = nonce.getInt32(4 * at, true)
  twentyRounds(state, STREAM)
  for (let at = 0; at < 4; at++) {
    state[4 + at] = STREAM[at]!
    state[8 + at] = STREAM[12 + at]!
  }
  state[12] = 0
  state[13] = 0
  state[14] = nonce.getInt32(16, true)
  state[15] = nonce.getInt32(20, true)
  return state
}

/** The words of the next block of the key stream. */
function nextBlock(state: Int32Array): Int32Array {
  twentyRounds(state, STREAM)
  for (let at = 0; at < 16; at++) STREAM[at]! += state[at]!
  state[12]!++
  return STREAM
}

function crypt({ view, start, bytes }: Layout, state: Int32Array, stream: Int32Array): void {
  for (let from = 0; from < bytes; from += BLOCK_BYTES) {
    nextBlock(state)
    const end = Math.min(BLOCK_BYTES, bytes - from)
    // Up to three bytes behind the end are changed too; they are overwritten by zeros.
    for (let at = 0; at < end; at += 4) {
      const place = start + from + at
      view.setInt32(place, view.getInt32(place, true) ^ stream[at >> 2]!, true)
    }
  }
}

/**
 * Written out, with a variable for each word: in a loop over an array it takes seven times as long.
 */
function twentyRounds(from: Int32Array, to: Int32Array): void {
  let a0 = from[0]!
  let a1 = from[1]!
  let a2 = from[2]!
  let a3 = from[3]!
  let b0 = from[4]!
  let b1 = from[5]!
  let b2 = from[6]!
  let b3 = from[7]!
  let c0 = from[8]!
  let c1 = from[9]!
  let c2 = from[10]!
  let c3 = from[11]!
  let d0 = from[12]!
  let d1 = from[13]!
  let d2 = from[14]!
  let d3 = from[15]!
  for (let round = 0; round < 20; round += 2) {
    a0 = (a0 + b0) | 0
    d0 ^= a0
    d0 = (d0 << 16) | (d0 >>> 16)
    c0 = (c0 + d0) | 0
    b0 ^= c0
    b0 = (b0 << 12) | (b0 >>> 20)
    a0 = (a0 + b0) | 0
    d0 ^= a0
    d0 = (d0 << 8) | (d0 >>> 24)
    c0 = (c0 + d0) | 0
    b0 ^= c0
    b0 = (b0 << 7) | (b0 >>> 25)
    a1 = (a1 + b1) | 0
    d1 ^= a1
    d1 = (d1 << 16) | (d1 >>> 16)
    c1 = (c1 + d1) | 0
    b1 ^= c1
    b1 = (b1 << 12) | (b1 >>> 20)
    a1 = (a1 + b1) | 0
    d1 ^= a1
    d1 = (d1 << 8) | (d1 >>> 24)
    c1 = (c1 + d1) | 0
    b1 ^= c1
    b1 = (b1 << 7) | (b1 >>> 25)
    a2 = (a2 + b2) | 0
    d2 ^= a2
    d2 = (d2 << 16) | (d2 >>> 16)
    c2 = (c2 + d2) | 0
    b2 ^= c2
    b2 = (b2 << 12) | (b2 >>> 20)
    a2 = (a2 + b2) | 0
    d2 ^= a2
    d2 = (d2 << 8) | (d2 >>> 24)
    c2 = (c2 + d2) | 0
    b2 ^= c2
    b2 = (b2 << 7) | (b2 >>> 25)
    a3 = (a3 + b3) | 0
    d3 ^= a3
    d3 = (d3 << 16) | (d3 >>> 16)
    c3 = (c3 + d3) | 0
    b3 ^= c3
    b3 = (b3 << 12) | (b3 >>> 20)
    a3 = (a3 + b3) | 0
    d3 ^= a3
    d3 = (d3 << 8) | (d3 >>> 24)
    c3 = (c3 + d3) | 0
    b3 ^= c3
    b3 = (b3 << 7) | (b3 >>> 25)
    a0 = (a0 + b1) | 0
    d3 ^= a0
    d3 = (d3 << 16) | (d3 >>> 16)
    c2 = (c2 + d3) | 0
    b1 ^= c2
    b1 = (b1 << 12) | (b1 >>> 20)
    a0 = (a0 + b1) | 0
    d3 ^= a0
    d3 = (d3 << 8) | (d3 >>> 24)
    c2 = (c2 + d3) | 0
    b1 ^= c2
    b1 = (b1 << 7) | (b1 >>> 25)
    a1 = (a1 + b2) | 0
    d0 ^= a1
    d0 = (d0 << 16) | (d0 >>> 16)
    c3 = (c3 + d0) | 0
    b2 ^= c3
    b2 = (b2 << 12) | (b2 >>> 20)
    a1 = (a1 + b2) | 0
    d0 ^= a1
    d0 = (d0 << 8) | (d0 >>> 24)
    c3 = (c3 + d0) | 0
    b2 ^= c3
    b2 = (b2 << 7) | (b2 >>> 25)
    a2 = (a2 + b3) | 0
    d1 ^= a2
    d1 = (d1 << 16) | (d1 >>> 16)
    c0 = (c0 + d1) | 0
    b3 ^= c0
    b3 = (b3 << 12) | (b3 >>> 20)
    a2 = (a2 + b3) | 0
    d1 ^= a2
    d1 = (d1 << 8) | (d1 >>> 24)
    c0 = (c0 + d1) | 0
    b3 ^= c0
    b3 = (b3 << 7) | (b3 >>> 25)
    a3 = (a3 + b0) | 0
    d2 ^= a3
    d2 = (d2 << 16) | (d2 >>> 16)
    c1 = (c1 + d2) | 0
    b0 ^= c1
    b0 = (b0 << 12) | (b0 >>> 20)
    a3 = (a3 + b0) | 0
    d2 ^= a3
    d2 = (d2 << 8) | (d2 >>> 24)
    c1 = (c1 + d2) | 0
    b0 ^= c1
    b0 = (b0 << 7) | (b0 >>> 25)
  }
  to[0] = a0
  to[1] = a1
  to[2] = a2
  to[3] = a3
  to[4] = b0
  to[5] = b1
  to[6] = b2
  to[7] = b3
  to[8] = c0
  to[9] = c1
  to[10] = c2
  to[11] = c3
  to[12] = d0
  to[13] = d1
  to[14] = d2
  to[15] = d3
}

/** The tag of everything: Poly1305 of both pieces, each filled up with zeros, and their lengths. */
function authenticate(layout: Layout, macKey: Int32Array, tag: DataView): void {
  const { view, associatedBytes, start, bytes } = layout
  const end = start + partsOf(bytes)
  for (let at = associatedBytes; at < start; at++) view.setUint8(at, 0)
  for (let at = start + bytes; at < end; at++) view.setUint8(at, 0)
  view.setUint32(end, associatedBytes, true)
  view.setUint32(end + 4, 0)
  view.setUint32(end + 8, bytes, true)
  view.setUint32(end + 12, 0)
  poly1305(view, end + PART_BYTES, macKey, tag)
}

const LIMB = 2 ** 22
const LIMB_BITS = 0x3fffff
const WORD = 2 ** 32

/**
 * Poly1305 of whole parts. Numbers modulo 2¹³⁰ − 5 are six limbs of 22 bits, so that sums of
 * products stay below 2⁵³ and are exact. What goes beyond the sixth limb, 2¹³² and more, comes back
 * in the first times 20.
 */
function poly1305(view: DataView, length: number, key: Int32Array, tag: DataView): void {
  const k0 = key[0]! & 0x0fffffff
  const k1 = key[1]! & 0x0ffffffc
  const k2 = key[2]! & 0x0ffffffc
  const k3 = key[3]! & 0x0ffffffc
  const r0 = k0 & LIMB_BITS
  const r1 = ((k0 >>> 22) | (k1 << 10)) & LIMB_BITS
  const r2 = ((k1 >>> 12) | (k2 << 20)) & LIMB_BITS
  const r3 = (k2 >>> 2) & LIMB_BITS
  const r4 = ((k2 >>> 24) | (k3 << 8)) & LIMB_BITS
  const r5 = k3 >>> 14
  const s1 = 20 * r1
  const s2 = 20 * r2
  const s3 = 20 * r3
  const s4 = 20 * r4
  const s5 = 20 * r5
  let h0 = 0
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  let h5 = 0
  for (let at = 0; at < length; at += PART_BYTES) {
    const m0 = view.getInt32(at, true)
    const m1 = view.getInt32(at + 4, true)
    const m2 = view.getInt32(at + 8, true)
    const m3 = view.getInt32(at + 12, true)
    h0 += m0 & LIMB_BITS
    h1 += ((m0 >>> 22) | (m1 << 10)) & LIMB_BITS
    h2 += ((m1 >>> 12) | (m2 << 20)) & LIMB_BITS
    h3 += (m2 >>> 2) & LIMB_BITS
    h4 += ((m2 >>> 24) | (m3 << 8)) & LIMB_BITS
    h5 += (m3 >>> 14) | 0x40000
    const p0 = h0 * r0 + h1 * s5 + h2 * s4 + h3 * s3 + h4 * s2 + h5 * s1
    const p1 = h0 * r1 + h1 * r0 + h2 * s5 + h3 * s4 + h4 * s3 + h5 * s2
    const p2 = h0 * r2 + h1 * r1 + h2 * r0 + h3 * s5 + h4 * s4 + h5 * s3
    const p3 = h0 * r3 + h1 * r2 + h2 * r1 + h3 * r0 + h4 * s5 + h5 * s4
    const p4 = h0 * r4 + h1 * r3 + h2 * r2 + h3 * r1 + h4 * r0 + h5 * s5
    const p5 = h0 * r5 + h1 * r4 + h2 * r3 + h3 * r2 + h4 * r1 + h5 * r0
    const carry0 = Math.floor(p0 / LIMB)
    const sum1 = p1 + carry0
    const carry1 = Math.floor(sum1 / LIMB)
    const sum2 = p2 + carry1
    const carry2 = Math.floor(sum2 / LIMB)
    const sum3 = p3 + carry2
    const carry3 = Math.floor(sum3 / LIMB)
    const sum4 = p4 + carry3
    const carry4 = Math.floor(sum4 / LIMB)
    const sum5 = p5 + carry4
    const carry5 = Math.floor(sum5 / LIMB)
    const first = p0 - carry0 * LIMB + 20 * carry5
    const carry = Math.floor(first / LIMB)
    h0 = first - carry * LIMB
    h1 = sum1 - carry1 * LIMB + carry
    h2 = sum2 - carry2 * LIMB
    h3 = sum3 - carry3 * LIMB
    h4 = sum4 - carry4 * LIMB
    h5 = sum5 - carry5 * LIMB
  }
  // All limbs within 22 bits, and the whole below 2¹³⁰: once for what is beyond, and once for what
  // that carries.
  for (let turn = 0; turn < 2; turn++) {
    h0 += 5 * (h5 >>> 20)
    h5 &= 0xfffff
    h1 += h0 >>> 22
    h0 &= LIMB_BITS
    h2 += h1 >>> 22
    h1 &= LIMB_BITS
    h3 += h2 >>> 22
    h2 &= LIMB_BITS
    h4 += h3 >>> 22
    h3 &= LIMB_BITS
    h5 += h4 >>> 22
    h4 &= LIMB_BITS
  }
  // It may still be 2¹³⁰ − 5 or more: then adding 5 carries beyond, and what is left is the result.
  let over = (h0 + 5) >>> 22
  over = (h1 + over) >>> 22
  over = (h2 + over) >>> 22
  over = (h3 + over) >>> 22
  over = (h4 + over) >>> 22
  over = (h5 + over) >>> 20
  h0 += 5 * over
  h1 += h0 >>> 22
  h2 += h1 >>> 22
  h3 += h2 >>> 22
  h4 += h3 >>> 22
  h5 += h4 >>> 22
  h0 &= LIMB_BITS
  h1 &= LIMB_BITS
  h2 &= LIMB_BITS
  h3 &= LIMB_BITS
  h4 &= LIMB_BITS
  const sum0 = ((h0 | (h1 << 22)) >>> 0) + (key[4]! >>> 0)
  const sum1 = (((h1 >>> 10) | (h2 << 12)) >>> 0) + (key[5]! >>> 0) + Math.floor(sum0 / WORD)
  const sum2 =
    (((h2 >>> 20) | (h3 << 2) | (h4 << 24)) >>> 0) + (key[6]! >>> 0) + Math.floor(sum1 / WORD)
  const sum3 = (((h4 >>> 8) | (h5 << 14)) >>> 0) + (key[7]! >>> 0) + Math.floor(sum2 / WORD)
  tag.setUint32(0, sum0, true)
  tag.setUint32(4, sum1, true)
  tag.setUint32(8, sum2, true)
  tag.setUint32(12, sum3, true)
}
