import { DefinitionError } from '../errors/definition-error.ts'
import { modelOf } from '../execute/collect-items.ts'
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
import type { GetItemResponse, TransactWriteItem } from '../wire/item-operations.ts'
import type { OperationName } from '../wire/operations.ts'
import { requestTargets } from '../wire/request-targets.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import {
  type GuardForms,
  guardFormsOf,
  olderKeys,
  withOlderForms,
  withOlderGuards,
} from './guard-forms.ts'
import { MOVING, modelsOfSteps, versionAttributeOf, versionOf } from './item-versions.ts'
import { isIndexStep } from './reverse-steps.ts'
import type { Rewrite } from './rewrite-item.ts'
import { RewriteProblem } from './rewrite-problem.ts'
import type { ItemStep, Migration, Step } from './step.ts'
import { newestVersion, type UpgradeChain, type UpgradeLink, upgradeItem } from './upgrade-item.ts'
import { withVersions } from './with-versions.ts'
import { writesOf } from './writes-of.ts'

/** A migration, as the program knows it. */
export interface Upgrade {
  /** The name of its folder. Stored items say which migration they were last brought to. */
  readonly id: string
  /** The schema that older items were written with. */
  readonly before: SchemaDefinition
  /** The schema after it. */
  readonly after: SchemaDefinition
  readonly migration: Migration
  /** The migrations that it follows; unless given, the one before it in the list. */
  readonly follows?: readonly string[]
}

export interface UpgradeOptions {
  /** The name of the table, as it is given to `Table`. */
  readonly table: string
  /** The oldest first; the program has the schema after the last one. */
  readonly migrations: readonly Upgrade[]
}

const WHERE = 'upgradeOnRead()'
/** Somebody else can change an item while it is upgraded. */
const ATTEMPTS_MAX = 5

/**
 * A client that gives items of an older version of the schema in their new form, so that a program
 * with the newer schema works before the migrations have been carried out. An item that is changed
 * is stored in its new form first. Items that it writes have a version, so that they need no
 * upgrade.
 *
 * @example
 * const migrations = [{ id: '20261118T101500Z_user_email', before, after, migration }]
 * const client = upgradeOnRead(new DynamoDBClient(), { table: 'Blog', migrations })
 * const table = new Table({ name: 'Blog', schema: after, client })
 */
export function upgradeOnRead(client: Client, options: UpgradeOptions): Transport {
  const { table } = options
  const chain = chainOf(options.migrations)
  const forms = guardsOf(chain)
  const transport = connect(client, WHERE)
  return aroundSend(transport, async ({ operation, request }, send) => {
    refuseStatements(request, table)
    if (!requestTargets(request).some((target) => target.table === table)) return send(request)
    if (isWrite(operation)) return write(request, send)
    return upgradedResponse(operation, request, send)
  })

  /** Sends a write after its items are stored in their new form, and only if they still are. */
  async function write(
    request: object,
    send: (request: object) => Promise<unknown>,
  ): Promise<unknown> {
    const keys = changedKeys(request, table, chain)
    let refused: unknown
    for (let attempt = 1; ; attempt++) {
      const safe: Item[] = []
      let isUpgraded = false
      for (const key of keys) {
        const state = await storeUpgrade({ transport, table, chain, forms }, key)
        if (state !== 'left') safe.push(key)
        if (state === 'upgraded') isUpgraded = true
      }
      // No older program has written in between, so that it is a condition of the caller.
      if (attempt > 1 && !isUpgraded) throw refused
      try {
        return await sendWithGuards(withVersions(request, { table, chain, safe }), send)
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX || !isRefused(error)) throw error
        refused = error
      }
    }
  }

  /** Sends a write. A transaction writes the guards that older programs look for, too. */
  async function sendWithGuards(
    request: { readonly TransactItems?: readonly TransactWriteItem[] },
    send: (request: object) => Promise<unknown>,
  ): Promise<unknown> {
    const { TransactItems } = request
    if (TransactItems === undefined) return send(request)
    const { writes, folded } = withOlderGuards(forms, table, TransactItems)
    try {
      return await send({ ...request, TransactItems: writes })
    } catch (error) {
      throw error instanceof ServiceError ? folded(error) : error
    }
  }

  async function upgradedResponse(
    operation: OperationName,
    request: object,
    send: (request: object) => Promise<unknown>,
  ): Promise<unknown> {
    // Each of these members is part of some of the requests and responses only.
    const read = request as ReadRequest
    const index = read.IndexName === undefined ? undefined : chain.after.indexes.get(read.IndexName)
    // Of an item that an index has in part, nobody knows which attributes it lacks.
    if (index && index.project !== 'all') return send(request)
    const { request: whole, project } = withoutProjection(read)
    const upgraded = (item: Item): Item => project(upgrade(chain, item))
    switch (operation) {
      case 'GetItem': {
        let response = (await send(whole)) as GetItemResponse
        // The item with a unique value may be one that nobody has upgraded.
        for (const Key of response.Item ? [] : olderKeys(forms, read.Key ?? {})) {
          response = (await send({ ...whole, Key })) as GetItemResponse
          if (response.Item) break
        }
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
        const results = items.map((item) => own.project(upgrade(chain, item)))
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
          return { ...each, Item: get.project(upgrade(chain, each.Item)) }
        })
        return { ...response, Responses: results }
      }
      default:
        return send(request)
    }
  }
}

