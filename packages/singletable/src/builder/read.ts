import { placeOf } from '../plan/plan-context.ts'
import type { Reference } from '../plan/reference.ts'
import { referencesOf } from '../plan/references.ts'
import type { ReadState } from '../plan/state.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { Builder, resolveTarget } from './builder.ts'

/** The words that all reads have. */
export abstract class Read<TState extends ReadState> extends Builder<TState> {
  select(selection: unknown): this {
    const { model } = this.state
    const place = placeOf(this.context, model, 'select')
    const chosen = typeof selection === 'function' ? selection(referencesOf(model)) : selection
    if (!Array.isArray(chosen) || chosen.length === 0) {
      refuseInput(
        [{ path: [], message: 'select() needs a list of attributes' }],
        place,
        "give names, as in select(['title']), or leave it out for all attributes",
      )
    }
    const select: Reference[] = chosen.map((target) =>
      resolveTarget(model, typeof selection === 'function' ? () => target : target, place),
    )
    return this.patch({ select })
  }

  consistentRead(): this {
    return this.patch({ consistentRead: true })
  }

  includeExpired(): this {
    return this.patch({ includeExpired: true })
  }

  private patch(patch: Partial<ReadState>): this {
    // All states of reads have these members.
    return this.with(patch as Partial<TState>)
  }
}
