import { PlanError } from '../errors/plan-error.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { operators } from '../plan/operators.ts'
import { conditionsOf } from '../plan/pattern-question.ts'
import { withScope } from '../plan/scope.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { Pattern } from '../schema/model.ts'
import type { GetPattern, QueryPattern, UpdatePattern } from '../schema/pattern-definition.ts'
import { BoundEntity } from './bound-entity.ts'
import { type BuilderContext, requireList } from './builder.ts'
import { type Collect, createCollect } from './collect.ts'
import type { Get } from './get.ts'
import type { Pages } from './pages.ts'
import { checkInput, pickMembers } from './pattern-input.ts'
import { TransactWrite } from './transact-write.ts'
import type { Update } from './update.ts'

/** A builder of a call about one item. */
interface SingleBuilder {
  dbParams(): object
  execute(options?: CallOptions): Promise<unknown>
}

/** Makes of a pattern and its input the builder that a caller would have written. */
export class PatternBuilder {
  readonly context: BuilderContext
  readonly pattern: Pattern
  private readonly place: string

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
        const put = entity[definition.op](given)
        return exactlyOnce ? put.exactlyOnce() : put
      }
      case 'update': {
        const update = this.update(definition, given)
        return exactlyOnce ? update.exactlyOnce() : update
      }
      case 'delete': {
        const deletion = entity.delete(this.key(given))
        return exactlyOnce ? deletion.exactlyOnce() : deletion.returning('ALL_OLD')
      }
      case 'check':
        return entity.check(this.key(given))
      default:
        return this.get(given)
    }
  }

  /** Of a pattern about several items by key. */
  gets(input: unknown): Get[] {
    // What is no list is refused.
    const list = requireList(input as readonly unknown[], this.place)
    return list.map((each) => this.get(this.checked(each)))
  }

  transaction(input: unknown): TransactWrite {
    const { context, pattern, place } = this
    const members = new Map([...pattern.steps.keys()].map((step) => [step, true]))
    checkInput({ ...pattern, input: members }, input, place)
    let transaction = new TransactWrite(context, [])
    for (const [step, part] of pattern.steps) {
      const builder = new PatternBuilder(context, part, `${place}, step "${step}"`)
      // An input that was accepted is an object.
      transaction = transaction.add(builder.single(ownValue(input as object, step)))
    }
    return transaction
  }

  /** Of a query or a scan. */
  pages(input: unknown): Pages | Collect {
    const { pattern, context } = this
    const entity = this.entity()
    if (pattern.definition.op !== 'query') return entity.scan()
    const { index = 'primary', by, order, consistent, project } = pattern.definition
    const given = this.checked(input)
    const names = pattern.models.map(({ name }) => name)
    let pages: Pages | Collect
    if (names.length > 1) pages = createCollect(context, names, pickMembers(given, by), index)
    else {
      const [first, ...rest] = conditionsOf(pattern, given, context.scope)
      pages = entity.query()
      if (first) pages = pages.where(() => operators.and(first, ...rest))
      const { target } = pattern
      const isOther = target !== undefined && target !== pattern.models[0]
      const select = isOther ? target.primary.names : project
      if (select) pages = pages.select(select)
      if (target && !isOther) pages = pages.hydrate()
    }
    pages = pages.useIndex(index).scanIndexForward(order !== 'desc')
    return consistent ? pages.consistentRead() : pages
  }

  /** What was found, or the items it refers to; those that are gone are left out. */
  async follow(
    found: readonly object[],
    options: CallOptions | undefined,
  ): Promise<readonly object[]> {
    const { target, definition, models } = this.pattern
    // Whole items of the same entity are there already.
    if (target === undefined || target === models[0]) return found
    const { project } = definition as QueryPattern
    const batch = new BoundEntity(this.context, target).batchGet(found)
    const items = await (project ? batch.select(project) : batch).execute(options)
    return items.filter((item) => item !== undefined) as object[]
  }

  private get(key: object): Get {
    const { project, consistent } = this.pattern.definition as GetPattern
    let get = this.entity().get(this.key(key))
    if (project) get = get.select(project)
    return consistent ? get.consistentRead() : get
  }

  private update({ set = [], add = [], remove = [] }: UpdatePattern, input: object): Update {
    let update = this.entity().update(this.key(input)).set(pickMembers(input, set))
    for (const [name, value] of Object.entries(pickMembers(input, add))) {
      update = update.add(name, value)
    }
    return update.remove(...remove)
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
        ? [`${definition.service} answers it, not the table: ${definition.reason}`, 'ask it there']
        : ['It reads the whole table and names no entity to give', 'name one in the schema']
    throw new PlanError('PLAN_INVALID', { what: `${what}.`, where: this.place, fix })
  }
}
