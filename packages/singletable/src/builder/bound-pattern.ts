import { printPlace } from '../errors/print-place.ts'
import type { CallOptions, ReadOptions } from '../execute/table-context.ts'
import { planPattern } from '../plan/plan-pattern.ts'
import type { Pattern } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'
import { namedMembers } from './named-members.ts'
import { PatternBuilder } from './pattern-builder.ts'
import { BoundCall, BoundPageCall, BoundWriteCall, isPaged } from './pattern-call.ts'
import type { PageOptions } from './patterns.ts'

const WRITES: ReadonlySet<string> = new Set(['create', 'put', 'update', 'delete', 'transact'])

/** The functions of all patterns of a table: what `Patterns` promises. */
export function bindPatterns(context: BuilderContext): object {
  return namedMembers(
    'pattern',
    context.name,
    Array.from(context.schema.patterns, ([name, pattern]) => [
      name,
      bindPattern({ ...context, pattern: name }, pattern),
    ]),
  )
}

function bindPattern(context: BuilderContext, pattern: Pattern): object {
  const { op } = pattern.definition
  const place = printPlace({ table: context.name, pattern: pattern.name })
  const builder = new PatternBuilder(context, pattern, place)
  const common = {
    plan: (input?: object) => planPattern(pattern, input, context.environment.now()),
    params: (input: unknown) => new BoundCall(builder, input).params(),
    explain: (input: unknown) => new BoundCall(builder, input).explain(),
  }
  const bind = (call: object, more?: object): object =>
    Object.freeze(Object.assign(call, common, more))
  if (WRITES.has(op)) {
    return bind(
      (input: unknown, options?: CallOptions) => new BoundWriteCall(builder, input, options),
      {
        exactlyOnce: (input: unknown, options?: CallOptions) =>
          new BoundWriteCall(builder, input, options).exactlyOnce(),
      },
    )
  }
  if (!isPaged(pattern)) {
    return bind((input: unknown, options?: CallOptions) => new BoundCall(builder, input, options))
  }
  return bind(
    (input: unknown, options?: PageOptions) => new BoundPageCall(builder, input, options),
    {
      all: (input: unknown, options?: ReadOptions) =>
        new BoundPageCall(builder, input, options).all(),
    },
  )
}
