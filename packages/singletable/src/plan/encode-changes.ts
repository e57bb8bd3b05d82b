import type { InputIssue } from '../errors/input-error.ts'
import type { Path } from '../expression/tree.ts'
import { placeIssues } from '../schema/input-issues.ts'
import { checkKeySize } from '../schema/key-text.ts'
import type { Attribute, Codec } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { parseDecimal } from '../values/decimal.ts'
import type { ModelRules } from './model-rules.ts'
import { refuseInput } from './refuse-input.ts'
import type { Assignment, UpdateState } from './state.ts'

/** An assignment with its value encoded. */
export interface Change {
  readonly kind: Assignment['kind']
  readonly attribute: Attribute
  readonly path: Path
  /** What is set, added, taken away or put at an end of a list; nothing for `remove`. */
  readonly value: AttributeValue | undefined
}

/** The changes an update asks for; all that is wrong with them is told at once. */
export function encodeChanges(state: UpdateState, rules: ModelRules, place: string): Change[] {
  const issues: InputIssue[] = []
  const changes: Change[] = []
  for (const assignment of state.assignments) {
    // What is set to undefined is left as it is.
    if (assignment.kind === 'set' && assignment.value === undefined) continue
    const known = issues.length
    const change = encodeChange(assignment, state, rules, issues)
    if (change !== undefined) {
      const again = changes.findIndex((other) => overlap(other.path, change.path))
      if (again < 0) changes.push(change)
      else if (replaces(change, changes[again]!)) changes[again] = change
      else issues.push({ path: [], message: 'is changed twice' })
    }
    placeIssues(issues, known, assignment.target.name)
  }
  if (issues.length > 0) {
    refuseInput(issues, place, 'give each attribute one change of its type')
  }
  return changes
}

function encodeChange(
  assignment: Assignment,
  state: UpdateState,
  rules: ModelRules,
  issues: InputIssue[],
): Change | undefined {
  const { target } = assignment
  const { path } = target
  const refuse = (message: string): undefined => {
    issues.push({ path: [], message })
  }
  const attribute = rules.byStored.get(path[0])
  if (attribute === undefined) {
    return refuse('is made from a template: change the attributes in it, and it follows')
  }
  // Given as it was read, as put() takes it, too: it is always the time of the write.
  if (attribute === state.model.updatedAt) return undefined
  let { kind } = assignment
  if (attribute === state.model.version) return refuse('is counted up by every write')
  if (attribute.definition.readonly) {
    if (state.verb === 'update') return refuse('is readonly')
    // An upsert may make the item, and then gives what can't be changed later.
    if (kind === 'set') kind = 'default'
  }
  if (rules.primary.has(attribute.name) && (kind !== 'set' || path.length > 1)) {
    return refuse('is part of the primary key, which only set() can change')
  }
  if (path.length > 1 && state.verb === 'upsert') {
    return refuse('is inside an attribute that a new item does not have: set all of the attribute')
  }
  const { codec } = target
  switch (assignment.kind) {
    case 'set':
    case 'default': {
      const value = encodeWritten(codec, assignment.value, issues)
      const bytesMax = path.length === 1 ? rules.keyBytesMax.get(path[0]) : undefined
      if (bytesMax !== undefined) {
        const found: InputIssue[] = []
        checkKeySize(value, attribute.name, bytesMax, found)
        for (const { message } of found) refuse(message)
      }
      return { kind, attribute, path, value }
    }
    case 'remove':
      if (path.length === 1 && rules.lasting.has(attribute.name)) {
        return refuse('is required and can not be removed')
      }
      return { kind, attribute, path, value: undefined }
    case 'append':
    case 'prepend': {
      if (codec.tag !== undefined && codec.tag !== 'L') return refuse('is no list')
      if (assignment.values.length === 0) return undefined
      const list = encodeElements(codec, assignment.values, issues)
      return { kind, attribute, path, value: { L: list } }
    }
    case 'add':
    case 'delete': {
      const value = encodeOperand(codec, kind, assignment.value, issues)
      return value && { kind, attribute, path, value }
    }
  }
}

/** What is added to a number or a set, or taken from a set: members, not a value of the attribute, so its own rules don't apply. */
function encodeOperand(
  codec: Codec,
  kind: 'add' | 'delete' | string,
  value: unknown,
  issues: InputIssue[],
): AttributeValue | undefined {
  const { tag } = codec
  if (kind === 'add' && (tag === 'N' || (tag === undefined && isNumeric(value)))) {
    const text = isNumeric(value) ? parseDecimal(String(value)).text : undefined
    if (text !== undefined && (typeof value !== 'number' || isExact(value))) return { N: text }
    issues.push({ path: [], message: 'needs a number to add' })
    return undefined
  }
  if (tag === undefined && value instanceof Set) return codec.encode(value, issues)
  if (tag !== 'SS' && tag !== 'NS' && tag !== 'BS') {
    const message = kind === 'add' ? 'is neither a number nor a set' : 'is no set'
    issues.push({ path: [], message })
    return undefined
  }
  const members = value instanceof Set || Array.isArray(value) ? [...value] : [value]
  if (members.length === 0) return undefined
  const encoded = encodeElements(codec, members, issues)
  // The elements of a set have the type its tag names, and the tag says which member holds their text.
  const texts = encoded.map((member) => (member.S ?? member.N ?? member.B) as string)
  return { [tag]: [...new Set(texts)] } as unknown as AttributeValue
}

function encodeWritten(codec: Codec, value: unknown, issues: InputIssue[]): AttributeValue {
  return codec.write === undefined ? codec.encode(value, issues) : codec.write(value, issues)
}

function isNumeric(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

function encodeElements(
  codec: Codec,
  values: readonly unknown[],
  issues: InputIssue[],
): AttributeValue[] {
  const element = codec.element ?? codec
  return values.map((value, index) => {
    const known = issues.length
    const encoded = encodeWritten(element, value, issues)
    placeIssues(issues, known, index)
    return encoded
  })
}

/** DynamoDB refuses two changes of one place, or of a place and a part of it. */
function overlap(a: Path, b: Path): boolean {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) if (a[index] !== b[index]) return false
  return true
}

/** The last of several plain changes of one attribute holds. */
function replaces(change: Change, other: Change): boolean {
  const isPlain = ({ kind }: Change): boolean => kind === 'set' || kind === 'remove'
  return isPlain(change) && isPlain(other) && change.path.length === other.path.length
}
