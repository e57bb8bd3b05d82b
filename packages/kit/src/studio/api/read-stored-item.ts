import { NESTING_DEPTH_MAX } from 'singletable/tools'
import type { StoredItem } from './contract.ts'
import { StudioError } from './studio-error.ts'

/** What the content of a value must be, by its type. */
const CONTENTS: {
  readonly [tag: string]: readonly [holds: (content: unknown) => boolean, words: string]
} = {
  S: [isString, 'a string'],
  N: [isNumber, 'a number in quotes, so that no digit is lost'],
  B: [isBase64, 'bytes in base64'],
  BOOL: [(content) => typeof content === 'boolean', 'true or false'],
  NULL: [(content) => content === true, 'true'],
  SS: [(content) => isSet(content, isString), 'a list of different strings'],
  NS: [(content) => isSet(content, isNumber), 'a list of different numbers in quotes'],
  BS: [(content) => isSet(content, isBase64), 'a list of different bytes in base64'],
  L: [Array.isArray, 'a list of values'],
  M: [isObject, 'an object of values'],
}

/** An item in DynamoDB's JSON; the error says where it is not one. */
export function readStoredItem(value: unknown): StoredItem {
  if (!isObject(value)) {
    throw new StudioError('The item is not an object.', 'write {"pk":{"S":"…"}}', 'INPUT_INVALID')
  }
  for (const [name, each] of Object.entries(value)) requireValue(each, name, 1)
  return value as StoredItem
}

function requireValue(value: unknown, path: string, depth: number): void {
  const entries = isObject(value) ? Object.entries(value) : []
  const [tag = '', content] = entries[0] ?? []
  const rule = Object.hasOwn(CONTENTS, tag) ? CONTENTS[tag] : undefined
  if (entries.length !== 1 || rule === undefined) {
    throw new StudioError(
      `The value of ${path} has no type.`,
      'write it as DynamoDB does: {"S":"text"}, {"N":"12.5"}, {"BOOL":true}, {"M":{…}}, {"L":[…]}',
      'INPUT_INVALID',
      path,
    )
  }
  const [holds, words] = rule
  if (!holds(content)) {
    throw new StudioError(
      `The value of ${path} is not of type ${tag}.`,
      `give ${words}`,
      'INPUT_INVALID',
      path,
    )
  }
  if (depth > NESTING_DEPTH_MAX) {
    throw new StudioError(
      'The item is nested too deeply.',
      `nest at most ${NESTING_DEPTH_MAX} levels`,
      'INPUT_INVALID',
    )
  }
  if (tag === 'L' || tag === 'M') {
    for (const [name, each] of Object.entries(content as object)) {
      requireValue(each, tag === 'L' ? `${path}[${name}]` : `${path}.${name}`, depth + 1)
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isNumber(value: unknown): boolean {
  return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value.length % 4 === 0 && /^[\w+/-]*={0,2}$/.test(value)
}

function isSet(content: unknown, holds: (each: unknown) => boolean): boolean {
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every(holds) &&
    new Set(content).size === content.length
  )
}
