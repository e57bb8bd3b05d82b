import { InputError } from '../errors/input-error.ts'
import { PlanError } from '../errors/plan-error.ts'
import type { StepOf } from '../execute/canceled.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { operators } from '../plan/operators.ts'
import { conditionsOf, filterConditions } from '../plan/pattern-question.ts'
import type { Explanation } from '../plan/plan.ts'
import { referencesOf } from '../plan/references.ts'
import { withScope } from '../plan/scope.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { Pattern } from '../schema/model.ts'
import type {
  AskedUpdate,
  GetPattern,
  StepPattern,
  UpdatePattern,
} from '../schema/pattern-definition.ts'
import { BoundEntity } from './bound-entity.ts'
import { type BuilderContext, requireList } from './builder.ts'
import type { Check } from './check.ts'
import { type Collect, createCollect } from './collect.ts'
import type { Delete } from './delete.ts'
import type { Get } from './get.ts'
import type { Pages } from './pages.ts'
import { checkInput, pickMembers } from './pattern-input.ts'
import type { Addition } from './plan-addition.ts'
import type { Put } from './put.ts'
import { sharedValues, withShared } from './shared-values.ts'
import { TransactWrite } from './transact-write.ts'
import type { Update } from './update.ts'

/** A builder of a call about one item. */
interface SingleBuilder {
  dbParams(): object
  explain(): Explanation
  execute(options?: CallOptions): Promise<unknown>
}

/** Makes of a pattern and its input the builder that a caller would have written. */
export class PatternBuilder {
  readonly context: BuilderContext
  readonly pattern: Pattern
  readonly place: string

  constructor(context: BuilderContext, pattern: Pattern, place: string) {
    this.context = context
    this.pattern = pattern
    this.place = place
  }

  /** Of a pattern about one item. */
  single(input: unknown, exactlyOnce = false): SingleBuilder {
    const entity = this.entity()
    const given = this.checked(input)
    const { definition } = this.pattern
    switch (definition.op) {
      case 'create':
      case 'put': {
        const put = this.where(entity[definition.op](this.item(given)), given)
        return exactlyOnce ? put.exactlyOnce() : put
      }
      case 'update': {
        const update = this.known(this.update(definition, given), given)
        return exactlyOnce ? update.exactlyOnce() : update
      }
      case 'delete': {
        const deletion = this.known(entity.delete(this.key(given)), given)
        return exactlyOnce ? deletion.exactlyOnce() : deletion.returning('ALL_OLD')
      }
      case 'check':
        return this.known(entity.check(this.key(given)), given)
      case 'get': {
        const { unique, by, select } = definition
        if (!unique) return this.get(given)
        const found = entity.getByUnique(pickMembers(given, by))
        return select ? found.select(select) : found
      }
      default:
        return this.get(given)
    }
  }

  /** Of a pattern about several items by key. */
  gets(input: unknown): Get[] {
    // Anything but a list is refused.
    const list = requireList(input as readonly unknown[], this.place)
    return list.map((each) => this.get(this.checked(each)))
  }

  /**
   * Of a transaction. What is wrong with any step is reported with all the others, when it is
   * planned.
   */
  transaction(input: unknown): TransactWrite {
    const { context, pattern, place } = this
    const shared = sharedValues(pattern, Object(input), context)
    const members = new Map([...pattern.steps.keys()].map((step) => [step, true]))
    for (const [name, value] of shared) members.set(name, value === undefined)
    const additions: Addition[] = []
    const add = (step: StepOf, build: () => unknown): void => {
      const addition = { action: undefined, position: additions.length, step } as const
      let write: unknown
      let problem: InputError | undefined
      try {
        write = build()
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        problem = error
      }
      if (write || problem) additions.push({ ...addition, verb: 'transactWrite', write, problem })
    }
    add({}, () => checkInput({ ...pattern, input: members }, input, place))
    for (const [step, part] of pattern.steps) {
      const builder = new PatternBuilder(context, part, `${place}, step "${step}"`)
      const own: unknown = ownValue(Object(input), step)
      const build = (given: unknown) => builder.single(withShared(part, given, shared))
      // What is missing was reported with the input.
      if (own === undefined) continue
      if (!(part.definition as StepPattern).each) add({ step }, () => build(own))
      else if (!Array.isArray(own)) add({ step }, () => requireList(own as never, builder.place))
      else for (const [element, given] of own.entries()) add({ step, element }, () => build(given))
    }
    return new TransactWrite(context, additions)
  }

