import { type Codec, type CodecPlace, unexpected } from './codec.ts'

/** Text and numbers as they are, also with separators, control characters, or nothing: what
 * programs write that join their keys by hand. */
export function rawCodec({ kind, next, descending, invalid }: CodecPlace, lower: boolean): Codec {
  const { type, values } = kind
  if (descending) invalid("is unencoded in keys, where numbers can't be reversed", 'leave desc out')
  const isText = type === 'text'
  const textOf = (value: unknown): string | undefined => {
    if (isText) return typeof value === 'string' && value.isWellFormed() ? value : undefined
    const isKind = typeof value === (type === 'decimal' ? 'string' : type)
    return isKind && String(value) !== 'NaN' ? String(value) : undefined
  }
  return {
    width: undefined,
    ordered: isText && !lower && next === '',
    shape: [[{ letters: () => true, many: true }]],
    print(value) {
      const text = textOf(value)
      if (text === undefined || (isText && values?.includes(text) === false)) return undefined
      return lower ? text.toLowerCase() : text
    },
    read: (text) => (type === 'number' ? Number(text) : type === 'bigint' ? bigintOf(text) : text),
    problem: unexpected(isText ? 'a well-formed string that its enum has' : `a ${type}`),
  }
}

/** Other strings than whole numbers give anything: printing that gives another text. */
function bigintOf(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n
}
