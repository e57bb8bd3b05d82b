import { DefinitionError } from '../errors/definition-error.ts'
import { type Client, connect } from '../execute/connect.ts'
import { bindProjection } from '../expression/bind-projection.ts'
import { projectItem } from '../expression/evaluate/project-item.ts'
import { parseProjection } from '../expression/parse-projection.ts'
import { Placeholders } from '../expression/placeholders.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { systemEnvironment } from '../values/environment.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { aroundSend } from '../wire/around-send.ts'
import type { GetItemResponse } from '../wire/item-operations.ts'
import type { OperationName } from '../wire/operations.ts'
import { requestTargets } from '../wire/request-targets.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import { isIndexStep } from './reverse-steps.ts'
import { type Rewrite, rewriteItem, type Versions } from './rewrite-item.ts'
import { RewriteProblem } from './rewrite-problem.ts'
import type { ItemStep, Migration, Step } from './step.ts'
import { writesOf } from './writes-of.ts'

export interface UpgradeOptions {
  /** The name of the table, as it is given to `Table`. */
  readonly table: string
  /** The schema that older items were written with. */
  readonly before: SchemaDefinition
  /** The schema of the program. */
  readonly after: SchemaDefinition
  readonly migration: Migration
}

const WHERE = 'upgradeOnRead()'
/** Steps after which an item has another key, or is not one item. */
const MOVING = ['rekey', 'renameModel', 'splitModel', 'mergeModel', 'deleteModel']
/** Somebody else can change an item while it is upgraded. */
const ATTEMPTS_MAX = 5

/**
 * A client that gives items of an older version of the schema in their new form, so that a program
 * with the newer schema works before the migration has been carried out. An item that is changed is
 * stored in its new form first.
 *
 * @example
 * const client = upgradeOnRead(new DynamoDBClient(), { table: 'Blog', before, after, migration })
 * const table = new Table({ name: 'Blog', schema: after, client })
 */
export function upgradeOnRead(client: Client, options: UpgradeOptions): Transport {
  const { table, migration } = options
  const moving = migration.steps.find(({ kind }) => MOVING.includes(kind))
  if (moving) {
    throw new DefinitionError('OPTION_INVALID', {
      what: `The migration has the step ${moving.kind}, which moves or deletes items.`,
      where: WHERE,
      fix: 'carry that step out with singletable migrate up, and upgrade the others on read',
    })
  }
  const versions: Versions = {
    before: compileSchema(options.before),
    after: compileSchema(options.after),
    steps: migration.steps.filter(isItemStep),
    environment: systemEnvironment,
  }
  const transport = connect(client, WHERE)
  return aroundSend(transport, async ({ operation, request }, send) => {
    if (!requestTargets(request).some((target) => target.table === table)) return send(request)
    if (isWrite(operation)) {
      for (const key of changedKeys(request, table, versions)) {
        await storeUpgrade({ transport, table, versions }, key)
      }
      return send(request)
    }
    return upgradedResponse(operation, request, send)
  })

  async function upgradedResponse(
    operation: OperationName,
    request: object,
    send: (request: object) => Promise<unknown>,
  ): Promise<unknown> {
    // Each of these members is part of some of the requests and responses only.
    const read = request as ReadRequest
    const index =
      read.IndexName === undefined ? undefined : versions.after.indexes.get(read.IndexName)
    // Of an item that an index has in part, nobody knows which attributes it lacks.
    if (index && index.project !== 'all') return send(request)
    const { request: whole, project } = withoutProjection(read)
    const upgraded = (item: Item): Item => project(upgrade(versions, item))
    switch (operation) {
      case 'GetItem': {
        const response = (await send(whole)) as GetItemResponse
        return response.Item ? { ...response, Item: upgraded(response.Item) } : response
      }
      case 'Query':
      case 'Scan': {
        const response = (await send(whole)) as { readonly Items?: readonly Item[] }
        return response.Items ? { ...response, Items: response.Items.map(upgraded) } : response
      }
      case 'BatchGetItem': {
        const own = withoutProjection(read.RequestItems![table]!)
        const response = (await send({
          ...read,
          RequestItems: { ...read.RequestItems, [table]: own.request },
        })) as { readonly Responses?: Readonly<Record<string, readonly Item[]>> }
        const items = response.Responses?.[table]
        if (items === undefined) return response
        const results = items.map((item) => own.project(upgrade(versions, item)))
        return { ...response, Responses: { ...response.Responses, [table]: results } }
      }
      case 'TransactGetItems': {
        const gets = read.TransactItems!.map(({ Get }) =>
          Get.TableName === table ? withoutProjection(Get) : { request: Get },
        )
        const response = (await send({
          ...read,
          TransactItems: gets.map((each) => ({ Get: each.request })),
        })) as { readonly Responses?: readonly { readonly Item?: Item }[] }
        const results = response.Responses?.map((each, at) => {
          const get = gets[at]
          if (!each.Item || !get || !('project' in get)) return each
          return { ...each, Item: get.project(upgrade(versions, each.Item)) }
        })
        return { ...response, Responses: results }
      }
      default:
        return send(request)
    }
  }
}

