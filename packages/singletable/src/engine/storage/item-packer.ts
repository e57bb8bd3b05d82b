import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'

/** The first character of each value: what it is. */
const S = 0
const N = 1
const B = 2
const TRUE = 3
const FALSE = 4
const NULL = 5
const SS = 6
const NS = 7
const BS = 8
const L = 9
const M = 10

/** A length below this one is one character; a longer one is this and three more. */
const LONG = 255
const CHARACTERS: readonly string[] = Array.from({ length: LONG + 1 }, (_, code) =>
  String.fromCharCode(code),
)

/** This many shapes have a number; items of others, and those with more attributes, have their
 * names next to the values, as maps inside an item do. */
const SHAPES_MAX = 2 ** 14
const SHAPE_NAMES_MAX = 64
/** Stands for the number of a shape where the names are with the values. */
const NO_SHAPE = 0
const NO_SHAPE_TEXT = '\0\0'
/** What the JSON of an item starts with. No number of a shape does: the first character of the
 * highest one is 63. */
const JSON_START = 0x7b

/** What can't be in JSON as it is. Surrogates may be lone ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * Turns items into strings and back. A stored item is one string in memory, of a fifth of the size
 * that its objects would have, which V8's collector passes by without looking into it; and every
 * reader gets objects of its own.
 *
 * A text is the number of the item's shape, two characters, and then its values, each with a
 * character that says what it is, and its length. The shape has the names, as items of a kind have
 * the same ones in the same order. What is written around the strings is in 0…255, because V8 needs
 * one byte for each character if all of them are.
 *
 * The JSON of an item is as good a text: it is longer, but an answer can have it as it is. Their
 * first characters distinguish the two.
 *
 * @example
 * const packer = new ItemPacker()
 * const text = packer.pack({ pk: { S: 'a' }, n: { N: '1' } })
 * packer.unpack(text) // => { pk: { S: 'a' }, n: { N: '1' } }
 */
export class ItemPacker {
  /** By number. The first stands for no shape. */
  readonly #shapes: Shape[] = [new Shape(NO_SHAPE, []), new Shape(1, [])]
  #text = ''
  #at = 0

  pack(item: Item): string {
    const text = this.#packWithShape(item) ?? NO_SHAPE_TEXT + packMap(item)
    // Up to here the text is a tree of parts; looking at a character makes it one piece of memory.
    text.charCodeAt(0)
    return text
  }

  /** The item in new objects, down to the last. */
  unpack(text: string): Item {
    if (isJson(text)) return JSON.parse(text)
    this.#text = text
    this.#at = 0
    const number = (this.#takeCode() << 8) | this.#takeCode()
    const item = number === NO_SHAPE ? this.#takeMap() : this.#takeWithShape(this.#shapes[number]!)
    this.#text = ''
    return item
  }

  /** The same as `JSON.stringify` of the item, without making objects. */
  json(text: string): string {
    if (isJson(text)) return text
    this.#text = text
    this.#at = 0
    const number = (this.#takeCode() << 8) | this.#takeCode()
    const json = number === NO_SHAPE ? this.#takeMapJson() : this.#takeJson(this.#shapes[number]!)
    this.#text = ''
    return json
  }

  #packWithShape(item: Item): string | undefined {
    let shape = this.#shapes[1]!
    let text = ''
    for (const name in item) {
      const longer = shape.longerBy(name) ?? this.#addShape(shape, name)
      if (longer === undefined) return undefined
      shape = longer
      text += packValue(item[name]!)
    }
    return shape.text + text
  }

  #addShape(shape: Shape, name: string): Shape | undefined {
    const number = this.#shapes.length
    if (number === SHAPES_MAX || shape.names.length === SHAPE_NAMES_MAX) return undefined
    const longer = new Shape(number, [...shape.names, name])
    this.#shapes.push(longer)
    shape.add(name, longer)
    return longer
  }

