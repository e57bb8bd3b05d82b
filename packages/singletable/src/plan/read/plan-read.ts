import type { InputIssue } from '../../errors/input-error.ts'
import { printPlace } from '../../errors/print-place.ts'
import { showValue } from '../../errors/show-value.ts'
import { allOf, compare, exists } from '../../expression/build.ts'
import { fixedValues } from '../../expression/fixed-values.ts'
import { IN_OPERANDS_MAX } from '../../expression/limits.ts'
import type { Condition, Path } from '../../expression/tree.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { Index } from '../../schema/model.ts'
import { encodeWhere } from '../encode-where.ts'
import { combine, createWhere } from '../operators.ts'
import { type PlanContext, placeOf } from '../plan-context.ts'
import { attributesInKeys, isProjected, projectedPaths, selectHeld } from '../projection.ts'
import { storedReference } from '../references.ts'
import { refusePlan } from '../refuse-plan.ts'
import type { MemberState, QueryState } from '../state.ts'
import type { Where } from '../where.ts'
import type { Asked } from './choose-index.ts'
import { listsNothing, splitConjuncts } from './conjuncts.ts'
import { decideRead, readNothing } from './decide-read.ts'
import { NO_PARTITIONS } from './fan-out.ts'
import { attributesOf } from './filter-rules.ts'
import type { KeyMatch } from './key-condition.ts'
import type { ReadPlan } from './read-plan.ts'

const SEGMENTS_MAX = 1_000_000

/**
 * Decides how a query or a scan is carried out: the index, what its keys answer, and what is left
 * to a filter.
 */
export function planRead(given: QueryState, context: PlanContext): ReadPlan {
  const state = selectHeld(given)
  const asked = askedOf(state, context)
  const { members, place } = asked
  const { model, select, hydrate, includeExpired } = state
  checkNumbers(state, place.text)
  // DynamoDB refuses a list without values; here the answer is known without a request.
  const isNothing = state.members === undefined && members[0].conjuncts.all.some(listsNothing)
  const decision = isNothing ? readNothing(asked) : decideRead(asked)
  const { index, matches, rest, gaps, conditions, sort, others, limits } = decision
  const [match] = matches
  const partition = match?.parts.slice(0, index.hash.length).map(({ condition }) => condition!)

  const encode = (all: readonly Where[] = [], of = model): Condition | undefined =>
    all.length > 0 ? encodeWhere(combine('AND', all), of, place.text) : undefined
  const { typeField } = model.schema.params
  const type = storedReference(typeField)
  const hasType = isProjected(index, typeField)
  const asksType = match === undefined || others.length > 0
  const filter = members.map((member, at) => {
    const own = rest[at]!
    if (state.members === undefined) {
      const isOwn = createWhere('=', [type, { S: model.type }])
      return encode(asksType && hasType ? [...own, isOwn] : own)
    }
    if (own.length === 0) return undefined
    // A request has one filter for all models: the conditions of each must let items of the others
    // pass.
    const isOther = createWhere('<>', [type, { S: member.model.type }])
    return encode([combine('OR', [isOther, combine('AND', own)])], member.model)
  })
  // More are left out after reading, as all are again.
  if (state.members && others.length > 0 && others.length < IN_OPERANDS_MAX) {
    const theirs = createWhere('IN', [type, ...others.map(({ type: S }) => ({ S }))])
    filter.push(encode([createWhere('NOT', [theirs])]))
  }
  const ttl = includeExpired || state.members ? undefined : model.ttl?.stored
  // A filter of a query can't look at keys; items are looked at again after reading.
  const hidesExpired =
    ttl !== undefined &&
    isProjected(index, ttl) &&
    !(match && [...index.hash, ...index.sort].includes(ttl))
  // If nothing is left out after reading, what DynamoDB counts is what there is.
  const isCountable = !hydrate && (hasType || !asksType) && (ttl === undefined || hidesExpired)
  const counts = state.counts === true && isCountable
  // Where whole items are fetched afterwards, only keys are read of the index.
  const read =
    !counts && (hydrate || select)
      ? projectedPaths(state, hydrate ? [] : (select ?? []), index)
      : undefined
  const whole = hydrate && select ? projectedPaths(state, select, model.schema.primary) : undefined
  return Object.freeze<ReadPlan>({
    kind: 'read',
    tableName: context.tableName,
    place: place.text,
    pattern: context.pattern,
    state,
    operation: state.verb === 'query' ? 'Query' : 'Scan',
    index,
    model,
    members: members.map((member, at) => ({
      model: member.model,
      conditions: conditions[at] ?? [],
      single: isWholeKey(matches[at]),
      filter: rest[at]!,
      unasked: unselected(state.members?.[at]),
      inKeys: hydrate ? [] : attributesInKeys(member.model, index),
    })),
    partition: partition ? fixedValues(encode(partition)!) : {},
    fan: isNothing ? NO_PARTITIONS : match?.fan,
    sort: encode(sort),
    filter: allOf(filter.filter((each) => each !== undefined)),
    limits: limits || filter.every((each) => each === undefined),
    alive: hidesExpired ? aliveAt(ttl, context.environment.now()) : undefined,
    projection: read?.paths ?? collectedPaths(state, rest, index),
    whole: whole?.paths,
    partial: (select && (whole ?? read)?.unasked) ?? false,
    counts,
    others,
    gaps,
  })
}

