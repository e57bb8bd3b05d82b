import { didYouMean } from '../errors/did-you-mean.ts'
import type { InputIssue } from '../errors/input-error.ts'
import { addIssue, encodePart, isObject, notAnObject } from './input-issues.ts'
import type { Attribute, ModelParts } from './model.ts'

/**
 * A value as reading it back would give it, for key templates: in its Unicode form, and of the
 * declared type. Nothing is validated.
 */
export function canonicalValue(
  { name, codec }: Pick<Attribute, 'name' | 'codec'>,
  value: unknown,
  issues: InputIssue[],
): unknown {
  const from = issues.length
  const encoded = encodePart(codec.encode, value, name, issues)
  return issues.length === from ? codec.decode(encoded) : undefined
}

interface Values {
  [name: string]: unknown
}

/**
 * The members of an input, each read once. Key attributes that are given as they are stored are
 * returned separately.
 */
export function readInput(
  input: object,
  model: ModelParts,
  issues: InputIssue[],
): { readonly values: Values; readonly raw: Values | undefined } {
  const { keyTypes, params } = model.schema
  const values: Values = isObject(input) ? { ...input } : {}
  if (!isObject(input)) addIssue(issues, notAnObject(input))
  let raw: Values | undefined
  for (const name of Object.keys(values)) {
    if (model.attributes.has(name) || values[name] === undefined) continue
    if (keyTypes.has(name) || name === params.typeField) {
      raw ??= {}
      raw[name] = values[name]
    } else addUnknown(issues, name, model)
  }
  return { values, raw }
}

/** Adds that a name is not an attribute of the model. */
export function addUnknown(
  issues: InputIssue[],
  name: string,
  { attributes }: Pick<ModelParts, 'attributes'>,
): void {
  addIssue(issues, `is an unknown attribute${didYouMean(name, attributes.keys())}`, name)
}