interface ReadRequest extends Projected {
  readonly IndexName?: string
  readonly RequestItems?: Readonly<Record<string, Projected>>
  readonly TransactItems?: readonly { readonly Get: Projected & { readonly TableName: string } }[]
}

interface Projected {
  readonly ProjectionExpression?: string
  readonly KeyConditionExpression?: string
  readonly FilterExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
}

/**
 * The request for whole items, and what it wants of them: a new attribute can be made of any old
 * one.
 */
function withoutProjection(request: Projected): {
  readonly request: object
  readonly project: (item: Item) => Item
} {
  const { ProjectionExpression: text, ExpressionAttributeNames: names, ...others } = request
  if (text === undefined) return { request, project: (item) => item }
  const projection = bindProjection(
    parseProjection(text),
    new Placeholders({ names, values: undefined }),
  )
  const used = new Set(
    `${others.KeyConditionExpression} ${others.FilterExpression}`.match(/#\w+/g) ?? [],
  )
  const left = Object.entries(names ?? {}).filter(([name]) => used.has(name))
  return {
    request: {
      ...others,
      ...(left.length > 0 && { ExpressionAttributeNames: Object.fromEntries(left) }),
    },
    project: (item) => projectItem(projection, item),
  }
}

function isItemStep(step: Step): step is ItemStep {
  return !isIndexStep(step)
}

function isWrite(operation: OperationName): boolean {
  return ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'].includes(operation)
}

/** The keys of items that a write may compare or change in parts. */
function changedKeys(request: object, table: string, { after }: Versions): readonly Item[] {
  return requestTargets(request)
    .filter((target) => target.table === table)
    .flatMap(({ item }) => (item ? [keyFromItem(after.primary, item)] : []))
}

/** What becomes of an item that stays where it is; undefined if it has its new form already. */
function rewriteOf(versions: Versions, item: Item): Rewrite | undefined {
  try {
    const rewrite = rewriteItem(versions, item)
    const [own, ...others] = rewrite?.after ?? []
    if (!rewrite || rewrite.isSame || !own || others.length > 0) return undefined
    const { primary } = versions.after
    const isMoved = !sameValue(keyFromItem(primary, own.item), keyFromItem(primary, item))
    return isMoved ? undefined : rewrite
  } catch (error) {
    // It is given as it is; whether it fits the newer schema is for the table to say.
    if (error instanceof RewriteProblem) return undefined
    throw error
  }
}

/** The item in its new form, with the keys by which its indexes have it. */
function upgrade(versions: Versions, item: Item): Item {
  const own = rewriteOf(versions, item)?.after[0]
  if (own === undefined) return item
  const { storedNames } = own.model
  const result: { [name: string]: AttributeValue } = { ...own.item }
  const attributes = new Set([...own.model.attributes.values()].map(({ stored }) => stored))
  for (const name of own.model.schema.keyTypes.keys()) {
    if (attributes.has(name) || !storedNames.has(name)) continue
    const stored = getOwn(item, name)
    if (stored) result[name] = stored
    else delete result[name]
  }
  return result
}

/** Stores an item in its new form, as a migration would. */
async function storeUpgrade(
  { transport, table, versions }: { transport: Transport; table: string; versions: Versions },
  Key: Item,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { Item } = await transport.send('GetItem', {
      TableName: table,
      Key,
      ConsistentRead: true,
    })
    const rewrite = Item && rewriteOf(versions, Item)
    if (!rewrite) return
    const { own, derived } = writesOf(rewrite, { tableName: table, now: systemEnvironment.now() })
    // What need not hold is left out when the first attempt failed.
    const wanted = derived.filter(({ isOptional }) => attempt === 0 || !isOptional)
    try {
      await transport.send('TransactWriteItems', {
        TransactItems: [...own, ...wanted.map(({ action }) => action)],
      })
      return
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.name !== 'TransactionCanceledException') throw error
    }
  }
}
