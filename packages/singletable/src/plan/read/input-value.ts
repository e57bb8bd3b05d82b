import { splitTemplate } from '../../template/read-template.ts'

/**
 * A value that is known only when the question is asked: a member of a pattern's input, such as
 * `username` or `createdAt.from`.
 */
export class InputValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
    Object.freeze(this)
  }
}

export function isInput(value: unknown): value is InputValue {
  return value instanceof InputValue
}

/**
 * What a key has in place of a value: `${number:pad(4)}`, for a bound of a range
 * `${number.from:pad(4)}`.
 */
export function inputText({ name }: InputValue, body: string = name): string {
  return `\${${[name, ...body.split(':').slice(1)].join(':')}}`
}

/** What is between the braces of a template's placeholder. */
export function placeholderBody(
  { source, parts }: { readonly source: string; readonly parts: readonly unknown[] },
  part: unknown,
): string {
  const placeholders = parts.filter((each) => typeof each !== 'string')
  return splitTemplate(source)[2 * placeholders.indexOf(part) + 1]!
}
