import { type PlanContext, placeOf } from '../plan/plan-context.ts'
import type { Reference } from '../plan/reference.ts'
import { referencesOf } from '../plan/references.ts'
import type { ReadState } from '../plan/state.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { Builder, resolveTarget } from './builder.ts'

/** The words that all reads have. */
export abstract class Read<TState extends ReadState> extends Builder<TState> {
  protected override onlyReads(): boolean {
    return true
  }

  consistent(): this {
    return this.patch({ consistentRead: true })
  }

  consistentRead(): this {
    return this.consistent()
  }

  includeExpired(): this {
    return this.patch({ includeExpired: true })
  }

  protected patch(patch: Partial<ReadState>): this {
    // All states of reads have these members.
    return this.with(patch as Partial<TState>)
  }
}

/** Reads of one model can give some attributes alone. */
export abstract class SelectingRead<TState extends ReadState> extends Read<TState> {
  select(selection: unknown): this {
    return this.patch({ select: selectionOf(this.state.model, selection, this.context) })
  }
}

export function selectionOf(
  model: Model,
  selection: unknown,
  context: PlanContext,
): readonly Reference[] {
  const place = placeOf(context, model, 'select')
  const chosen = typeof selection === 'function' ? selection(referencesOf(model)) : selection
  if (!Array.isArray(chosen) || chosen.length === 0) {
    refuseInput(
      'select() needs a list of attributes',
      place,
      "give names, as in select(['title']), or leave it out for all attributes",
    )
  }
  return chosen.map((target) =>
    resolveTarget(model, typeof selection === 'function' ? () => target : target, place),
  )
}
