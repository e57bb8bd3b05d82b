import {
  constraintErrors,
  constraintFailure,
  MUST_NOT_BE_NULL,
  mustBeOneOf,
  mustHaveLengthAtLeast,
  mustHaveLengthAtMost,
  mustHaveValueAtLeast,
  mustHaveValueAtMost,
  mustMatch,
  validationError,
} from '../messages/request-messages.ts'
import { dump } from './dump.ts'
import { isConstrained, type Shape, type StructureShape } from './shape.ts'

/** AWS stops listing at ten. */
export const FAILURES_MAX = 10

/** Checks lengths, patterns, sets of values and ranges of a request that was read by
 * `readStructure`; reports all failures at once. */
export function checkConstraints(
  shape: StructureShape,
  request: object,
  failuresMax: number = FAILURES_MAX,
): void {
  const failures: string[] = []
  collectStructure(shape, request as Record<string, unknown>, '', failures)
  if (failures.length > 0) throw validationError(constraintErrors(failures.slice(0, failuresMax)))
}

/** The same for one member by itself. */
export function checkMember(shape: Shape, value: unknown, path: string): void {
  const failures: string[] = []
  collect(shape, value, path, failures)
  if (failures.length > 0) throw validationError(constraintErrors(failures))
}

function collectStructure(
  shape: StructureShape,
  request: Record<string, unknown>,
  prefix: string,
  failures: string[],
): void {
  for (const member of shape.constrained) {
    const value = request[member.name]
    if (value !== undefined) {
      if (member.constrained) collect(member.shape, value, prefix + member.label, failures)
    } else if (member.required) {
      failures.push(
        constraintFailure({ value: null, path: prefix + member.label, rule: MUST_NOT_BE_NULL }),
      )
    }
  }
}

function collect(shape: Shape, value: unknown, path: string, failures: string[]): void {
  const fail = (rule: string) => {
    failures.push(constraintFailure({ value: dump(shape, value), path, rule }))
  }
  switch (shape.kind) {
    case 'string': {
      const text = value as string
      if (shape.values !== undefined && !shape.values.includes(text)) {
        fail(mustBeOneOf(shape.values))
      }
      checkLength(shape, text.length, fail)
      if (shape.pattern !== undefined && !shape.pattern.test.test(text)) {
        fail(mustMatch(shape.pattern.text))
      }
      return
    }
    case 'integer':
    case 'long':
    case 'double': {
      const number = value as number
      if (shape.min !== undefined && number < shape.min) fail(mustHaveValueAtLeast(shape.min))
      if (shape.max !== undefined && number > shape.max) fail(mustHaveValueAtMost(shape.max))
      return
    }
    case 'list': {
      const elements = value as readonly unknown[]
      checkLength(shape, elements.length, fail)
      if (!isConstrained(shape.member)) return
      elements.forEach((element, position) => {
        if (failures.length >= FAILURES_MAX) return
        collect(shape.member, element, `${path}.${position + 1}.member`, failures)
      })
      return
    }
    case 'map': {
      const map = value as Record<string, unknown>
      const names = Object.keys(map)
      checkLength(shape, names.length, fail)
      if (!isConstrained(shape.value)) return
      for (const name of names) {
        if (failures.length >= FAILURES_MAX) return
        collect(shape.value, map[name], `${path}.${name}.member`, failures)
      }
      return
    }
    case 'structure':
      collectStructure(shape, value as Record<string, unknown>, `${path}.`, failures)
      return
    case 'boolean':
    case 'attributeValue':
      return
  }
}

function checkLength(
  { lengthMin, lengthMax }: { readonly lengthMin?: number; readonly lengthMax?: number },
  length: number,
  fail: (rule: string) => void,
): void {
  if (lengthMin !== undefined && length < lengthMin) fail(mustHaveLengthAtLeast(lengthMin))
  if (lengthMax !== undefined && length > lengthMax) fail(mustHaveLengthAtMost(lengthMax))
}
