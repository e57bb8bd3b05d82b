import { BoundEntity } from '../builder/bound-entity.ts'
import type { BuilderContext } from '../builder/builder.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { type Call, startCall } from '../execute/call.ts'
import { isExpired } from '../execute/decode-found.ts'
import { READ, send } from '../execute/send.ts'
import { sendWrites } from '../execute/transact-write.ts'
import type { WritePlan } from '../plan/plan.ts'
import { planCompanions } from '../plan/plan-companions.ts'
import { planWrite } from '../plan/plan-write.ts'
import { assertItem } from '../plan/stage-write.ts'
import type { KnownValues } from '../plan/write-condition.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { Counter, Model } from '../schema/model.ts'
import { OWNER } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { plainItem } from './changes-of.ts'
import { indexBy } from './copy-groups.ts'
import { modelOf } from './model-of.ts'
import { keyOf, Propagation } from './propagation.ts'

/** One thing that does not agree. */
export interface Finding {
  readonly kind:
    | 'copy-of-stale'
    | 'copy-missing'
    | 'copy-stale'
    | 'copy-orphaned'
    | 'unique-missing'
    | 'unique-taken'
    | 'unique-orphaned'
    | 'counter-wrong'
    | 'unreadable'
  /** The model of the item it was found at; `undefined` for guards of unique values. */
  readonly entity: string | undefined
  /** The item's key as it is stored. */
  readonly key: Record<string, unknown>
  /** What is wrong, as a sentence. */
  readonly message: string
  readonly repaired: boolean
}

type Problem = Pick<Finding, 'kind' | 'message'> & { readonly writes: readonly WritePlan[] }

/** An item that is written again and again is left to the next verification. */
const ATTEMPTS_MAX = 5

/** Looks at items one by one, and mends what is wrong if that is wanted. */
export class Inspection {
  /** Counters that can't be checked. */
  readonly skipped: string[] = []
  readonly #context: BuilderContext
  readonly #repair: boolean
  readonly #call: Call
  readonly #propagation: Propagation
  readonly #counters = new Map<Model, { readonly child: Model; readonly counter: Counter }[]>()
  readonly #signal: AbortSignal | undefined

  constructor(
    context: BuilderContext,
    options: { repair: boolean; signal: AbortSignal | undefined; where: string },
  ) {
    this.#context = context
    this.#repair = options.repair
    this.#signal = options.signal
    this.#call = startCall(context, 'verifyCopies', undefined, { signal: options.signal })
    this.#propagation = new Propagation(context, options.where, false)
    for (const child of context.schema.models.values()) {
      for (const counter of child.companions?.counters ?? []) {
        const { parent, attribute, links } = counter
        if (indexBy(child, [...links.values()])) {
          this.#counters.set(parent, [...(this.#counters.get(parent) ?? []), { child, counter }])
        } else {
          const by = [...links.values()].join(' and ')
          this.skipped.push(
            `${parent.name}.${attribute.name}: no index finds the items of ${child.name} by ${by}`,
          )
        }
      }
    }
  }

