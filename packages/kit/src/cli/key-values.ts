import type { Model, Pattern } from 'singletable/tools'
import { didYouMean, RANGE_BOUNDS } from 'singletable/tools'
import {
  parseValue,
  readJsonValue,
  type ValueDefinition,
  ValueProblem,
} from '../text/typed-values.ts'
import { UsageError } from './usage-error.ts'

/** What is typed as `name=value`; the same name again makes a list. */
export type KeyValues = ReadonlyMap<string, readonly string[]>

/** Splits `name=value` words; the value may contain further equals signs. */
export function splitKeyValues(words: readonly string[]): KeyValues {
  const values = new Map<string, string[]>()
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) throw new UsageError(`"${word}" is not name=value.`, 'write it as username=alice')
    const name = word.slice(0, at)
    const list = values.get(name)
    if (list) list.push(word.slice(at + 1))
    else values.set(name, [word.slice(at + 1)])
  }
  return values
}

/** The values of a model's attributes that were typed. */
export function readModelValues(model: Model, typed: KeyValues): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, typedValues] of typed) {
    const definition = requireAttribute(model, name)
    values.set(name, readTypedValues(name, typedValues, definition))
  }
  return Object.fromEntries(values)
}

/** The values of a model's attributes in an object of JSON. */
export function readModelJson(model: Model, json: unknown, where: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UsageError(`${where} is not an object.`, 'give an object of attributes')
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const definition = model.attributes.get(name)?.definition
      // Names that nobody knows are refused by the library, all of them at once.
      return [name, definition ? convert(name, () => readJsonValue(value, definition)) : value]
    }),
  )
}

/** The input of an access pattern that was typed; `postId.from=…` is a bound of a range. */
export function readPatternInput(pattern: Pattern, typed: KeyValues): Record<string, unknown> {
  const { range } = pattern.definition as { readonly range?: string }
  const input = new Map<string, unknown>()
  for (const [typedName, typedValues] of typed) {
    const [name, bound] = splitBound(typedName, range)
    const value = readTypedValues(
      typedName,
      typedValues,
      memberDefinition(pattern, name),
      isWhole(pattern, name),
    )
    if (bound === undefined) input.set(name, value)
    else {
      const bounds = input.get(name) ?? {}
      if (typed.has(name)) {
        throw new UsageError(`${name} has a value and bounds.`, `give ${name}=… or ${typedName}=…`)
      }
      input.set(name, { ...(bounds as object), [bound]: value })
    }
  }
  return Object.fromEntries(input)
}

function splitBound(name: string, range: string | undefined): [string, string | undefined] {
  if (range === undefined || !name.startsWith(`${range}.`)) return [name, undefined]
  const bound = name.slice(range.length + 1)
  if (RANGE_BOUNDS.some((each) => each === bound)) return [range, bound]
  throw new UsageError(
    `"${bound}" is not a bound of a range.`,
    `write ${RANGE_BOUNDS.map((each) => `${range}.${each}=…`).join(', ')}`,
  )
}

/**
 * What the schema says of a member of a pattern's input: it is an attribute, or is compared with
 * one.
 */
function memberDefinition(pattern: Pattern, name: string): ValueDefinition {
  const test = pattern.filter.find(({ operands }) => operands.some((each) => each.input === name))
  const attribute = test?.attribute ?? name
  for (const model of pattern.models) {
    const known = model.attributes.get(attribute)
    if (known) return known.definition
  }
  // The library refuses it, with the names there are.
  return { type: String }
}

/** Whether the input has a list of such values. */
function isWhole({ filter, definition }: Pattern, name: string): boolean {
  if ('in' in definition && definition.in?.includes(name)) return true
  return filter.some(({ whole, operands }) => whole && operands[0]?.input === name)
}

function readTypedValues(
  name: string,
  typedValues: readonly string[],
  definition: ValueDefinition,
  isList = false,
): unknown {
  if (isList) return typedValues.map((text) => convert(name, () => parseValue(text, definition)))
  const { type, items } = definition
  if (typedValues.length > 1 && (type === Array || type === Set) && items) {
    const list = typedValues.map((text) => convert(name, () => parseValue(text, items)))
    return type === Set ? new Set(list) : list
  }
  const [text = ''] = typedValues
  if (typedValues.length > 1) throw new UsageError(`${name} is given twice.`, `give ${name}=… once`)
  return convert(name, () => parseValue(text, definition))
}

function convert(name: string, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    throw new UsageError(`The value of ${name} is ${error.message}.`, `correct ${name}`)
  }
}

export function requireAttribute(model: Model, name: string): ValueDefinition {
  const known = model.attributes.get(name)
  if (known) return known.definition
  throw new UsageError(
    `${model.name} has no attribute "${name}"${didYouMean(name, model.attributes.keys())}.`,
    `its attributes are ${[...model.attributes.keys()].join(', ')}`,
  )
}
