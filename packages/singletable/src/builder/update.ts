import { checkOptions } from '../errors/check-options.ts'
import { placeOf } from '../plan/plan-context.ts'
import { referencesOf } from '../plan/references.ts'
import type { Assignment, UpdateState } from '../plan/state.ts'
import { updateOperators } from '../plan/update-values.ts'
import { planUpdate } from '../plan/write/plan-update.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { resolveTarget } from './builder.ts'
import { BaseWriteBuilder } from './write.ts'

/** An assignment whose target is not resolved yet. */
interface UnresolvedAssignment {
  readonly kind: Assignment['kind']
  readonly target: unknown
  readonly value?: unknown
  readonly from?: unknown
}

export class Update extends BaseWriteBuilder<UpdateState> {
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
    return this.assign(targets.flat().map((target) => ({ kind: 'remove', target })))
  }

  add(target: unknown, value?: unknown, options: object = {}): this {
    checkOptions({ where: this.place, names: ['from'] }, options)
    return this.assignAll('add', target, value, options)
  }

  delete(target: unknown, members?: unknown): this {
    return this.assignAll('delete', target, members)
  }

  append(target: unknown, values?: unknown): this {
    return this.assignAll('append', target, values)
  }

  prepend(target: unknown, values?: unknown): this {
    return this.assignAll('prepend', target, values)
  }

  given(given: object): this {
    return this.with({ given: { ...this.state.given, ...this.requireGiven(given) } })
  }

  ifVersion(version: number): this {
    return this.with({ version: this.requireVersion(version) })
  }

  returning(returning: UpdateState['returning']): this {
    const values = ['ALL_NEW', 'ALL_OLD', 'UPDATED_NEW', 'UPDATED_OLD', 'NONE']
    this.requireOneOf('returning', returning, values)
    return this.with({ returning })
  }

  private get place(): string {
    return placeOf(this.context, this.state.model, this.state.verb)
  }

  /** One change, or one for each member of an object. */
  private assignAll(
    kind: Assignment['kind'],
    target: unknown,
    value: unknown,
    options?: object,
  ): this {
    const isOne = typeof target !== 'object' || target === null
    const changes = isOne ? [[target, value]] : Object.entries(target)
    const inserts = kind === 'append' || kind === 'prepend'
    return this.assign(
      changes.flatMap(([each, given]) => {
        // In an object, what is undefined stays as it is.
        if (!isOne && given === undefined) return []
        if (inserts && !Array.isArray(given)) {
          refuseInput(
            `${kind}() needs a list of elements`,
            this.place,
            'put the element in brackets: [element]',
          )
        }
        if (kind === 'set' && typeof given === 'function') {
          const value = given(referencesOf(this.state.model), updateOperators)
          return { kind: 'compute', target: each, value }
        }
        const isOfSet = kind === 'add' || kind === 'delete'
        return { ...options, kind, target: each, value: isOfSet ? membersOf(given) : given }
      }),
    )
  }

  private assign(changes: readonly UnresolvedAssignment[]): this {
    const { model, assignments } = this.state
    const { place } = this
    // Values are judged when the update is planned.
    const added = changes.map((change) => ({
      ...change,
      target: resolveTarget(model, change.target, place),
    }))
    return this.with({ assignments: assignments.length > 0 ? [...assignments, ...added] : added })
  }
}

/** Members of a set may be given as a list. */
function membersOf(value: unknown): unknown {
  return Array.isArray(value) ? new Set(value) : value
}