  /** Of a query or a scan. */
  pages(input: unknown): Pages | Collect {
    const { pattern, context } = this
    const entity = this.entity()
    if (pattern.definition.op !== 'query') return entity.scan()
    const { definition } = pattern
    const { index = 'primary', by, order, consistent, select: own, gives } = definition
    const given = this.checked(input)
    const names = pattern.models.map(({ name }) => name)
    let pages: Pages | Collect
    if (names.length > 1)
      pages = createCollect(context, names, pickMembers(given, by), definition.ignoreCase)
    else {
      const [first, ...rest] = conditionsOf(pattern, given, context.scope)
      pages = entity.query()
      if (first) pages = pages.where(() => operators.and(first, ...rest))
      const { target } = pattern
      const select = this.fetchesOthers ? target!.primary.names : own
      if (select && !gives) pages = pages.select(select)
      if (target && !this.fetchesOthers) pages = pages.hydrate()
    }
    pages = pages.useIndex(index).scanIndexForward(order !== 'desc')
    return consistent ? pages.consistentRead() : pages
  }

  /**
   * Whether items of another entity are fetched by what was found; whole items of the same one are
   * there already.
   */
  get fetchesOthers(): boolean {
    const { target, models } = this.pattern
    return target !== undefined && target !== models[0]
  }

  /** What was found, or the items it refers to; undefined for those that are gone. */
  async followEach(
    found: readonly object[],
    options: CallOptions | undefined,
  ): Promise<readonly (object | undefined)[]> {
    const { target, definition } = this.pattern
    if (target === undefined || !this.fetchesOthers) return found
    const { select } = definition as GetPattern
    const batch = new BoundEntity(this.context, target).batchGet(found)
    const items = await (select ? batch.select(select) : batch).execute(options)
    return items as (object | undefined)[]
  }

  private get(key: object): Get {
    const { select, consistent } = this.pattern.definition as GetPattern
    let get = this.entity().get(this.key(key))
    if (select) get = get.select(select)
    return consistent ? get.consistentRead() : get
  }

  private update({ set = [], add = [], remove = [], creates }: AskedUpdate, input: object): Update {
    const update = this.entity()[creates ? 'upsert' : 'update'](this.key(input))
    return update.set(pickMembers(input, set)).add(pickMembers(input, add)).remove(remove)
  }

  /**
   * With the version, the current values and the conditions of a call. What is not given is not
   * there.
   */
  private known<TWrite extends Update | Delete | Check>(write: TWrite, input: object): TWrite {
    const { given: names, ifVersion } = this.pattern.definition as UpdatePattern
    const { version } = this.pattern.models[0]!
    // The pattern was compiled, so there is one; and builders give others of their own class.
    let known = ifVersion ? write.ifVersion(ownValue(input, version!.name) as number) : write
    if (names && 'given' in known) {
      const given = Object(ownValue(input, 'given'))
      known = known.given(Object.fromEntries(names.map((name) => [name, ownValue(given, name)])))
    }
    return this.where(known as TWrite, input)
  }

  /** With the conditions of the pattern. */
  private where<TWrite extends Put | Update | Delete | Check>(
    write: TWrite,
    input: object,
  ): TWrite {
    const { filter, models } = this.pattern
    const references = referencesOf(models[0]!) as { readonly [name: string]: unknown }
    const [first, ...rest] = filterConditions(filter, references, input)
    // As above.
    return first ? (write.where(() => operators.and(first, ...rest)) as TWrite) : write
  }

  /** What is written whole: the input without what only conditions take from it. */
  private item(input: object): object {
    const { filter, models } = this.pattern
    if (filter.length === 0) return input
    const asked = filter.flatMap(({ operands }) => operands.map((each) => each.input))
    const names = Object.keys(input).filter(
      (name) => models[0]!.attributes.has(name) || !asked.includes(name),
    )
    return pickMembers(input, names)
  }

  private key(input: object): object {
    return pickMembers(input, (this.pattern.definition as GetPattern).by)
  }

  private checked(input: unknown): object {
    const { context, pattern, place } = this
    const { by } = pattern.definition as { readonly by?: readonly string[] }
    const [model] = pattern.models
    let given = input
    if (context.scope && model && by && typeof input === 'object' && input !== null) {
      given = withScope(context.scope, model, input, place, by)
    }
    checkInput(pattern, given, place)
    // Anything else was refused.
    return given as object
  }

  private entity(): BoundEntity {
    const { models, definition } = this.pattern
    if (models[0]) return new BoundEntity(this.context, models[0])
    const [what, fix] =
      definition.op === 'external'
        ? [
            `${definition.service} answers it, not the table: ${definition.reason}`,
            'ask that service',
          ]
        : ['It reads the whole table and names no entity to return', 'name one in the schema']
    throw new PlanError('PLAN_INVALID', { what: `${what}.`, where: this.place, fix })
  }
}
