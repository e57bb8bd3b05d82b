import { showValue } from '../errors/show-value.ts'
import { type Codec, type CodecPlace, type ComponentKind, unexpected } from './codec.ts'
import { dateCodec } from './date-codec.ts'
import { KeyComponentError } from './key-component-error.ts'
import { numberCodec } from './number-codec.ts'
import { rawCodec } from './raw-codec.ts'
import { type Placeholder, readPlaceholder } from './read-template.ts'
import { literalRuns } from './shape.ts'
import { textCodec } from './text-codec.ts'
import { bucketCodec, isBucketUnit, type TimeForm } from './time-bucket.ts'

export type { ComponentKind } from './codec.ts'

/** The digits of the longest number DynamoDB keeps. */
const PAD_WIDTH_MAX = 38

/** A placeholder that knows the kind of its values. */
export interface Component extends Codec, Placeholder {
  /** Greatest value first. */
  readonly descending: boolean
  /** Different values can give the same text; `read` gives one of them. */
  readonly lossy: boolean
  /** Strings that differ only in case share a key. */
  readonly folds?: boolean | undefined
  /** The bucket of time that stands for the value, or its time of day. */
  readonly unit?: TimeForm | undefined
  /** The earliest time there is, in milliseconds since 1970; of buckets. */
  readonly startMs?: number | undefined
  /** Its text can contain separators or be empty, so that keys don't always show where it ends. */
  readonly raw?: boolean | undefined
  /** An array of segments, to the end of the key. */
  readonly path: boolean
  /** Throws a KeyComponentError for a value that can't be part of the key. */
  encode(value: unknown): string
}

export interface ComponentPlace {
  kindOf(name: string): ComponentKind
  readonly separator: string
  readonly next: string
  readonly source: string
  readonly where: string
  /** Throws what is wrong with the template. */
  refuse(what: string, fix: string, rule?: string): never
}

/**
 * Makes a component of what is between the braces of a placeholder: a name, and modifiers after
 * colons. `pad(8)` fills a whole number up with zeros, `lower` makes strings that differ only in
 * case share a key, `desc` turns the order around, `day` and its like stand for a bucket of time,
 * and `time` for the time of day.
 */
export function createComponent(body: string, place: ComponentPlace): Component {
  const { separator, next, refuse } = place
  const { name, modifiers: strings } = readPlaceholder(body)
  if (name === '') refuse('a placeholder has no name', 'name an attribute, as in ${username}')
  const invalid = (what: string, fix: string, rule?: string): never =>
    refuse(`"${name}" ${what}`, fix, rule)

  const modifiers = new Map<string, number>()
  let unit: TimeForm | undefined
  for (const text of strings) {
    const [, flag, pad, digits] = /^(?:(lower|desc)|(pad)\((\d+)\))$/.exec(text) ?? []
    const bucket = isBucketUnit(text) || text === 'time' ? text : undefined
    const word = flag ?? pad ?? bucket
    if (word === undefined || modifiers.has(word)) {
      return invalid(
        `has the modifier "${text}", which does not exist or is repeated`,
        'use each of pad(8), lower and desc once at most, or one of year, month, day, hour, minute and time',
      )
    }
    unit ??= bucket
    modifiers.set(word, Number(digits))
  }
  if (unit && modifiers.size > 1) {
    invalid(`has ${unit} and more modifiers`, `write \${${name}:${unit}} alone`)
  }
  const kind = place.kindOf(name)
  const { type } = kind
  const folds = modifiers.has('lower')
  const descending = modifiers.has('desc')
  const width = modifiers.get('pad') ?? kind.pad
  const isNumber = type === 'number' || type === 'bigint' || type === 'decimal'
  const isWidth = Number.isInteger(width) && width! > 0 && width! <= PAD_WIDTH_MAX
  const unsuited =
    folds && type !== 'text'
      ? 'lower'
      : descending && !isNumber && type !== 'date'
        ? 'desc'
        : width !== undefined && !(isNumber && isWidth) && 'pad'
  if (unsuited) {
    invalid(
      `can't have ${unsuited}`,
      `use lower for strings, desc for numbers and dates, pad(1…${PAD_WIDTH_MAX}) for numbers`,
    )
  }
  if (isNumber && width === undefined && !kind.encode && !unit) {
    invalid(
      'is a number that would not sort as numbers do',
      `write \${${name}:pad(8)} for numbers from 0 to 99999999, or declare it with encode: true for any`,
      'K10',
    )
  }
  const isRaw =
    kind.encode === 'raw' && (isNumber || type === 'text') && width === undefined && !unit
  if (type === 'path' && kind.encode === 'raw') {
    invalid('is a path, whose segments are divided by separators', 'use encode: true')
  }
  const at: CodecPlace = { kind, separator, next, descending, invalid }
  const codec = unit
    ? bucketCodec(at, unit)
    : isRaw
      ? rawCodec(at, folds)
      : type === 'text'
        ? textCodec(at, folds)
        : type === 'path'
          ? pathCodec(at)
          : type === 'boolean'
            ? BOOLEAN
            : type === 'date'
              ? dateCodec(at)
              : numberCodec(at, width)
  return {
    ...codec,
    name,
    modifiers: strings,
    descending,
    lossy: folds || unit !== undefined,
    folds,
    unit,
    startMs: kind.startMs,
    raw: isRaw,
    path: type === 'path',
    encode: (value) =>
      codec.print(value) ??
      refuseValue(name, codec.problem(value), place, kind.secret ? undefined : showValue(value)),
  }
}

function refuseValue(
  name: string,
  [problem, fix]: readonly [string, string],
  { source, where }: ComponentPlace,
  given: string | undefined,
): never {
  throw new KeyComponentError(
    'KEY_COMPONENT_INVALID',
    {
      what: `The value of "${name}" can't be part of a key: ${given ?? 'it'} ${problem}.`,
      where: `${where}, template "${source}"`,
      fix,
    },
    [{ path: [name], message: `${problem}; ${fix}`, given }],
  )
}

const BOOLEAN: Codec = {
  width: undefined,
  ordered: true,
  shape: [literalRuns('false'), literalRuns('true')],
  print: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  read: (text) => text === 'true',
  problem: unexpected('a boolean'),
}

function pathCodec(place: CodecPlace): Codec {
  const { separator } = place
  // Each segment but the last is followed by one.
  const segment = textCodec({ ...place, next: separator })
  const isPath = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0
  return {
    ...segment,
    print(value) {
      if (!isPath(value)) return undefined
      const strings = Array.from(value, segment.print)
      return strings.includes(undefined) ? undefined : strings.join(separator)
    },
    read: (text) => text.split(separator).map(segment.read),
    problem(value) {
      if (!isPath(value)) return unexpected('an array of one or more strings')(value)
      const wrong = Array.from(value).find((part) => segment.print(part) === undefined)
      const [problem, fix] = segment.problem(wrong)
      return [`has a segment that ${problem}`, fix]
    },
  }
}
