import type { InputIssue } from '../../errors/input-error.ts'
import type { Path, UpdateValue } from '../../expression/tree.ts'
import { recode } from '../../schema/attribute-codec.ts'
import { encodeList } from '../../schema/codecs/list-codec.ts'
import { encodeSet } from '../../schema/codecs/set-codec.ts'
import { IS_COMPUTED } from '../../schema/computed.ts'
import { IS_COUNTED } from '../../schema/encode-new.ts'
import { addIssue, placeIssues, refuseInput } from '../../schema/input-issues.ts'
import { isCounted } from '../../schema/is-counted.ts'
import { isLasting } from '../../schema/is-lasting.ts'
import { checkKey } from '../../schema/key-text.ts'
import type { Attribute, Codec, Model, WriteMode } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import type { Assignment, UpdateState } from '../state.ts'
import { encodeUpdateValue, sourcePaths } from '../update-values.ts'

const SET_WHOLE = 'is stored as its set() returns it, and takes whole values only'

const GIVE_TYPES = "give values of the attributes' types; add() adds to a number"
const LEAVE_OUT = 'leave it out'

/** An assignment with its value encoded. */
export interface AttributeChange {
  readonly kind: Assignment['kind']
  /** For messages. */
  readonly name: string
  readonly path: Path
  /** What is set, added, taken away or put at an end of a list; nothing for `remove`. */
  readonly value: AttributeValue | undefined
  /** What a number or a list that is not there starts with: of an `add`, `append` or `prepend`. */
  readonly start?: AttributeValue | undefined
  /** Of a `compute`: what is set, in place of a value. */
  readonly source?: UpdateValue
  /** Of a `delete`: every item has a set there, which has to keep a member. */
  readonly required?: boolean
}

/** The changes an update asks for; all that is wrong with them is reported at once. */
export function encodeChanges(
  state: UpdateState,
  key: Item,
  place: string,
  writes: WriteMode,
): AttributeChange[] {
  const { schema } = state.model
  const issues: InputIssue[] = []
  const fixes = new Set<string>()
  const changes: AttributeChange[] = []
  for (const assignment of state.assignments) {
    // What is set to undefined is left as it is.
    if (assignment.kind === 'set' && assignment.value === undefined) continue
    const { name, path } = assignment.target
    const from = issues.length
    const refuse = (message: string, fix: string): undefined => {
      addIssue(issues, message)
      fixes.add(fix)
    }
    const change = encodeChange(assignment, state, key, issues, writes, refuse)
    // Refused by the codec of the attribute.
    if (issues.length > from && fixes.size === 0) fixes.add(GIVE_TYPES)
    if (change !== undefined) {
      const again = changes.findIndex((other) => overlap(other.path, path))
      if (again < 0) changes.push(change)
      else if (replaces(change, changes[again]!)) changes[again] = change
      else refuse('is changed twice', 'change each attribute once')
    }
    placeIssues(issues, from, name)
    if (change?.value && path.length === 1 && schema.keyTypes.has(path[0])) {
      checkKey(schema, path[0], change.value, issues, name)
    }
  }
  if (issues.length > 0) {
    refuseInput(issues, place, fixes.size > 0 ? [...fixes].join('; ') : undefined)
  }
  return changes
}

