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

/** Checks lengths, patterns, sets of values and ranges of a request that was read by `readStructure`; reports all failures at once. */
export function checkConstraints(shape: StructureShape, request: object): void {
  const failures = constraintFailures(shape, request)
  if (failures.length > 0) {
    throw validationError(constraintErrors(failures.slice(0, FAILURES_MAX)))
  }
}

/** Like `checkConstraints`, but reports only the first failure, as UpdateItem does. */
export function checkFirstConstraint(shape: StructureShape, request: object): void {
  const failures = constraintFailures(shape, request)
  if (failures.length > 0) throw validationError(constraintErrors(failures.slice(0, 1)))
}

function constraintFailures(shape: StructureShape, request: object): string[] {
  const failures: string[] = []
  collectStructure(shape, request as Record<string, unknown>, '', failures)
  return failures
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
      if (shape.values !== undefined && !shape.values.includes(text))
        fail(mustBeOneOf(shape.values))
      if (shape.lengthMin !== undefined && text.length < shape.lengthMin) {
        fail(mustHaveLengthAtLeast(shape.lengthMin))
      }
      if (shape.lengthMax !== undefined && text.length > shape.lengthMax) {
        fail(mustHaveLengthAtMost(shape.lengthMax))
      }
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
      if (shape.lengthMin !== undefined && elements.length < shape.lengthMin) {
        fail(mustHaveLengthAtLeast(shape.lengthMin))
      }
      if (shape.lengthMax !== undefined && elements.length > shape.lengthMax) {
        fail(mustHaveLengthAtMost(shape.lengthMax))
      }
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
      if (shape.lengthMin !== undefined && names.length < shape.lengthMin) {
        fail(mustHaveLengthAtLeast(shape.lengthMin))
      }
      if (shape.lengthMax !== undefined && names.length > shape.lengthMax) {
        fail(mustHaveLengthAtMost(shape.lengthMax))
      }
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
