import type { Codec, CodecPlace, ComponentKind } from './codec.ts'
import { dateCodec } from './date-codec.ts'
import { KeyComponentError } from './key-component-error.ts'
import { isNumberType, paddedCodec, signedCodec } from './number-codec.ts'
import { isPadWidth, PAD_WIDTH_MAX } from './parse-template.ts'
import { refuseTemplate } from './refuse-template.ts'
import { literalRuns } from './shape.ts'
import type { Placeholder } from './template.ts'
import { kindOfValue, textCodec } from './text-codec.ts'

export type { ComponentKind } from './codec.ts'

/** A placeholder that knows the kind of its values. */
export interface Component extends Codec {
  readonly name: string
  /** Greatest value first. */
  readonly descending: boolean
  /** Different values can give the same text; `decode` gives one of them. */
  readonly lossy: boolean
  /** An array of segments, to the end of the key. */
  readonly path: boolean
  /** Throws a KeyComponentError for a value that can't be part of the key. */
  encode(value: unknown): string
}

export interface ComponentPlace {
  readonly kind: ComponentKind
  readonly separator: string
  readonly next: string
  readonly source: string
  readonly where: string
}

export function createComponent({ name, modifiers }: Placeholder, at: ComponentPlace): Component {
  const place: CodecPlace = {
    name,
    kind: at.kind,
    separator: at.separator,
    next: at.next,
    refuse(problem, fix) {
      const { source, where } = at
      throw new KeyComponentError({ attribute: name, template: source, where, problem, fix })
    },
    invalid: (what, fix) => refuseTemplate(at, what, fix),
  }
  const { type, encode } = at.kind
  let width = at.kind.pad
  let descending = false
  let lossy = false
  for (const modifier of modifiers) {
    if (modifier.kind === 'pad') width = modifier.width
    else if (modifier.kind === 'desc') descending = true
    else lossy = true
  }
  const unsuited = (modifier: string, suited: string): never =>
    place.invalid(`${modifier} does not suit "${name}"`, `use it with ${suited}`)

  const isNumber = isNumberType(type)
  if (lossy && type !== 'text') unsuited('lower', 'a string')
  if (descending && !isNumber && type !== 'date') unsuited('desc', 'a number or a date')
  if (width !== undefined && !(isNumber && isPadWidth(width))) {
    unsuited('pad', `a number, from 1 to ${PAD_WIDTH_MAX}`)
  }
  const codec = (): Codec => {
    if (type === 'text') return textCodec(place, lossy)
    if (type === 'path') return pathCodec(place)
    if (type === 'boolean') return booleanCodec(place)
    if (type === 'date') return dateCodec(place, descending)
    const numberPlace = { ...place, type, descending }
    if (width !== undefined) return paddedCodec(numberPlace, width)
    if (encode) return signedCodec(numberPlace)
    return place.invalid(
      `the number "${name}" would not order as numbers do`,
      `write \${${name}:pad(8)} for whole numbers from 0 to 99999999, or declare the attribute with encode: true for any number`,
    )
  }
  return { ...codec(), name, descending, lossy, path: type === 'path' }
}

function booleanCodec(place: CodecPlace): Codec {
  return {
    width: undefined,
    ordered: true,
    shape: [literalRuns('false'), literalRuns('true')],
    encode(value) {
      if (typeof value === 'boolean') return String(value)
      return place.refuse(`is ${kindOfValue(value)}`, 'give true or false')
    },
    decode: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  }
}

function pathCodec(place: CodecPlace): Codec {
  const { separator } = place
  const segment = textCodec(
    {
      ...place,
      // Each segment but the last is followed by one.
      next: separator,
      refuse: (problem, fix) => place.refuse(`has a segment that ${problem}`, fix),
    },
    false,
  )
  return {
    ...segment,
    encode(value) {
      if (!Array.isArray(value) || value.length === 0) {
        place.refuse(
          Array.isArray(value) ? 'is empty' : `is ${kindOfValue(value)}`,
          'give an array of one or more strings',
        )
      }
      let text = segment.encode(value[0])
      for (let index = 1; index < value.length; index++) {
        text += separator + segment.encode(value[index])
      }
      return text
    },
    decode(text) {
      const values = text.split(separator).map(segment.decode)
      return values.includes(undefined) ? undefined : values
    },
  }
}
