import { operators } from '../plan/operators.ts'
import { placeOf } from '../plan/plan-context.ts'
import { referencesOf, toOperand } from '../plan/references.ts'
import { fillScope } from '../plan/scope.ts'
import { NEW_QUERY, NEW_READ, type QueryState } from '../plan/state.ts'
import type { Where } from '../plan/where.ts'
import { isObject, notAnObject, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { BatchGet } from './batch-get.ts'
import { type BuilderContext, requireList } from './builder.ts'
import { Get } from './get.ts'
import { Pages } from './pages.ts'
import { parseKey } from './parse-key.ts'
import { printAsJson } from './printed.ts'

/** What can be read of a model bound to a table: all that a copy has. */
export class BoundReads {
  static {
    printAsJson(BoundReads.prototype)
  }

  protected readonly context: BuilderContext
  protected readonly model: Model

  constructor(context: BuilderContext, model: Model) {
    this.context = context
    this.model = model
  }

  toJSON(): string {
    return `entity ${this.model.name} in table "${this.context.name}"`
  }

  get(key: object): Get {
    return new Get(this.context, {
      ...NEW_READ,
      model: this.model,
      key: this.inScope(key, 'get'),
    })
  }

  query(values?: object): Pages {
    const { scope } = this.context
    // A scope asks for its own values, whatever else is asked for.
    const asked = this.inScope(values === undefined ? scope && {} : values, 'query')
    return this.pages('query', asked === undefined ? undefined : this.equalities(asked))
  }

  scan(...given: readonly unknown[]): Pages {
    // Values that nobody asks for would give the items of all others as well.
    if (given.some((each) => each !== undefined)) {
      refuseInput(
        'scan() takes no values: it reads the whole table',
        placeOf(this.context, this.model, 'scan'),
        'use query() with the attributes of a key, or scan().where((attr, op) => …)',
      )
    }
    return this.pages('scan', undefined)
  }

  batchGet(keys: readonly object[]): BatchGet {
    return new BatchGet(this.context, {
      ...NEW_READ,
      model: this.model,
      keys: requireList(keys, placeOf(this.context, this.model, 'batchGet')).map((key) =>
        this.inScope(key, 'batchGet'),
      ),
    })
  }

  parseKey(key: unknown): Record<string, unknown> | undefined {
    return parseKey(this.model, key)
  }

  renderKey(values: object): Record<string, unknown> {
    const { model, context } = this
    const given = this.inScope(values, 'renderKey')
    const key = model.encodeKey(given, placeOf(context, model, 'renderKey'), context.warn)
    const { hash, sort } = model.primary
    return Object.fromEntries(
      [...hash, ...sort].map(({ name, attribute }) => {
        const value = key[name]!
        return [name, attribute ? attribute.codec.decode(value) : value.S]
      }),
    )
  }

  /** What the caller gives, with the values of the table's scope. */
  protected inScope<TInput extends object | undefined>(input: TInput, verb: string): TInput {
    return fillScope(this.context, this.model, input, verb)
  }

  private pages(verb: QueryState['verb'], where: Where | undefined): Pages {
    return new Pages(this.context, { ...NEW_QUERY, model: this.model, verb, where })
  }

  /** That each attribute has its value. */
  protected equalities(values: object): Where {
    const { model, context } = this
    const place = placeOf(context, model, 'query')
    // Names that the references don't have are reported when they are resolved.
    const references = referencesOf(model) as { readonly [name: string]: unknown }
    const refuse = (message: string, ...path: string[]): never =>
      refuseInput(
        [{ path, message }],
        place,
        'give attributes that fix a partition key, or leave the object out and use where()',
      )
    if (!isObject(values)) refuse(notAnObject(values))
    const conditions = Object.entries(values).map(([name, value]) => {
      const { codec } = toOperand(references[name], place) ?? {}
      const [operator = ''] = isObject(value) ? Object.keys(value) : []
      // Other libraries take comparisons as objects; only maps are equal to one.
      if (Object.hasOwn(operators, operator) && codec?.tag && codec.tag !== 'M') {
        refuseInput(
          [{ path: [name], message: "is an object, which can't be compared for equality" }],
          place,
          `compare it with where((attr, op) => op.${operator}(attr.${name}, value))`,
        )
      }
      return value === undefined
        ? refuse('is undefined', name)
        : operators.eq(references[name], value)
    })
    return conditions.length > 0 ? operators.and(...conditions) : refuse('no attribute was given')
  }
}