/** The attributes of a member that are not selected. */
function unselected(member: MemberState | undefined): readonly string[] | undefined {
  const { model, select } = member ?? {}
  if (!model || !select) return undefined
  return [...model.attributes.keys()].filter((each) => !select.some(({ name }) => name === each))
}

/** What a collection reads of its index; everything unless all of its models select. */
function collectedPaths(
  { members, ...state }: QueryState,
  filters: readonly (readonly Where[])[],
  index: Index,
): readonly Path[] | undefined {
  const paths = members?.flatMap(({ model, select }, at): readonly (Path | undefined)[] => {
    if (!select) return [undefined]
    // Conditions on items without a type are looked at again after reading.
    const filtered = filters[at]!.flatMap(attributesOf).map((name): Path => [name])
    return [...projectedPaths({ ...state, model }, select, index).paths, ...filtered]
  })
  return paths?.every((path) => path !== undefined) ? paths : undefined
}

/** What a call asks, taken apart. */
export function askedOf(state: QueryState, context: PlanContext): Asked {
  const { members = [state], model, verb } = state
  const { tableName: table, warn, environment } = context
  const names = members.map((member) => member.model.name)
  const now = (): number => environment.now()
  if (state.members === undefined) {
    return {
      state,
      members: [{ model, conjuncts: splitConjuncts(state.where) }],
      place: { text: placeOf(context, model, verb), warn, now },
    }
  }
  const text = printPlace({ table, verb: `collect(${names.join(', ')})` })
  // What nobody declares is given under this name.
  if (names.length === 0 || new Set([...names, 'unknown']).size <= names.length) {
    refusePlan(
      'PLAN_INVALID',
      text,
      'No model is named, one is named twice, or one is called "unknown".',
      'name each model once',
    )
  }
  return {
    state,
    // There is one at least.
    members: members.map((member) => ({
      model: member.model,
      conjuncts: splitConjuncts(member.where),
    })) as unknown as Asked['members'],
    place: { text, warn, now },
  }
}

function isWholeKey(match: KeyMatch | undefined): boolean {
  const { use, parts = [] } = match ?? {}
  return use !== undefined && [...use.hash, ...use.sort].every((_, at) => parts[at]?.exact)
}

/** That the time to live of an item is not over. */
function aliveAt(name: string, now: number): Condition {
  const seconds = { N: String(Math.floor(now / 1000)) }
  return { kind: 'or', left: exists(name, true), right: compare(name, '>', seconds) }
}

function checkNumbers({ limit, pageSize, segment, parallel }: QueryState, place: string): void {
  const most = Number.MAX_SAFE_INTEGER
  const issues: InputIssue[] = []
  const check = (name: string, value: unknown, from: number, to: number): void => {
    const isRight = Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
    if (value === undefined || isRight) return
    const message = `is not a whole number from ${from} ${to === most ? 'up' : `to ${to}`}`
    issues.push({ path: [name], message, given: showValue(value) })
  }
  check('limit', limit, 1, most)
  check('pageSize', pageSize, 1, most)
  check('parallel', parallel, 1, SEGMENTS_MAX)
  check('total', segment?.total, 1, SEGMENTS_MAX)
  check('segment', segment?.segment, 0, (segment?.total ?? 1) - 1)
  if (issues.length > 0) refuseInput(issues, place, 'give such numbers, or leave them out')
}
