import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { didYouMean } from './did-you-mean.ts'
import { placeIssues } from './input-issues.ts'
import type { Attribute, Model } from './model.ts'

/** The attribute value of what is to be stored; what is wrong is added under the attribute's name. */
export function encodeAttribute(
  { name, codec }: Attribute,
  value: unknown,
  issues: InputIssue[],
): AttributeValue {
  const from = issues.length
  const encoded =
    codec.write === undefined ? codec.encode(value, issues) : codec.write(value, issues)
  if (issues.length > from) placeIssues(issues, from, name)
  return encoded
}

/** A value as reading it back would give it, for key templates: in its Unicode form, and of the declared type. Nothing is validated. */
export function canonicalValue(
  { name, codec }: Attribute,
  value: unknown,
  issues: InputIssue[],
): unknown {
  const from = issues.length
  const encoded = codec.encode(value, issues)
  if (issues.length === from) return codec.decode(encoded)
  placeIssues(issues, from, name)
  return undefined
}

/** Adds that a name is no attribute of the model. */
export function addUnknown(
  issues: InputIssue[],
  name: string,
  { attributes }: Pick<Model, 'attributes'>,
): void {
  issues.push({
    path: [name],
    message: `is an unknown attribute${didYouMean(name, attributes.keys())}`,
  })
}
