import type { InputIssue } from '../errors/input-error.ts'
import { addIssue, addWrongValue } from './input-issues.ts'
import type { StandardSchema, Validator } from './schema-definition.ts'

/** Looks at a value that has the right type, adds what is wrong, and gives the value to store. */
export type Check = (value: unknown, issues: InputIssue[]) => unknown

/** What a Standard Schema answers. */
interface Verdict {
  readonly value?: unknown
  readonly issues?: readonly {
    readonly message: string
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
  }[]
}

/** Whether it is a Standard Schema. arktype's are functions as well. */
export function isStandard(validator: Validator): validator is StandardSchema {
  return '~standard' in validator
}

/** One check for all kinds of validators. What they throw becomes the cause of the error. */
export function checkOf(validator: Validator): Check {
  const standard = isStandard(validator) && validator['~standard']
  // A pattern with the flag g or y remembers where it stopped; the caller's own is left alone.
  const pattern = validator instanceof RegExp && new RegExp(validator)
  return (value, issues) => {
    try {
      if (pattern) {
        pattern.lastIndex = 0
        if (!pattern.test(String(value))) addWrongValue(issues, value, `does not match ${pattern}`)
        return value
      }
      // Whether the value is of the parameter's type has been checked by the codec.
      const verdict = standard
        ? standard.validate(value)
        : (validator as (value: unknown) => unknown)(value)
      if (isPromise(verdict)) {
        addIssue(issues, 'has an asynchronous validator; validate before the call instead')
      } else if (standard) {
        // The interface is known from its specification; a schema that violates it throws here, and
        // the error is reported.
        const { value: result, issues: found } = verdict as Verdict
        if (found === undefined) return result
        for (const { message, path = [] } of found) {
          // Not `map`: arktype's paths are arrays of a class of its own, and so would be the
          // result.
          const names = Array.from(path, (part) => {
            const key = typeof part === 'object' ? part.key : part
            return typeof key === 'number' ? key : String(key)
          })
          addIssue(issues, message, ...names)
        }
      } else if (verdict === false || typeof verdict === 'string') {
        addIssue(issues, verdict || 'is refused by its validator')
      }
    } catch (cause) {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      issues.push({ path: [], message: `has a validator that threw${reason}`, cause })
    }
    return value
  }
}

function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  // Nothing awaits this promise, so its rejection must not end the process.
  if (value instanceof Promise) value.catch(() => undefined)
  return true
}