  #takeWithShape({ names, template }: Shape): Item {
    const item: Record<string, AttributeValue> = { ...template }
    for (let index = 0; index < names.length; index++) item[names[index]!] = this.#takeValue()
    return item
  }

  #takeJson(shape: Shape): string {
    const { openings, stringOpenings } = shape
    let json = ''
    for (let index = 0; index < openings.length; index++) {
      const code = this.#takeCode()
      json +=
        code === S
          ? `${stringOpenings[index]}${this.#takeEscaped()}"}`
          : openings[index] + this.#takeValueJson(code)
    }
    return json === '' ? '{}' : `${json}}`
  }

  #takeMapJson(): string {
    let json = ''
    for (let count = this.#takeLength(); count > 0; count--) {
      json += `${json === '' ? '{' : ','}"${this.#takeEscaped()}":${this.#takeValueJson(this.#takeCode())}`
    }
    return json === '' ? '{}' : `${json}}`
  }

  #takeValueJson(code: number): string {
    switch (code) {
      case S:
        return `{"S":"${this.#takeEscaped()}"}`
      case N:
        return `{"N":"${this.#takeText()}"}`
      case B:
        return `{"B":"${this.#takeText()}"}`
      case TRUE:
        return '{"BOOL":true}'
      case FALSE:
        return '{"BOOL":false}'
      case SS:
        return `{"SS":${this.#takeSetJson()}}`
      case NS:
        return `{"NS":${this.#takeSetJson()}}`
      case BS:
        return `{"BS":${this.#takeSetJson()}}`
      case L: {
        let json = ''
        for (let count = this.#takeLength(); count > 0; count--) {
          json += `${json === '' ? '' : ','}${this.#takeValueJson(this.#takeCode())}`
        }
        return `{"L":[${json}]}`
      }
      case M:
        return `{"M":${this.#takeMapJson()}}`
      default:
        return '{"NULL":true}'
    }
  }

  #takeSetJson(): string {
    let json = ''
    for (let count = this.#takeLength(); count > 0; count--) {
      json += `${json === '' ? '["' : ',"'}${this.#takeEscaped()}"`
    }
    return `${json}]`
  }

  #takeEscaped(): string {
    const text = this.#takeText()
    return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
  }

  #takeMap(): Item {
    const map: Record<string, AttributeValue> = {}
    for (let count = this.#takeLength(); count > 0; count--) {
      const name = this.#takeText()
      setOwn(map, name, this.#takeValue())
    }
    return map
  }

  #takeValue(): AttributeValue {
    switch (this.#takeCode()) {
      case S:
        return { S: this.#takeText() }
      case N:
        return { N: this.#takeText() }
      case B:
        return { B: this.#takeText() }
      case TRUE:
        return { BOOL: true }
      case FALSE:
        return { BOOL: false }
      case SS:
        return { SS: this.#takeSet() }
      case NS:
        return { NS: this.#takeSet() }
      case BS:
        return { BS: this.#takeSet() }
      case L:
        return { L: this.#takeList() }
      case M:
        return { M: this.#takeMap() }
      default:
        return { NULL: true }
    }
  }

  #takeList(): AttributeValue[] {
    const elements = new Array<AttributeValue>(this.#takeLength())
    for (let index = 0; index < elements.length; index++) elements[index] = this.#takeValue()
    return elements
  }

  #takeSet(): string[] {
    const elements = new Array<string>(this.#takeLength())
    for (let index = 0; index < elements.length; index++) elements[index] = this.#takeText()
    return elements
  }

  #takeText(): string {
    const length = this.#takeLength()
    const start = this.#at
    this.#at = start + length
    return this.#text.slice(start, start + length)
  }

  #takeLength(): number {
    const short = this.#takeCode()
    if (short !== LONG) return short
    return (this.#takeCode() << 16) | (this.#takeCode() << 8) | this.#takeCode()
  }

  #takeCode(): number {
    return this.#text.charCodeAt(this.#at++)
  }
}

function isJson(text: string): boolean {
  return text.charCodeAt(0) === JSON_START
}

/** Names in the order in which items have them. Shapes are a tree: each is another one with one
 * more name. */
class Shape {
  readonly text: string
  readonly names: readonly string[]
  #template: Item | undefined
  #openings: readonly string[] | undefined
  #stringOpenings: readonly string[] | undefined
  // Most shapes continue with one name only, and need no map.
  #first: Shape | undefined
  #firstName = ''
  #others: Map<string, Shape> | undefined

  constructor(number: number, names: readonly string[]) {
    this.text = CHARACTERS[number >>> 8]! + CHARACTERS[number & 255]
    this.names = names
  }

  /** An item of this shape to copy: one that grows name by name would be put together from several
   * pieces of memory. */
  get template(): Item {
    this.#template ??= templateOf(this.names)
    return this.#template
  }

  /** What JSON has before each value. */
  get openings(): readonly string[] {
    this.#openings ??= this.names.map(
      (name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    )
    return this.#openings
  }

  /** What JSON has before the characters of each value that is a string. */
  get stringOpenings(): readonly string[] {
    this.#stringOpenings ??= this.openings.map((opening) => `${opening}{"S":"`)
    return this.#stringOpenings
  }

  longerBy(name: string): Shape | undefined {
    return this.#firstName === name ? this.#first : this.#others?.get(name)
  }

  add(name: string, shape: Shape): void {
    if (this.#first === undefined) {
      this.#first = shape
      this.#firstName = name
    } else {
      this.#others ??= new Map()
      this.#others.set(name, shape)
    }
  }
}

function templateOf(names: readonly string[]): Item {
  const entries = names.map((name) => [name, undefined])
  // Only a copy has room for all members in itself.
  return { ...Object.fromEntries(entries) }
}

/** Values are at most 32 levels deep, so recursion is safe. */
function packValue(value: AttributeValue): string {
  if (value.S !== undefined) return CHARACTERS[S] + packText(value.S)
  if (value.N !== undefined) return CHARACTERS[N] + packText(value.N)
  if (value.BOOL !== undefined) return CHARACTERS[value.BOOL ? TRUE : FALSE]!
  if (value.M !== undefined) return CHARACTERS[M] + packMap(value.M)
  if (value.L !== undefined) return CHARACTERS[L] + packList(value.L)
  if (value.B !== undefined) return CHARACTERS[B] + packText(value.B)
  if (value.SS !== undefined) return CHARACTERS[SS] + packSet(value.SS)
  if (value.NS !== undefined) return CHARACTERS[NS] + packSet(value.NS)
  if (value.BS !== undefined) return CHARACTERS[BS] + packSet(value.BS)
  return CHARACTERS[NULL]!
}

function packMap(map: Item): string {
  let text = ''
  let count = 0
  for (const name in map) {
    text += packText(name) + packValue(map[name]!)
    count++
  }
  return packLength(count) + text
}

function packList(elements: readonly AttributeValue[]): string {
  let text = packLength(elements.length)
  for (const element of elements) text += packValue(element)
  return text
}

function packText(text: string): string {
  return packLength(text.length) + text
}

function packSet(elements: readonly string[]): string {
  let text = packLength(elements.length)
  for (const element of elements) text += packText(element)
  return text
}

function packLength(length: number): string {
  return length < LONG
    ? CHARACTERS[length]!
    : String.fromCharCode(LONG, length >>> 16, (length >>> 8) & 255, length & 255)
}