function encodeChange(
  assignment: Assignment,
  { model, verb }: UpdateState,
  key: Item,
  issues: InputIssue[],
  writes: WriteMode,
  refuse: (message: string, fix: string) => undefined,
): AttributeChange | undefined {
  const { target, value: given } = assignment
  const { name, path, codec } = target
  const attribute = attributeAt(model, path[0])
  if (attribute === undefined) {
    return refuse('is made from a template', 'change the attributes that the template names')
  }
  // Given as it was read, as put() takes it, too: it is always the time of the write.
  if (attribute === model.updatedAt) return undefined
  if (attribute === model.version)
    return refuse('is incremented by every write', 'leave it out; ifVersion() compares it')
  if (isCounted(attribute.definition)) return refuse(IS_COUNTED, LEAVE_OUT)
  if (attribute.from) return refuse(IS_COMPUTED, 'change the attributes that it is computed from')
  let { kind } = assignment
  if (attribute.definition.readonly) {
    if (verb === 'update')
      return refuse('is readonly', 'leave it out: it can only be given when the item is made')
    // An upsert may make the item, and then gives what can't be changed later.
    if (kind === 'set') kind = 'default'
  }
  const isWhole = path.length === 1
  const isRequired = isWhole ? isLasting(model, attribute) : target.required === true
  if (model.primary.names.includes(attribute.name) && !(kind === 'set' && isWhole)) {
    return refuse(
      'is part of the primary key, which only set() with a value can change',
      'use set()',
    )
  }
  // DynamoDB sets a member only in a map that exists, and an upsert may find no item.
  if (!isWhole && verb === 'upsert') {
    return refuse(
      'is inside an attribute, and an upsert may find no item',
      'set the whole attribute, or use update()',
    )
  }
  if (target.kept !== undefined) return refuse(target.kept, LEAVE_OUT)
  if (
    codec.hasReadonly &&
    verb === 'update' &&
    (kind === 'set' || kind === 'compute' || kind === 'remove')
  ) {
    return refuse('has readonly members', 'set its other members one by one')
  }
  if (kind === 'compute') {
    if (verb === 'upsert') {
      return refuse('is computed from the item, and an upsert may find none', 'use update()')
    }
    const source = encodeUpdateValue(given, target, issues)
    return source && { kind, name, path, value: undefined, source }
  }
  let value: AttributeValue | undefined
  switch (kind) {
    case 'set':
    case 'default':
      value = codec.encode(given, issues, writes)
      if (codec.opaque && issues.length === 0) {
        value = recode('encode', attribute, value, model, key)
      }
      break
    case 'remove':
      if (isRequired) {
        return refuse(
          "is required and can't be removed",
          'set() another value, or declare the attribute without required',
        )
      }
      break
    case 'append':
    case 'prepend':
      if (codec.transformed) return refuse(SET_WHOLE, 'use set()')
      if (codec.elements) return refuse('has a fixed number of elements', 'use set()')
      if (!Array.isArray(given) || (codec.tag ?? 'L') !== 'L')
        return refuse(
          'is not a list',
          'use add() for numbers and sets, and set() for anything else',
        )
      if (given.length === 0) return undefined
      value = encodeList(given, (codec.element ?? codec).encode, issues, writes)
      break
    default: {
      if (codec.transformed) return refuse(SET_WHOLE, 'use set()')
      // What is added or taken is not a value of the attribute itself, so that only the rules of
      // elements apply.
      const operand = membersOf(codec, given)
      // DynamoDB refuses empty sets, and adding or removing nothing changes nothing.
      if (operand instanceof Set && operand.size === 0) return undefined
      if (operand instanceof Set && isSet(codec)) {
        value = encodeSet(operand, codec.element!.encode, issues, writes)
        break
      }
      const found: InputIssue[] = []
      value = codec.encode(operand, found)
      const { N, SS, NS, BS } = value
      if (found.length > 0 || !(SS ?? NS ?? BS ?? (kind === 'add' && N))) {
        if (kind === 'delete')
          return refuse('is not a set', 'use remove() to take a whole attribute away')
        return codec.tag === 'N'
          ? refuse('needs a number to add', `write add('${name}', 1)`)
          : refuse('is neither a number nor a set', 'use set(), or append() for lists')
      }
    }
  }
  if (kind === 'delete' && isRequired) return { kind, name, path, value, required: true }
  if (assignment.from === undefined) return { kind, name, path, value }
  const start = codec.encode(assignment.from, issues, writes)
  if (issues.length === 0 && !(value?.N && start.N))
    return refuse('is not a number to start from', 'give from as a number, and only for numbers')
  return { kind, name, path, value, start }
}

/** The attribute that is stored under a name. Most are stored under their own. */
export function attributeAt({ attributes }: Model, name: string): Attribute | undefined {
  const found = attributes.get(name)
  if (found?.stored === name) return found
  return [...attributes.values()].find(({ stored }) => stored === name)
}

/** Members of a set may also be given as a list, or one alone. */
export function membersOf(codec: Codec, value: unknown): unknown {
  if (!isSet(codec) || value instanceof Set) return value
  return new Set(Array.isArray(value) ? value : [value])
}

/** Only the tags of sets have two letters. */
function isSet({ tag }: Codec): boolean {
  return tag?.length === 2
}

/** Whether an attribute, or a place in it, is among what is changed. */
export function isChanged(changes: readonly AttributeChange[], { stored }: Attribute): boolean {
  return changes.some(({ path }) => path[0] === stored)
}

/** The stored names of the attributes that a change computes its value from. */
export function sourcesOf({ source }: AttributeChange): readonly string[] {
  return source ? sourcePaths(source).map(([name]) => name) : []
}

/** DynamoDB refuses two changes of one place, or of a place and a part of it. */
function overlap(a: Path, b: Path): boolean {
  return a.every((step, depth) => depth >= b.length || step === b[depth])
}

/** The last of several plain changes of one attribute holds. */
function replaces(change: AttributeChange, other: AttributeChange): boolean {
  const isPlain = ({ kind }: AttributeChange): boolean => kind === 'set' || kind === 'remove'
  return isPlain(change) && isPlain(other) && change.path.length === other.path.length
}