interface ReadRequest extends Projected {
  readonly Key?: Item
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

/** The migrations, with their schemas and what follows them. */
function chainOf(upgrades: readonly Upgrade[]): UpgradeChain {
  const last = upgrades.at(-1)
  if (last === undefined) {
    throw new DefinitionError('OPTION_INVALID', {
      what: 'There is no migration.',
      where: WHERE,
      fix: 'give the migrations that stored items may not have had, the oldest first',
    })
  }
  const after = compileSchema(last.after)
  const parents = new Map(
    upgrades.map(({ id, follows }, at) => [
      id,
      follows ??
        upgrades
          .slice(0, at)
          .slice(-1)
          .map((each) => each.id),
    ]),
  )
  const isAfter = (id: string, other: string): boolean =>
    id === other || (parents.get(id) ?? []).some((parent) => parent < id && isAfter(parent, other))
  const links = upgrades.map(({ id, before, after: schema, migration }, at): UpgradeLink => {
    const previous = upgrades[at - 1]?.id
    if (previous !== undefined && previous >= id) {
      throw new DefinitionError('OPTION_INVALID', {
        what: `The migration "${id}" comes after "${previous}".`,
        where: WHERE,
        fix: 'give each migration the name of its folder as id, the oldest first',
      })
    }
    const moving = migration.steps.find(({ kind }) => MOVING.includes(kind))
    if (moving) {
      throw new DefinitionError('OPTION_INVALID', {
        what: `The migration "${id}" has the step ${moving.kind}, which moves or deletes items.`,
        where: WHERE,
        fix: 'carry that step out with singletable migrate up, and upgrade the others on read',
      })
    }
    const steps = migration.steps.filter(isItemStep)
    return {
      id,
      followers: new Set(upgrades.map((each) => each.id).filter((each) => isAfter(each, id))),
      models: modelsOfSteps(steps),
      before: compileSchema(before),
      after: schema === last.after ? after : compileSchema(schema),
      steps,
      environment: systemEnvironment,
    }
  })
  return { attribute: versionAttributeOf(after), links, after }
}

/** A value that the newer schema refuses keeps no item in its old form. */
function isItemStep(step: Step): step is ItemStep {
  return !isIndexStep(step) && step.kind !== 'checkAttribute'
}

function isWrite(operation: OperationName): boolean {
  return /^(Put|Update|Delete|BatchWrite|TransactWrite)Items?$/.test(operation)
}

/** The guards that are written for older programs. */
function guardsOf({ links, after }: UpgradeChain): GuardForms {
  const { problems, ...forms } = guardFormsOf(links, after)
  const [problem] = problems
  if (problem === undefined) return forms
  const { id, model, unique, why } = problem
  throw new DefinitionError('OPTION_INVALID', {
    what: `After the migration "${id}", older programs can't see which values of unique "${unique}" of ${model} are taken: ${why}.`,
    where: WHERE,
    fix: 'carry that migration out with singletable migrate up while no older program runs',
  })
}

/** A statement in PartiQL says in its text which items it reads and writes. */
function refuseStatements(request: object, table: string): void {
  const { Statement, Statements, TransactStatements } = request as StatementRequest
  const all = [
    Statement,
    ...[Statements, TransactStatements].flatMap((each) => each ?? []).map((each) => each.Statement),
  ]
  // A table is named as it is, with its index, or at the end of an ARN.
  const isOn = (text: string | undefined): boolean =>
    (text?.replace(/'(?:[^']|'')*'/g, '').match(/[\w.-]+/g) ?? []).some(
      (word) => word === table || word.startsWith(`${table}.`),
    )
  if (!all.some(isOn)) return
  throw new DefinitionError('OPTION_INVALID', {
    what: `A PartiQL statement on the table "${table}" would give and change items in their older forms.`,
    where: WHERE,
    fix: 'use the entities, or other operations than statements, until the wrapper is gone',
  })
}

