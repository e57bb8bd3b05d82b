import type { InputIssue } from '../errors/input-error.ts'
import { addIssue } from './input-issues.ts'
import type { StandardSchema, Validator } from './schema-definition.ts'

/** Looks at a value that has the right type, adds what is wrong, and gives the value to store. */
export type Check = (value: unknown, issues: InputIssue[]) => unknown

/** One check for all kinds of validators. What they throw becomes the cause of the error. */
export function checkOf(validator: Validator): Check {
  const check = createCheck(validator)
  return (value, issues) => {
    try {
      return check(value, issues)
    } catch (cause) {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      issues.push({ path: [], message: `has a validator that threw${reason}`, cause })
      return value
    }
  }
}

function createCheck(validator: Validator): Check {
  // arktype's schemas are functions as well, so this is asked first.
  if ('~standard' in validator) return (value, issues) => checkStandard(validator, value, issues)
  if (validator instanceof RegExp) {
    // A pattern with the flag g or y remembers where it stopped; the caller's own is left alone.
    const pattern = new RegExp(validator)
    return (value, issues) => {
      pattern.lastIndex = 0
      if (!pattern.test(String(value))) addIssue(issues, `does not match ${pattern}`)
      return value
    }
  }
  // Whether the value is of the parameter's type has been checked by the codec.
  const test = validator as (value: unknown) => unknown
  return (value, issues) => {
    const verdict = test(value)
    if (verdict === false) addIssue(issues, 'is refused by its validator')
    else if (typeof verdict === 'string') addIssue(issues, verdict)
    else if (isPromise(verdict)) addAsync(issues)
    return value
  }
}

function checkStandard(schema: StandardSchema, value: unknown, issues: InputIssue[]): unknown {
  // The interface is known from its specification; a schema that does not keep to it throws here, and that is told.
  const result = schema['~standard'].validate(value) as {
    readonly value?: unknown
    readonly issues?: readonly {
      readonly message: string
      readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
    }[]
  }
  if (isPromise(result)) {
    addAsync(issues)
    return value
  }
  for (const { message, path = [] } of result.issues ?? []) {
    // Not `path.map`: ArkType's paths are arrays of a class of their own, whose map gives another path.
    const keys = Array.from(path, (part) => (typeof part === 'object' ? part.key : part))
    issues.push({
      path: keys.map((key) => (typeof key === 'number' ? key : String(key))),
      message,
    })
  }
  return result.issues === undefined ? result.value : value
}

function addAsync(issues: InputIssue[]): void {
  addIssue(issues, 'has a validator that answers later; validate before the call instead')
}

function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  // Nobody will wait for it, so its failure must not end the process.
  if (value instanceof Promise) value.catch(() => undefined)
  return true
}
