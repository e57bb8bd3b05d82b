import { placeOf } from '../plan/plan-context.ts'
import type { Assignment, UpdateState } from '../plan/state.ts'
import { planUpdate } from '../plan/write/plan-update.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { resolveTarget } from './builder.ts'
import { Write } from './write.ts'

/** An assignment whose target is not resolved yet. */
interface Change {
  readonly kind: Assignment['kind']
  readonly target: unknown
  readonly value?: unknown
}

export class Update extends Write<UpdateState> {
  protected get verb(): string {
    return this.state.verb
  }

  protected plan(): UpdatePlan {
    return planUpdate(this.state, this.context)
  }

  set(target: unknown, value?: unknown): this {
    return this.assignAll('set', target, value)
  }

  setDefault(target: unknown, value?: unknown): this {
    return this.assignAll('default', target, value)
  }

  remove(...targets: readonly unknown[]): this {
    return this.assign(targets.map((target) => ({ kind: 'remove', target })))
  }

  add(target: unknown, value: unknown): this {
    return this.assign([{ kind: 'add', target, value: membersOf(value) }])
  }

  delete(target: unknown, members: unknown): this {
    return this.assign([{ kind: 'delete', target, value: membersOf(members) }])
  }

  append(target: unknown, values: unknown): this {
    return this.insert('append', target, values)
  }

  prepend(target: unknown, values: unknown): this {
    return this.insert('prepend', target, values)
  }

  given(given: object): this {
    return this.with({ given: { ...this.state.given, ...this.requireGiven(given) } })
  }

  ifVersion(version: number): this {
    // Nothing must not be taken for no condition.
    return this.with({ version: version ?? Number.NaN })
  }

  returning(returning: UpdateState['returning']): this {
    return this.with({ returning })
  }

  private assignAll(kind: 'set' | 'default', target: unknown, value: unknown): this {
    if (typeof target !== 'object' || target === null) return this.assign([{ kind, target, value }])
    const changes = Object.entries(target)
    return this.assign(changes.map(([name, each]) => ({ kind, target: name, value: each })))
  }

  private insert(kind: 'append' | 'prepend', target: unknown, values: unknown): this {
    if (Array.isArray(values)) return this.assign([{ kind, target, value: values }])
    return refuseInput(
      `${kind}() needs a list of elements`,
      placeOf(this.context, this.state.model, this.state.verb),
      'put the element into brackets',
    )
  }

  private assign(changes: readonly Change[]): this {
    const { model, assignments, verb } = this.state
    const place = placeOf(this.context, model, verb)
    const added = changes.map(
      // Values are judged when the update is planned.
      ({ kind, target, value }) => ({ kind, target: resolveTarget(model, target, place), value }),
    )
    return this.with({ assignments: assignments.length > 0 ? [...assignments, ...added] : added })
  }
}

/** Members of a set may be given as a list. */
function membersOf(value: unknown): unknown {
  return Array.isArray(value) ? new Set(value) : value
}
