import { InputError } from '../errors/input-error.ts'
import { printPlace } from '../errors/print-place.ts'
import type { StepOf } from '../execute/canceled.ts'
import { hasKeyOf } from '../execute/decode-found.ts'
import { keepInScope } from '../execute/keep-in-scope.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { marshalParams, planFromParams } from '../request/native-params.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Item } from '../values/attribute-value.ts'
import type { GetItemRequest } from '../wire/item-operations.ts'
import type { BuilderContext } from './builder.ts'
import type { Plannable } from './planned.ts'

export type ActionName = 'Put' | 'Update' | 'Delete' | 'ConditionCheck' | 'Get'

/** Something to be part of a transaction or a batch. */
export interface Addition {
  /** A builder, what its `dbParams()` gave, or such params made by hand. */
  readonly write: unknown
  /** The action it must be; any if undefined. */
  readonly action: ActionName | undefined
  readonly position: number
  /** The step of an access pattern that it is. */
  readonly step?: StepOf
  /** What is wrong with the input of the step; it has no builder then. */
  readonly problem?: InputError | undefined
  readonly verb: 'transactWrite' | 'transactGet' | 'batchWrite' | 'batchGet'
}

/** The plans of all parts; what is wrong with any of them is reported together. */
export function planAdditions(
  context: BuilderContext,
  additions: readonly Addition[],
): (UpdatePlan | GetPlan)[] {
  const problems: { readonly addition: Addition; readonly error: InputError }[] = []
  const plans = additions.flatMap((addition) => {
    try {
      return planAddition(context, addition)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      problems.push({ addition, error })
      return []
    }
  })
  const [first, second] = problems
  if (!first) return plans
  if (!second && !first.addition.step) throw first.error
  const issues = problems.flatMap(({ addition: { position, step }, error }) =>
    error.issues.map((issue) => ({ ...issue, path: [...pathOf(step, position), ...issue.path] })),
  )
  const { fix, code } = second ? {} : first.error
  return refuseInput(issues, placeOf(context, first.addition), fix, code)
}

function pathOf(step: StepOf | undefined, position: number): (string | number)[] {
  const parts = step ? [step.step, step.element] : [position]
  return parts.filter((part) => part !== undefined)
}

/** The plan of a part of a transaction or a batch. */
export function planAddition(context: BuilderContext, addition: Addition): UpdatePlan | GetPlan {
  const { write, action, verb, problem } = addition
  if (problem) throw problem
  if (typeof write !== 'object' || write === null || write instanceof Promise) {
    return refuse(context, addition, NO_PART)
  }
  // Requests have no member of this name, builders have.
  const builder = write as Partial<Plannable<UpdatePlan | GetPlan>>
  const plan = builder.toPlan?.(verb) ?? planFromParams(write)
  if (plan === undefined) {
    // What was made by hand could write the keys of an index past the scope.
    return action === undefined || context.scope
      ? refuse(context, addition, NO_PART)
      : planParams(context, addition, write, action)
  }
  const { tableName: TableName } = plan
  if (verb.startsWith('batch') && TableName !== context.name) {
    refuse(context, addition, `belongs to table "${TableName}", and a batch is for one table`)
  }
  // Before anything of a batch is sent.
  const Key = 'key' in plan && plan.key
  keepInScope(context, 'GetItem', { TableName, Key }, placeOf(context, addition))
  // Only a batch is given those that read first.
  if (plan.kind === 'read-first' || plan.kind === 'move') return plan
  if (plan.kind === 'write') {
    // A put that keeps what the caller can't see is an update.
    const isPut = action === 'Put' && plan.verb === 'put'
    if (action === undefined || action === plan.action || isPut) return plan
  }
  if (plan.kind === 'get' && action === 'Get') return plan
  return refuse(
    context,
    addition,
    `can't be part of it${action === undefined ? '' : ` as a ${action}`}`,
  )
}

const NO_PART = 'is neither a builder nor the result of dbParams()'

/**
 * A plan of params that were made or changed by hand: the key must be one of the schema's, so that
 * nothing is written past it.
 */
function planParams(
  context: BuilderContext,
  addition: Addition,
  params: object,
  action: ActionName,
): WritePlan | GetPlan {
  // What DynamoDB makes of the members is its own affair; the key is looked at here.
  const request = marshalParams(params, placeOf(context, addition)) as unknown as GetItemRequest & {
    readonly Item?: Item
  }
  const { schema } = context
  const key = keyFromItem(schema.primary, (action === 'Put' ? request.Item : request.Key) ?? {})
  const type = request.Item?.[schema.params.typeField]?.S
  const model = [...schema.models.values()].find(
    (each) => (type === undefined || type === each.type) && hasKeyOf(each, key),
  )
  if (model === undefined || request.TableName !== context.name) {
    return refuse(context, addition, 'has a key that belongs to no model of this table')
  }
  if ((model.derivedItems || model.source) && action !== 'Get' && action !== 'ConditionCheck') {
    return refuse(context, addition, 'belongs to a model that is written together with other items')
  }
  if (action === 'Get') {
    const { ProjectionExpression, ExpressionAttributeNames = {} } = request
    return {
      kind: 'get',
      model,
      tableName: request.TableName,
      key,
      consistentRead: request.ConsistentRead === true,
      capacity: request.ReturnConsumedCapacity,
      projection:
        ProjectionExpression === undefined
          ? undefined
          : { ProjectionExpression, ExpressionAttributeNames },
      partial: ProjectionExpression !== undefined,
      includeExpired: false,
    }
  }
  return {
    kind: 'write',
    verb: VERBS[action],
    model,
    tableName: request.TableName,
    place: placeOf(context, addition),
    action,
    handmade: request,
    item: request.Item,
    key,
    expects: { exists: false, absent: false, version: undefined },
    idempotent: false,
    output: undefined,
  }
}

const VERBS = { Put: 'put', Update: 'update', Delete: 'delete', ConditionCheck: 'check' } as const

function placeOf({ name, pattern }: BuilderContext, { verb }: Addition): string {
  return printPlace({ table: name, pattern, ...(pattern === undefined && { verb }) })
}

function refuse(context: BuilderContext, addition: Addition, problem: string): never {
  const { position, verb } = addition
  throw new InputError(
    verb.startsWith('batch') ? 'BATCH_INVALID' : 'TRANSACTION_INVALID',
    {
      what: `Operation ${position} ${problem}.`,
      where: placeOf(context, addition),
      fix: `give builders as they are, such as table.entities.X.${verb.endsWith('Get') ? 'get' : 'put'}(…)`,
    },
    [{ path: [position], message: problem }],
  )
}
