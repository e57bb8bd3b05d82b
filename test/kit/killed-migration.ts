import { type SchemaDefinition, Table } from 'singletable'
import {
  addAttribute,
  mergeModel,
  rekey,
  removeAttribute,
  renameAttribute,
} from 'singletable/migrations'
import {
  compileSchema,
  type Item,
  reverseSteps,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import type { MigrationFolder } from '../../packages/kit/src/migrate/folders.ts'
import { VersionGraph } from '../../packages/kit/src/migrate/item-versions.ts'
import { Journal } from '../../packages/kit/src/migrate/journal.ts'
import { runMigration } from '../../packages/kit/src/migrate/run-migration.ts'

/** A migration that is killed again and again: every kind of write that a runner makes. */
export const TABLE = 'Shop'
export const ITEMS = 40
export const MIGRATION_ID = '20261118T000000Z_move'

const id = { type: String, required: true } as const
const team = { type: String } as const
const logins = { type: Number } as const
const indexes = { primary: { hash: 'pk', sort: 'sk' } } as const

export const BEFORE = {
  indexes,
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: { id, team, logins, mail: { type: String, unique: true }, fax: { type: String } },
      copies: {
        Member: { key: { pk: 'TEAM#${team}', sk: 'USER#${id}' }, attributes: ['team', 'mail'] },
      },
    },
    Address: {
      key: { pk: 'USER#${id}', sk: 'ADDRESS' },
      attributes: { id, city: { type: String } },
    },
  },
} as const satisfies SchemaDefinition

export const AFTER = {
  indexes,
  models: {
    User: {
      key: { pk: 'PERSON#${id}', sk: 'PERSON' },
      attributes: {
        id,
        team,
        logins,
        email: { type: String, unique: true },
        plan: { type: String, required: true },
        city: { type: String },
      },
      copies: {
        Member: { key: { pk: 'TEAM#${team}', sk: 'PERSON#${id}' }, attributes: ['team', 'email'] },
      },
    },
  },
} as const satisfies SchemaDefinition

export const STEPS = [
  renameAttribute('User', 'mail', 'email'),
  addAttribute('User', 'plan', 'free'),
  removeAttribute('User', 'fax'),
  mergeModel('Address', {
    into: 'User',
    key: ({ id }) => ({ id }),
    merge: (user, { city }) => ({ ...user, city }),
    adds: ['city'],
  }),
  rekey('User'),
]

export async function fill(transport: Transport): Promise<void> {
  const table = new Table({ name: TABLE, schema: BEFORE, client: transport })
  await table.create()
  const { User, Address } = table.entities
  for (let at = 0; at < ITEMS; at++) {
    const id = String(at)
    await User.put({ id, mail: `u${at}@x`, team: `t${at % 7}`, logins: 0, fax: `f${at}` })
    if (at % 2 === 0) await Address.put({ id, city: `City ${at}` })
  }
}

/** Takes the lock of whoever was killed, and carries the migration out, or back. */
export async function run(transport: Transport, isDown: boolean): Promise<void> {
  const before = compileSchema(BEFORE)
  const after = compileSchema(AFTER)
  const environment = systemEnvironment
  const place = { transport, tableName: TABLE, environment }
  const journal = new Journal({ ...place, schema: after, owner: 'test' })
  await journal.unlock(true)
  await journal.acquire()
  const { steps } = reverseSteps(STEPS, before, true)
  const folder = { id: MIGRATION_ID, parents: [] } as unknown as MigrationFolder
  const versioned = { id: MIGRATION_ID, before, after, migration: { steps: STEPS } }
  const graph = new VersionGraph([folder], [versioned])
  const isDone = await runMigration({
    ...place,
    journal,
    id: MIGRATION_ID,
    checksum: 'x',
    ...(isDown
      ? { before: after, after: before, migration: { steps } }
      : { before, after, migration: { steps: STEPS } }),
    isDown,
    version: graph.versionsOf(MIGRATION_ID, isDown ? after : before, isDown),
    keepsUndoLog: true,
    segments: 3,
    signal: new AbortController().signal,
    onProgress() {},
    onRequest() {},
  })
  if (!isDone) throw new Error('The migration was interrupted.')
  await journal.release()
}

/** All items, those of the command left out. */
export async function dump(transport: Transport): Promise<Item[]> {
  const { Items = [] } = await transport.send('Scan', { TableName: TABLE, ConsistentRead: true })
  const keyOf = ({ pk, sk }: Item): string => `${pk?.S} ${sk?.S}`
  return Items.filter(({ _type }) => _type?.S !== '_kit').sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  )
}

/** Items of users that are not of this version; of no version if it is undefined. */
export function wrongVersions(items: readonly Item[], version?: string): readonly string[] {
  return items.flatMap(({ _type, id, _v }) =>
    _type?.S === 'User' && _v?.S !== version ? [`user ${id?.S} is of version ${_v?.S}`] : [],
  )
}

/** What the application does meanwhile: an increment, wherever the item is. */
export async function countLogin(transport: Transport, id: string): Promise<void> {
  const keys = [
    [`PERSON#${id}`, 'PERSON'],
    [`USER#${id}`, 'USER'],
  ] as const
  // It may move while it is looked for.
  for (const [hash, sort] of [...keys, ...keys, ...keys, ...keys]) {
    try {
      await transport.send('UpdateItem', {
        TableName: TABLE,
        Key: { pk: { S: hash }, sk: { S: sort } },
        UpdateExpression: 'ADD logins :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      })
      return
    } catch (error) {
      const { name } = Object(error) as Error
      if (!['ConditionalCheckFailedException', 'TransactionConflictException'].includes(name)) {
        throw error
      }
    }
  }
  throw new Error(`User ${id} is nowhere.`)
}

/** What differs between two dumps, apart from the logins of the users. */
export function differences(found: readonly Item[], expected: readonly Item[]): readonly string[] {
  const textOf = ({ logins: _, ...item }: Item): string =>
    JSON.stringify(Object.entries(item).sort())
  const [a, b] = [found, expected].map((items) => new Set(items.map(textOf)))
  return [
    ...[...a!].filter((text) => !b!.has(text)).map((text) => `unexpected: ${text}`),
    ...[...b!].filter((text) => !a!.has(text)).map((text) => `missing: ${text}`),
  ]
}