interface StatementRequest {
  readonly Statement?: string
  readonly Statements?: readonly { readonly Statement?: string }[]
  readonly TransactStatements?: readonly { readonly Statement?: string }[]
}

/** Whether a condition was false. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  return (
    error.name === 'ConditionalCheckFailedException' ||
    error.CancellationReasons?.some(({ Code }) => Code === 'ConditionalCheckFailed') === true
  )
}

/** The keys of items that a write may compare or change in parts. */
function changedKeys(request: object, table: string, { after }: UpgradeChain): readonly Item[] {
  return requestTargets(request)
    .filter((target) => target.table === table)
    .flatMap(({ item }) => (item ? [keyFromItem(after.primary, item)] : []))
}

/** What becomes of an item that stays where it is; undefined if it has its new form already. */
function rewriteOf(chain: UpgradeChain, item: Item): Rewrite | undefined {
  try {
    const rewrite = upgradeItem(chain, item)
    const own = rewrite?.after[0]
    if (!own) return undefined
    const { primary } = chain.after
    const isMoved = !sameValue(keyFromItem(primary, own.item), keyFromItem(primary, item))
    return isMoved ? undefined : rewrite
  } catch (error) {
    // It is given as it is; whether it fits the newer schema is for the table to say.
    if (error instanceof RewriteProblem) return undefined
    throw error
  }
}

/** The item in its new form, with the keys by which its indexes have it. */
function upgrade(chain: UpgradeChain, item: Item): Item {
  const own = rewriteOf(chain, item)?.after[0]
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

/** What is known of an item before it is changed. */
type StoredState =
  /** It had the newest version, or does not exist. */
  | 'safe'
  /** It has got the newest version. */
  | 'upgraded'
  /** It can't be upgraded, or the migrations don't know it. */
  | 'left'

/** Stores an item in its new form, as a migration would, with guards for older programs. */
async function storeUpgrade(
  {
    transport,
    table,
    chain,
    forms,
  }: {
    readonly transport: Transport
    readonly table: string
    readonly chain: UpgradeChain
    readonly forms: GuardForms
  },
  Key: Item,
): Promise<StoredState> {
  // Writes that need not hold, and did not.
  const needless = new Set<string>()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { Item } = await transport.send('GetItem', {
      TableName: table,
      Key,
      ConsistentRead: true,
    })
    if (Item === undefined) return 'safe'
    const rewrite = rewriteOf(chain, Item)
    if (!rewrite) {
      const model = modelOf({ schema: chain.after }, Item)
      const newest = model && newestVersion(chain, model.name)
      return newest !== undefined && versionOf(Item, chain.attribute) === newest ? 'safe' : 'left'
    }
    const { own, derived } = writesOf(rewrite, { tableName: table, now: systemEnvironment.now() })
    const wanted = withOlderForms(forms, table, derived).filter(
      ({ action }) => !needless.has(JSON.stringify(action)),
    )
    try {
      await transport.send('TransactWriteItems', {
        TransactItems: [...own, ...wanted.map(({ action }) => action)],
      })
      return 'upgraded'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.name !== 'TransactionCanceledException') throw error
      for (const [at, { action, isOptional }] of wanted.entries()) {
        const code = error.CancellationReasons?.[own.length + at]?.Code
        if (isOptional && code === 'ConditionalCheckFailed') needless.add(JSON.stringify(action))
      }
    }
  }
  return 'left'
}
