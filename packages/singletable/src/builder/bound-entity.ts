import { placeOf } from '../plan/plan-context.ts'
import type { UpdateState } from '../plan/state.ts'
import type { Model } from '../schema/model.ts'
import { BatchWrite } from './batch-write.ts'
import { BoundReads } from './bound-reads.ts'
import { type BuilderContext, requireList } from './builder.ts'
import { Check } from './check.ts'
import {
  type CollectionDeletion,
  createDeletion,
  type DeleteCollectionOptions,
} from './collection-deletion.ts'
import { Delete } from './delete.ts'
import { createGetByUnique, type GetByUnique } from './get-by-unique.ts'
import { Put } from './put.ts'
import { changeTo, requireItem, Save } from './save.ts'
import { Update } from './update.ts'

/** A model bound to a table: what `Entity` promises. */
export class BoundEntity extends BoundReads {
  getByUnique(given: object): GetByUnique {
    return createGetByUnique(this.context, this.model, given, this.inScope(given, 'getByUnique'))
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

  save(changed: object, original: object): Save {
    const { context, model } = this
    const place = placeOf(context, model, 'save')
    const before = this.inScope(requireItem(original, place), 'save')
    const after = this.inScope(requireItem(changed, place), 'save')
    const state = { ...this.updateState(before, 'update'), original: before }
    const hasUndeclared = context.undeclared?.get(model)?.inside !== undefined
    const difference = { changed: after, original: before, hasUndeclared, place }
    return changeTo(new Save(context, state), model, difference)
  }

  delete(key: object): Delete {
    return new Delete(this.context, {
      model: this.model,
      where: undefined,
      capacity: undefined,
      key: this.inScope(key, 'delete'),
      version: undefined,
      returning: 'NONE',
      mustExist: false,
    })
  }

  check(key: object): Check {
    return new Check(this.context, {
      model: this.model,
      key: this.inScope(key, 'check'),
      where: undefined,
      version: undefined,
    })
  }

  batchWrite(items: readonly object[]): BatchWrite {
    const { context, model } = this
    const given = requireList(items, placeOf(context, model, 'batchWrite'))
    const filled = given.map((item) => this.inScope(item, 'batchWrite'))
    return new BatchWrite(context, { model, items: filled, keys: [] })
  }

  deleteCollection(values: object, options?: DeleteCollectionOptions): CollectionDeletion {
    const given = this.inScope(values ?? {}, 'deleteCollection')
    const where = Object.keys(given).length > 0 ? this.equalities(given) : undefined
    return createDeletion(this.context, this.model, where, options)
  }

  private newItem(input: object, verb: 'put' | 'create'): Put {
    return new Put(this.context, {
      model: this.model,
      where: undefined,
      capacity: undefined,
      input: this.inScope(input, verb),
      verb,
      returning: 'NEW',
    })
  }

  private change(key: object, verb: 'update' | 'upsert'): Update {
    return new Update(this.context, this.updateState(this.inScope(key, verb), verb))
  }

  private updateState(key: object, verb: 'update' | 'upsert'): UpdateState {
    return {
      model: this.model,
      where: undefined,
      capacity: undefined,
      verb,
      key,
      assignments: [],
      given: undefined,
      version: undefined,
      returning: 'ALL_NEW',
    }
  }
}

/** The entity of a model. Copies are only read: they are written with the items they are of. */
export function bindEntity(context: BuilderContext, model: Model): BoundReads {
  return new (model.source ? BoundReads : BoundEntity)(context, model)
}