  /** What is wrong with an item that was just read. */
  async inspect(item: Item, key: Item): Promise<readonly Finding[]> {
    const model = modelOf(this.#context.schema, item)
    const entity = typeof model === 'string' ? undefined : model.name
    const finding = (kind: Finding['kind'], message: string, repaired: boolean): Finding => {
      return { kind, entity, key: plainItem(key), message, repaired }
    }
    try {
      if (model === 'unique')
        return await this.#settle(item, key, (now) => this.#guard(now, key), finding)
      if (typeof model === 'string' || isExpired(model, item, this.#context)) return []
      if (model.source) {
        return await this.#settle(item, key, (now) => this.#copy(model, now, key), finding)
      }
      return [
        ...(model.companions
          ? await this.#settle(item, key, (now) => this.#companions(model, now, key), finding)
          : []),
        ...(await this.#counts(model, item, finding)),
        ...(await this.#copiesOf(model, item, finding)),
      ]
    } catch (error) {
      if (
        !SingletableError.is(error) ||
        !/^(DECODE_FAILED|INPUT_INVALID|ENTITY_MISMATCH)$/.test(error.code)
      ) {
        throw error
      }
      return [finding('unreadable', error.message, false)]
    }
  }

  /**
   * Looks for problems until two looks in a row agree: others may have been writing in between. Then mends them, each on the condition that
   * what decides has not changed.
   */
  async #settle(
    item: Item,
    key: Item,
    look: (item: Item) => Promise<readonly Problem[]>,
    finding: (kind: Finding['kind'], message: string, repaired: boolean) => Finding,
  ): Promise<readonly Finding[]> {
    let now: Item | undefined = item
    let before: readonly Problem[] | undefined
    let mended: readonly Problem[] = []
    for (let attempt = 0; now && attempt < ATTEMPTS_MAX; attempt++) {
      const problems: readonly Problem[] = await look(now)
      if (problems.length === 0) break
      const same =
        before?.map(({ message }) => message).join() ===
        problems.map(({ message }) => message).join()
      before = problems
      if (same) {
        if (!this.#repair) return problems.map(({ kind, message }) => finding(kind, message, false))
        const done = await Promise.all(problems.map((problem) => this.#mend(problem)))
        // A repair that was refused met a change; all is looked at anew.
        if (done.every((each, position) => each || problems[position]!.writes.length === 0)) {
          mended = problems
          break
        }
      }
      now = await this.#read(key)
    }
    return mended.map(({ kind, message, writes }) => finding(kind, message, writes.length > 0))
  }

  async #mend({ writes }: Problem): Promise<boolean> {
    if (writes.length === 0) return false
    const owners = writes.map(() => 0)
    return (
      (await sendWrites(this.#context, this.#call, { writes, owners }, undefined)) === undefined
    )
  }

  /** Copies and guards that an item should have. */
  async #companions(model: Model, item: Item, key: Item): Promise<readonly Problem[]> {
    const problems: Problem[] = []
    for (const plan of this.#expected(model, item, key)) {
      const { role, request } = plan
      const stored = await this.#read(plan.key)
      if (sameValue(stored, request.Item)) continue
      const check = this.#unchanged(model, key, item)
      if (role?.kind === 'copy') {
        problems.push({
          kind: stored ? 'copy-stale' : 'copy-missing',
          message: `its copy "${role.name}" ${stored ? 'differs from it' : 'is missing'}`,
          writes: [check, plan],
        })
        continue
      }
      const isOwn = !stored || sameValue(getOwn(stored, OWNER), getOwn(request.Item!, OWNER))
      const owner = isOwn ? undefined : await this.#ownerOf(stored)
      problems.push({
        kind: owner ? 'unique-taken' : 'unique-missing',
        message: owner
          ? `its unique "${role?.name}" is held by another item, which has the same value`
          : `nothing guards its unique "${role?.name}"`,
        // Which of two items is to change is not ours to decide.
        writes: owner ? [] : [check, isOwn ? plan : takeOver(plan, stored)],
      })
    }
    return problems
  }

  /** Whether a copy is one that its item has. */
  async #copy(model: Model, item: Item, key: Item): Promise<readonly Problem[]> {
    const source = model.source!
    const values = model.decode(item, false)
    const sourceKey = source.encodeKey(keyOf(source, values), this.#call.place)
    const owner = await this.#read(sourceKey)
    const isExpected =
      owner && this.#expected(source, owner, sourceKey).some((plan) => sameValue(plan.key, key))
    if (isExpected) return []
    const remove = this.#remove(model, key)
    return [
      {
        kind: 'copy-orphaned',
        message: owner ? `its ${source.name} has no such copy` : `its ${source.name} is gone`,
        writes: [this.#unchanged(source, sourceKey, owner), remove],
      },
    ]
  }

  /** Whether a guard is one of the item that it names. */
  async #guard(item: Item, key: Item): Promise<readonly Problem[]> {
    const [any] = this.#context.schema.models.values() as Iterable<Model> as [Model]
    const ownerKey = getOwn(item, OWNER)?.M
    if (ownerKey === undefined) return []
    const owner = await this.#read(ownerKey)
    const model = owner && modelOf(this.#context.schema, owner)
    if (owner && typeof model === 'object' && model.companions) {
      const isExpected = this.#expected(model, owner, ownerKey).some((plan) =>
        sameValue(plan.key, key),
      )
      if (isExpected) return []
    }
    const check = this.#unchanged(typeof model === 'object' ? model : any, ownerKey, owner)
    const remove = this.#remove(any, key, new Map([[OWNER, getOwn(item, OWNER)]]))
    return [
      {
        kind: 'unique-orphaned',
        message: owner
          ? 'the item that it names has another value'
          : 'the item that it names is gone',
        writes: [check, remove],
      },
    ]
  }

  /** Counters of an item, compared with what they count. */
  async #counts(
    model: Model,
    item: Item,
    finding: (kind: Finding['kind'], message: string, repaired: boolean) => Finding,
  ): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const options = { signal: this.#signal }
    for (const { child, counter } of this.#counters.get(model) ?? []) {
      const key = keyOf(model, model.decode(item, false))
      const encoded = model.encodeKey(key, this.#call.place)
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const before = attempt === 0 ? item : await this.#read(encoded)
        if (before === undefined) break
        const { stored, name } = counter.attribute
        const count = await this.#count(child, counter, key, options)
        const known = getOwn(before, stored)
        if (Number(known?.N ?? 0) === count) break
        // What was counted is compared with a counter that has stood still meanwhile.
        if (attempt === 0) continue
        const value = { N: String(count) }
        const set = planWrite({ model }, this.#context, {
          action: 'Update',
          verb: 'update',
          place: this.#call.place,
          key: encoded,
          changes: [{ kind: 'set', name, path: [stored], value }],
          exists: true,
          version: undefined,
          known: new Map([[stored, known]]),
        })
        const repaired =
          this.#repair && (await this.#mend({ kind: 'counter-wrong', message: '', writes: [set] }))
        if (this.#repair && !repaired) continue
        const message = `"${name}" is ${known?.N ?? 'absent'}, and there are ${count} of ${child.name}`
        findings.push(finding('counter-wrong', message, repaired))
        break
      }
    }
    return findings
  }

  async #count(
    child: Model,
    { links, when }: Counter,
    key: object,
    options: { signal: AbortSignal | undefined },
  ): Promise<number> {
    const values: Record<string, unknown> = {}
    for (const [name, link] of links) setOwn(values, link, ownValue(key, name))
    const { index } = indexBy(child, [...links.values()])!
    let query = new BoundEntity(this.#context, child).query(values).useIndex(index.name)
    if (index.type !== 'global') query = query.consistentRead()
    for (const [name, allowed] of when ?? []) {
      query = query.where((attr, op) => {
        // References and operators of the model, whose types only its interface has.
        const operators = op as { in(reference: unknown, values: readonly unknown[]): unknown }
        return operators.in(ownValue(attr, name), allowed)
      })
    }
    return query.includeExpired().count(options)
  }

  /** Attributes that repeat those of other items. */
  async #copiesOf(
    model: Model,
    item: Item,
    finding: (kind: Finding['kind'], message: string, repaired: boolean) => Finding,
  ): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const options = { signal: this.#signal }
    for (const group of this.#propagation.groups) {
      if (group.model !== model) continue
      const output = model.decode(item, false)
      const stale = await this.#propagation.staleCopies(group, output, options)
      if (!stale || stale.length === 0) continue
      const now = await this.#propagation.read(model, keyOf(model, output), options)
      const still = now && (await this.#propagation.staleCopies(group, now, options))
      if (!now || !still || still.length === 0) continue
      if (this.#repair) await this.#propagation.updateItem(model, now, options)
      const message = `${still.map((name) => `"${name}"`).join(', ')} differs from ${group.source.name}`
      findings.push(finding('copy-of-stale', message, this.#repair))
    }
    return findings
  }

  /** The writes that would make an item's copies and guards anew. */
  #expected(model: Model, item: Item, key: Item): readonly WritePlan[] {
    if (!model.companions || isExpired(model, item, this.#context)) return []
    const following = planCompanions({
      context: this.#context,
      model,
      place: this.#call.place,
      keys: [key, key],
      before: undefined,
      after: item,
      whole: true,
    })
    return following.filter((each): each is WritePlan => each.kind === 'write')
  }

  /** Whether a guard's owner still has the value, so that the guard is rightly its own. */
  async #ownerOf(guard: Item): Promise<Item | undefined> {
    const key = getOwn(guard, OWNER)?.M
    const owner = key && (await this.#read(key))
    const model = owner && modelOf(this.#context.schema, owner)
    if (!owner || typeof model !== 'object') return undefined
    const guards = this.#expected(model, owner, key)
    return guards.some(
      (plan) =>
        sameValue(getOwn(plan.request.Item!, OWNER), getOwn(guard, OWNER)) && isAt(plan, guard),
    )
      ? owner
      : undefined
  }

  #unchanged(model: Model, key: Item, item: Item | undefined): WritePlan {
    return planWrite({ model }, this.#context, {
      action: 'ConditionCheck',
      verb: 'check',
      place: this.#call.place,
      key,
      version: undefined,
      known: assertItem(model, item, []),
    })
  }

  #remove(model: Model, key: Item, known?: KnownValues): WritePlan {
    return planWrite({ model }, this.#context, {
      action: 'Delete',
      verb: 'delete',
      place: this.#call.place,
      key,
      version: undefined,
      ...(known && { known }),
    })
  }

  async #read(Key: Item): Promise<Item | undefined> {
    const request = { TableName: this.#context.name, Key, ConsistentRead: true }
    return (await send(this.#context, this.#call, 'GetItem', request, READ)).Item
  }
}

/** Whether the guard that is there is the planned one. */
function isAt({ key }: WritePlan, guard: Item): boolean {
  return Object.entries(key).every(([name, value]) => sameValue(getOwn(guard, name), value))
}

/** Claims a guard that names an item without that value, on the condition that it still does. */
function takeOver(plan: WritePlan, stored: Item): WritePlan {
  const request = {
    ...plan.request,
    ConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': OWNER },
    ExpressionAttributeValues: { ':owner': getOwn(stored, OWNER)! },
  }
  return { ...plan, request }
}
