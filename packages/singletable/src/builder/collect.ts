import { didYouMean } from '../errors/did-you-mean.ts'
import type { InputIssue } from '../errors/input-error.ts'
import { printPlace } from '../errors/print-place.ts'
import { kindOfValue, showValue } from '../errors/show-value.ts'
import { type Collected, type Groups, groupCollected } from '../execute/collect-items.ts'
import { derivePage, fetchAll, fetchPage, type Page } from '../execute/execute-query.ts'
import type { ReadOptions } from '../execute/table-context.ts'
import { keepUndecoded } from '../execute/undecoded.ts'
import { operators } from '../plan/operators.ts'
import { keyCondition } from '../plan/pattern-question.ts'
import { referencesOf } from '../plan/references.ts'
import { fillScope } from '../plan/scope.ts'
import { type MemberState, NEW_QUERY } from '../plan/state.ts'
import { addIssue, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { setOwn } from '../values/own.ts'
import { andWhere, type BuilderContext, requireList, type WhereCallback } from './builder.ts'
import { Paged } from './paged.ts'
import { selectionOf } from './read.ts'

/** One page of a collection: what it has of each model, and where the next page starts. */
export interface GroupsPage<TGroups = Groups> extends Omit<Page<object>, 'items'> {
  readonly groups: TGroups
}

/** A query over several models: what `CollectionBuilder` promises. */
export class Collect extends Paged {
  where(name: string, callback: WhereCallback): this {
    return this.ask(name, ({ model, where }) => ({ where: andWhere(model, where, callback) }))
  }

  select(name: string, names: readonly string[]): this {
    return this.ask(name, ({ model }) => ({
      select: selectionOf(model, requireList(names, this.placeOf('select')), this.context),
    }))
  }

  private ask(name: string, patch: (member: MemberState) => Partial<MemberState>): this {
    const { members = [] } = this.state
    const names = members.map(({ model }) => model.name)
    if (!names.includes(name)) {
      this.refuse(
        `${shown(name)} is not one of the models${didYouMean(name, names)}`,
        `name one of ${names.join(', ')}`,
      )
    }
    return this.with({
      members: members.map((member) =>
        member.model.name === name ? { ...member, ...patch(member) } : member,
      ),
    })
  }

  async execute(options?: ReadOptions): Promise<Groups> {
    const [context, call, plan] = this.start(options)
    const groups = groupCollected(plan, await fetchAll(context, call, plan, this.state.cursor))
    return keepUndecoded(groups, call.undecoded)
  }

  async page(options?: ReadOptions): Promise<GroupsPage> {
    const [context, call, plan] = this.start(options)
    const page = await fetchPage(context, call, plan, this.state.cursor)
    const { items, lastEvaluatedKey, count, scannedCount, consumedCapacity, undecoded } = page
    const members = {
      groups: groupCollected(plan, items),
      lastEvaluatedKey,
      count,
      scannedCount,
      ...(consumedCapacity && { consumedCapacity }),
      ...(undecoded && { undecoded }),
    }
    // What a plan with members gives.
    const given = (items as readonly object[] as readonly Collected[]).map(({ item }) => item)
    return keepUndecoded(derivePage(page, members, given), call.undecoded)
  }

  async tree(root: string, options?: ReadOptions): Promise<Record<string, unknown> | undefined> {
    const [context, call, plan] = this.start(options)
    const { members } = plan
    const top = members.find(({ model }) => model.name === root)
    const hidden = members.find(({ model }) => top?.model.attributes.has(model.name))?.model.name
    if (!top?.single || hidden !== undefined) {
      const why = !top
        ? 'it is not one of the models'
        : hidden === undefined
          ? 'there can be more than one of it'
          : `it has an attribute "${hidden}", which is also the name of a model`
      this.refuse(
        `${shown(root)} can't be the root of a tree: ${why}`,
        'name a model whose whole key is given, or use execute()',
      )
    }
    const groups = groupCollected(plan, await fetchAll(context, call, plan, this.state.cursor))
    const [tree] = groups[root] ?? []
    if (tree === undefined) return undefined
    for (const { model } of members) {
      if (model.name !== root) setOwn(tree, model.name, groups[model.name])
    }
    return keepUndecoded(tree, call.undecoded)
  }

  protected placeOf(verb: string): string {
    return printPlace({ table: this.context.name, verb })
  }
}

/** A name that may be anything. */
function shown(name: unknown): string {
  return showValue(name) ?? kindOfValue(name)
}

/**
 * Starts a query for the items of these models that have these values. A value says nothing about
 * models that have no such attribute.
 */
export function createCollect(
  context: BuilderContext,
  names: readonly string[],
  values: object,
  /** The attributes of a pattern whose case does not count. */
  ignoreCase?: readonly string[],
): Collect {
  const place = `table "${context.name}", collect()`
  const { models } = context.schema
  const issues: InputIssue[] = []
  const chosen = requireList(names, place).flatMap((name) => {
    const model = models.get(name)
    if (!model) addIssue(issues, `is not a model${didYouMean(String(name), models.keys())}`, name)
    return model ?? []
  })
  if (chosen.length === 0 && issues.length === 0) addIssue(issues, 'no model is named')
  if (issues.length > 0) refuseInput(issues, place, `name some of ${[...models.keys()].join(', ')}`)
  let asked = values ?? {}
  for (const model of chosen) asked = fillScope(context, model, asked, 'collect')
  const entries = Object.entries(asked)
  const has = (model: Model, name: string): boolean => Object.hasOwn(referencesOf(model), name)
  for (const [name, value] of entries) {
    if (value === undefined) addIssue(issues, 'is undefined', name)
    if (!chosen.some((model) => has(model, name))) {
      addIssue(issues, 'is not an attribute of any of the models', name)
    }
  }
  if (issues.length > 0) {
    refuseInput(issues, place, 'give attributes of the models that fix a partition key')
  }
  const members = chosen.map((model) => {
    // Names that the references don't have are left out here.
    const references = referencesOf(model) as { readonly [name: string]: unknown }
    const conditions = entries
      .filter(([name]) => has(model, name))
      .map(([name, value]) => keyCondition(references[name], name, value, ignoreCase))
    return { model, where: conditions.length > 0 ? operators.and(...conditions) : undefined }
  })
  return new Collect(context, { ...NEW_QUERY, model: chosen[0]!, members })
}
