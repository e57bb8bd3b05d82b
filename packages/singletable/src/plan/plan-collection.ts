import { PlanError } from '../errors/plan-error.ts'
import { printPlace } from '../errors/print-place.ts'
import { IN_OPERANDS_MAX } from '../expression/limits.ts'
import { PrintedPlaceholders } from '../expression/print.ts'
import type { Index, Model } from '../schema/model.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { sameValue } from '../values/same-value.ts'
import { compareUtf8, utf8Length } from '../values/utf8.ts'
import type { QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { filterOf, findIndex, needOf } from './choose-index.ts'
import { describeGaps, type Gap, gapsOf } from './completeness.ts'
import { type Conjuncts, splitConjuncts } from './conjuncts.ts'
import { definedMembers } from './defined-members.ts'
import { encodeWhere } from './encode-where.ts'
import { refuseInconsistent, refuseUnreadable } from './filter-rules.ts'
import { type KeyMatch, matchKey } from './key-condition.ts'
import { combine, createWhere } from './operators.ts'
import type { CollectedModel, QueryPlan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { checkNumbers } from './plan-query.ts'
import { printSized } from './print-sized.ts'
import { isProjected } from './projection.ts'
import type { Reference } from './reference.ts'
import { storedReference } from './references.ts'
import { refusePlan } from './refuse-plan.ts'
import type { CollectionState, QueryState } from './state.ts'
import type { Where } from './where.ts'

/** Greater than every text that goes on after the same beginning. */
const LAST = '\u{10FFFF}'

/** A query over several models: which index, and what was said against the others. */
export interface CollectionPlan extends QueryPlan {
  readonly members: readonly CollectedModel[]
  readonly refused: readonly { readonly index: string; readonly reason: string }[]
}

/** One of the models, with what is asked of it taken apart. */
interface Member {
  readonly model: Model
  readonly conjuncts: Conjuncts
}

interface Candidate {
  readonly index: Index
  /** In the order of the members. */
  readonly matches: readonly KeyMatch[]
  /** What the keys leave to a filter, in the same order. */
  readonly rest: readonly (readonly Where[])[]
  /** Matching items that are not in the index. */
  readonly gaps: readonly Gap[]
}

/**
 * Decides how one query reads items of several models: from one partition of an index that all of them are in, and there the smallest range of sort
 * keys that has them all. The index is the one the caller names; else, of those that have all matching items, the primary one, or the one whose sort key
 * takes in most of the conditions.
 */
export function planCollection(state: CollectionState, context: PlanContext): CollectionPlan {
  const members = state.members.map(({ model, where }) => ({
    model,
    conjuncts: splitConjuncts(where),
  }))
  const names = members.map(({ model }) => model.name)
  const text = printPlace({ table: context.tableName, verb: `collect(${names.join(', ')})` })
  const [first] = members
  // What nobody declares is given under this name.
  if (first === undefined || new Set([...names, 'unknown']).size <= names.length) {
    return refusePlan(
      'PLAN_INVALID',
      text,
      'No model is named, or one twice, or one that is called "unknown".',
      'name each model once',
    )
  }
  const { model } = first
  const { schema } = model
  const { typeField } = schema.params
  const query: QueryState = {
    ...state,
    model,
    verb: 'query',
    where: undefined,
    select: undefined,
    segment: undefined,
    hydrate: false,
  }
  checkNumbers(query, text)
  const { index, matches, rest, gaps, refused } = chooseCommon(members, query, context, text)
  const conditions = matches.map(({ use, parts }) =>
    parts.slice(use.hash.length).flatMap(({ condition }) => condition ?? []),
  )
  const partition = matches[0]!.parts.slice(0, index.hash.length)
  const { sort, low, high } = commonRange(conditions)
  const others = [...schema.models.values()].filter((other) => {
    const theirs = other.indexes.find((use) => use.index === index)
    return (
      !names.includes(other.name) &&
      theirs?.hash.every(
        ({ template }, at) => !template || template.match(partition[at]!.text) !== undefined,
      ) &&
      theirs.sort.every(
        ({ template }) =>
          !template ||
          ((high === undefined || compareUtf8(template.prefix, high) <= 0) &&
            (low === undefined || compareUtf8(template.prefix + LAST, low) >= 0)),
      )
    )
  })

  const placeholders = new PrintedPlaceholders()
  const print = (all: readonly Where[], of: Model): string => {
    const where = combine('AND', all)
    const printed = printSized(encodeWhere(where, of, text), placeholders, text)
    return where.operator === 'OR' ? `(${printed})` : printed
  }
  const KeyConditionExpression = print(
    [...partition.flatMap(({ condition }) => condition ?? []), ...sort],
    model,
  )
  const type = storedReference(typeField)
  const filter = members.flatMap((member, at) =>
    rest[at]!.length === 0
      ? []
      : print(
          [
            combine('OR', [
              createWhere('<>', [type, { S: member.model.name }]),
              combine('AND', rest[at]!),
            ]),
          ],
          member.model,
        ),
  )
  // More are left out after reading, as all are again.
  if (others.length > 0 && others.length < IN_OPERANDS_MAX) {
    const theirs = createWhere('IN', [type, ...others.map(({ name: S }) => ({ S }))])
    filter.push(print([createWhere('NOT', [theirs])], model))
  }
  const FilterExpression = filter.length > 0 ? filter.join(' AND ') : undefined
  const request = definedMembers<QueryRequest & ScanRequest>({
    TableName: context.tableName,
    IndexName: index.type === 'primary' ? undefined : index.name,
    KeyConditionExpression,
    ScanIndexForward: state.forward ? undefined : false,
    FilterExpression,
    ExpressionAttributeNames: placeholders.names(),
    ExpressionAttributeValues: placeholders.values(),
    ConsistentRead: state.consistentRead || undefined,
    ReturnConsumedCapacity: state.capacity,
  })
  return {
    kind: 'query',
    model,
    state: query,
    index,
    match: matches[0],
    others,
    gaps,
    operation: 'Query',
    request,
    filtered: filter.length > 0,
    partial: false,
    projection: undefined,
    countable: false,
    fingerprint: JSON.stringify([
      [context.tableName, names, index.name, 'collect', state.forward, context.pattern],
      [KeyConditionExpression, FilterExpression, placeholders.names(), placeholders.values()],
    ]),
    members: members.map((member, at) => ({
      model: member.model,
      conditions: conditions[at]!,
      single: [...matches[at]!.use.hash, ...matches[at]!.use.sort].every(
        (_, part) => matches[at]!.parts[part]?.exact,
      ),
      filter: rest[at]!,
    })),
    refused,
  }
}

function chooseCommon(
  members: readonly Member[],
  query: QueryState,
  { warn }: PlanContext,
  text: string,
): Candidate & Pick<CollectionPlan, 'refused'> {
  const { index: wanted } = query
  const refused: { index: string; reason: string }[] = []
  let incomplete: Candidate | undefined
  let best: (Candidate & { readonly count: number }) | undefined
  let problem: unknown
  const { schema } = members[0]!.model
  if (wanted !== undefined) {
    for (const { model } of members) findIndex(wanted, { model, text, warn })
  }
  for (const index of schema.indexes.values()) {
    if (wanted !== undefined && wanted !== index.name) continue
    try {
      const found = matchAll(index)
      if (typeof found === 'string') {
        refused.push({ index: index.name, reason: found })
        continue
      }
      const candidate = candidateOf(index, found)
      if (candidate.gaps.length > 0 && wanted === undefined) {
        refused.push({ index: index.name, reason: `can lack ${describeGaps(candidate.gaps)}` })
        incomplete ??= candidate
        continue
      }
      const count = found.reduce((sum, { sortCount }) => sum + sortCount, 0)
      const isBetter = best === undefined || (best.index.type !== 'primary' && count > best.count)
      const loser = isBetter ? best?.index : index
      if (loser) refused.push({ index: loser.name, reason: 'could serve; another was preferred' })
      if (isBetter) best = { ...candidate, count }
    } catch (error) {
      // What the keys or the items of one index can't answer, those of another may.
      if (!(error instanceof KeyComponentError || error instanceof PlanError)) throw error
      problem ??= error
      refused.push({ index: index.name, reason: 'could not answer it all' })
    }
  }
  if (best !== undefined) return { ...best, refused }
  if (incomplete !== undefined) {
    const { name } = incomplete.index
    refusePlan(
      'PLAN_INCOMPLETE',
      text,
      `Index "${name}" can answer it, but ${describeGaps(incomplete.gaps)} are not in it and could match.`,
      `read it as it is by useIndex('${name}'); make the attribute required; or add an index that has all items`,
      refused.map(({ index, reason }) => `${index}: ${reason}`),
    )
  }
  if (problem !== undefined) throw problem
  return refusePlan(
    'PLAN_NO_INDEX',
    text,
    `No index has ${members.map(({ model }) => model.name).join(' and ')} in one partition that is given.`,
    'give all attributes of a partition key that the models share, or query them one by one',
    refused.map(({ index, reason }) => `${index}: ${reason}`),
  )

  function candidateOf(index: Index, matches: readonly KeyMatch[]): Candidate {
    const { schema } = members[0]!.model
    const { typeField } = schema.params
    refuseInconsistent(query, index, text)
    const rest = members.map(({ model, conjuncts }, at) => {
      const filter = filterOf(conjuncts, matches[at]!)
      refuseUnreadable({ ...query, model }, filter, index, text)
      return filter
    })
    if (!isProjected(index, typeField)) {
      refusePlan(
        'PLAN_PROJECTION',
        text,
        `Index "${index.name}" does not have "${typeField}", which tells the models apart.`,
        'project it in the index',
      )
    }
    const gaps = members.flatMap(({ model, conjuncts }, at) =>
      gapsOf(model, matches[at]!.use, conjuncts.where).map((gap) => ({
        ...gap,
        model: model.name,
      })),
    )
    return { index, matches, rest, gaps }
  }

  /** How the keys of an index answer for each model; or why they don't. */
  function matchAll(index: Index): KeyMatch[] | string {
    const matches: KeyMatch[] = []
    for (const { model, conjuncts } of members) {
      const use = model.indexes.find((each) => each.index === index)
      const match = use && matchKey(use, conjuncts, { model, text, warn })
      if (match === undefined) {
        return use
          ? `${model.name} ${needOf(model, use, conjuncts) ?? 'is spread over several partitions'}`
          : `${model.name} is not in it`
      }
      const [before = match] = matches
      if (index.hash.some((_, at) => !sameValue(keyValue(before, at), keyValue(match, at)))) {
        return `${model.name} is in another partition than ${members[0]!.model.name}`
      }
      // A partition that holds everything is read only if the caller names the index.
      if (!match.fixed && wanted === undefined)
        return `${model.name} ${needOf(model, use!, conjuncts)}`
      matches.push(match)
    }
    return matches
  }
}

/** The value that a part of the partition key must have. */
function keyValue({ parts }: KeyMatch, at: number): AttributeValue | undefined {
  return valuesOf(parts[at]?.condition)[0]
}

/** The values that a condition on a key compares with. */
export function valuesOf(condition: Where | undefined): AttributeValue[] {
  // The first operand of such a condition is the key attribute.
  const [reference, ...values] = (condition?.operands ?? []) as [Reference?, ...unknown[]]
  return reference ? values.map((value) => reference.codec.encode(value, [])) : []
}

interface CommonRange {
  readonly sort: readonly Where[]
  readonly low?: string | undefined
  readonly high?: string | undefined
}

/** The smallest range of sort keys that has those of all models. */
function commonRange(conditions: readonly (readonly Where[])[]): CommonRange {
  const [first = []] = conditions
  const textOf = (all: readonly Where[]): string =>
    JSON.stringify(all.map((each) => [each.operator, valuesOf(each)]))
  const isSame = conditions.every((each) => textOf(each) === textOf(first))
  const ranges = conditions.map((each) => (each.length === 1 ? textRange(each[0]!) : undefined))
  let low: string | undefined = ranges[0]?.[0]
  let high: string | undefined = ranges[0]?.[1]
  for (const range of ranges) {
    if (range === undefined) return { sort: isSame ? first : [] }
    if (compareUtf8(range[0], low!) < 0) low = range[0]
    if (compareUtf8(range[1], high!) > 0) high = range[1]
  }
  // One model's range may have those of all others in it.
  const widest = ranges.findIndex((range) => range?.[0] === low && range?.[1] === high)
  if (widest >= 0) return { sort: conditions[widest]!, low, high }
  const reference = storedReference((first[0]!.operands[0] as Reference).path[0])
  // DynamoDB refuses longer texts, also where they are only compared with keys.
  const sort =
    utf8Length(high!) > SORT_KEY_MAX_BYTES
      ? createWhere('>=', [reference, { S: low! }])
      : createWhere('BETWEEN', [reference, { S: low! }, { S: high! }])
  return { sort: [sort], low, high }
}

/** The first and the last text that a condition on a sort key lets through; `undefined` if it is open or no text. */
function textRange(condition: Where): readonly [string, string] | undefined {
  const [low, high = low] = valuesOf(condition).map(({ S }) => S)
  if (low === undefined || high === undefined || !/^[=Bb]/.test(condition.operator))
    return undefined
  return [low, condition.operator === 'begins_with' ? low + LAST : high]
}
