import { operators } from '../plan/operators.ts'
import { placeOf } from '../plan/plan-context.ts'
import { referencesOf, toOperand } from '../plan/references.ts'
import type { QueryState } from '../plan/state.ts'
import type { Where } from '../plan/where.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { BatchGet } from './batch-get.ts'
import { BatchWrite } from './batch-write.ts'
import { type BuilderContext, requireList } from './builder.ts'
import { Check } from './check.ts'
import { Delete } from './delete.ts'
import { Get } from './get.ts'
import { Pages } from './pages.ts'
import { parseKey } from './parse-key.ts'
import { Put } from './put.ts'
import { Update } from './update.ts'

/** A model bound to a table: what `Entity` promises. */
export class BoundEntity {
  private readonly context: BuilderContext
  private readonly model: Model

  constructor(context: BuilderContext, model: Model) {
    this.context = context
    this.model = model
  }

  get(key: object): Get {
    return new Get(this.context, {
      model: this.model,
      select: undefined,
      consistentRead: false,
      capacity: undefined,
      key,
      includeExpired: false,
    })
  }

  put(input: object): Put {
    return this.newItem(input, 'put')
  }

  create(input: object): Put {
    return this.newItem(input, 'create')
  }

  update(key: object): Update {
    return this.change(key, 'update')
  }

  upsert(key: object): Update {
    return this.change(key, 'upsert')
  }

  delete(key: object): Delete {
    return new Delete(this.context, {
      model: this.model,
      where: undefined,
      capacity: undefined,
      key,
      version: undefined,
      returning: 'NONE',
      mustExist: false,
    })
  }

  check(key: object): Check {
    return new Check(this.context, {
      model: this.model,
      key,
      where: undefined,
      version: undefined,
    })
  }

  query(values?: object): Pages {
    return this.pages('query', values === undefined ? undefined : this.equalities(values))
  }

  scan(): Pages {
    return this.pages('scan', undefined)
  }

  batchGet(keys: readonly object[]): BatchGet {
    return new BatchGet(this.context, {
      model: this.model,
      select: undefined,
      consistentRead: false,
      capacity: undefined,
      keys: requireList(keys, placeOf(this.context, this.model, 'batchGet')),
      includeExpired: false,
    })
  }

  batchWrite(items: readonly object[]): BatchWrite {
    const { context, model } = this
    requireList(items, placeOf(context, model, 'batchWrite'))
    return new BatchWrite(context, { model, items, keys: [] })
  }

  parseKey(key: unknown): Record<string, unknown> | undefined {
    return parseKey(this.model, key)
  }

  renderKey(values: object): Record<string, unknown> {
    const { model, context } = this
    const key = model.encodeKey(values, placeOf(context, model, 'renderKey'), context.warn)
    return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, value.S]))
  }

  private newItem(input: object, verb: 'put' | 'create'): Put {
    return new Put(this.context, {
      model: this.model,
      where: undefined,
      capacity: undefined,
      input,
      verb,
      returning: 'NEW',
    })
  }

  private change(key: object, verb: 'update' | 'upsert'): Update {
    return new Update(this.context, {
      model: this.model,
      where: undefined,
      capacity: undefined,
      verb,
      key,
      assignments: [],
      given: undefined,
      version: undefined,
      returning: 'ALL_NEW',
    })
  }

  private pages(verb: QueryState['verb'], where: Where | undefined): Pages {
    return new Pages(this.context, {
      model: this.model,
      select: undefined,
      consistentRead: false,
      capacity: undefined,
      verb,
      where,
      index: undefined,
      forward: true,
      limit: undefined,
      pageSize: undefined,
      cursor: undefined,
      segment: undefined,
      hydrate: false,
      includeExpired: false,
      parallel: undefined,
    })
  }

  /** That each attribute has its value. */
  private equalities(values: object): Where {
    const { model, context } = this
    const place = placeOf(context, model, 'query')
    // Names that the references don't have are told when they are resolved.
    const references = referencesOf(model) as { readonly [name: string]: unknown }
    const refuse = (message: string, ...path: string[]): never =>
      refuseInput(
        [{ path, message }],
        place,
        'give attributes that fix a partition key, or leave the object out and use where()',
      )
    const conditions = Object.entries(values ?? {}).map(([name, value]) => {
      toOperand(references[name], place)
      return value === undefined
        ? refuse('is undefined', name)
        : operators.eq(references[name], value)
    })
    return conditions.length > 0 ? operators.and(...conditions) : refuse('no attribute was given')
  }
}
