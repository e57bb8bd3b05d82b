import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import type { SchemaDefinition } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { compileSchema, type Item } from 'singletable/tools'
import { afterEach, expect, test } from 'vitest'
import { Branches } from '../../packages/kit/src/migrate/branches.ts'
import { type DiffOptions, diffSchemas } from '../../packages/kit/src/migrate/diff-schemas.ts'
import { findConflicts } from '../../packages/kit/src/migrate/find-conflicts.ts'
import {
  loadMigration,
  type MigrationFolder,
  readFolders,
} from '../../packages/kit/src/migrate/folders.ts'
import { versionsOf } from '../../packages/kit/src/migrate/project.ts'
import { writeMigration } from '../../packages/kit/src/migrate/write-migration.ts'
import type { LoadedSchema } from '../../packages/kit/src/schema-file/load-schema.ts'
import { dump, migrate, open } from './migration-fixture.ts'

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 40)
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)

const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

interface LooseModel {
  readonly key: Readonly<Record<string, string>>
  readonly index?: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Loose {
  readonly indexes: Readonly<Record<string, object>>
  readonly models: Readonly<Record<string, LooseModel>>
}

const id = { type: String, required: true }
const text = { type: String }

const BASE: Loose = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: { id, name: text, mail: text, age: text },
    },
    Post: {
      key: { pk: 'USER#${userId}', sk: 'POST#${id}' },
      attributes: { userId: id, id, title: text, size: text },
    },
    Tag: { key: { pk: 'TAG#${id}', sk: 'TAG' }, attributes: { id, label: text } },
  },
}

/** A schema under way, and what has to be said about its changes. */
interface Draft {
  readonly schema: Loose
  readonly renames: readonly (readonly [string, string])[]
  readonly removals: readonly string[]
}

const MODELS = ['User', 'Post', 'Tag'] as const
const OWN = { User: ['name', 'mail', 'age'], Post: ['title', 'size'], Tag: ['label'] } as const
const KINDS = [
  'optional',
  'required',
  'rename',
  'retype',
  'remove',
  'rekey',
  'index',
  'unique',
  'count',
  'delete',
  'call',
  'new',
] as const

const changes = fc.record({
  kind: fc.constantFrom(...KINDS),
  model: fc.constantFrom(...MODELS),
  at: fc.nat(2),
  word: fc.constantFrom('a', 'b', 'c'),
})
type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never

/** The schema after a change; the same if the change can't be made. */
function changed(draft: Draft, { kind, model: name, at, word }: Change): Draft {
  const { schema } = draft
  const model = schema.models[name]
  if (model === undefined) return draft
  const own = OWN[name]
  const attribute = own[at % own.length] ?? ''
  const { [attribute]: definition, ...others } = model.attributes
  const withModel = (changedModel: LooseModel): Loose => ({
    ...schema,
    models: { ...schema.models, [name]: changedModel },
  })
  const withAttributes = (attributes: LooseModel['attributes']): Loose =>
    withModel({ ...model, attributes })
  switch (kind) {
    case 'optional':
      return { ...draft, schema: withAttributes({ ...model.attributes, [`${word}Text`]: text }) }
    case 'required': {
      const value = { type: Boolean, required: true, default: word === 'a' }
      return { ...draft, schema: withAttributes({ ...model.attributes, [`${word}Flag`]: value }) }
    }
    case 'rename':
      return definition === undefined
        ? draft
        : {
            ...draft,
            schema: withAttributes({ ...others, [`${attribute}${word}`]: definition }),
            renames: [...draft.renames, [`${name}.${attribute}`, `${attribute}${word}`]],
          }
    case 'retype':
      return definition === undefined
        ? draft
        : {
            ...draft,
            schema: withAttributes({ ...model.attributes, [attribute]: { type: Number } }),
          }
    case 'remove':
      return {
        ...draft,
        schema: withAttributes(others),
        removals: [...draft.removals, `${name}.${attribute}`],
      }
    case 'rekey':
      return {
        ...draft,
        schema: withModel({ ...model, key: { ...model.key, sk: `${word}#${model.key.sk}` } }),
      }
    case 'index':
      return definition === undefined
        ? draft
        : {
            ...draft,
            schema: {
              ...withModel({ ...model, index: { ipk: `${word}#\${${attribute}}`, isk: '${id}' } }),
              indexes: { ...schema.indexes, byWord: { hash: 'ipk', sort: 'isk' } },
            },
          }
    case 'unique':
      return definition === undefined
        ? draft
        : {
            ...draft,
            schema: withAttributes({
              ...model.attributes,
              [attribute]: { ...definition, unique: true },
            }),
          }
    case 'count': {
      const { User: user } = schema.models
      if (user === undefined || schema.models.Post === undefined) return draft
      const counts = { type: Number, counts: { model: 'Post', by: { id: 'userId' } } }
      const attributes = { ...user.attributes, [`${word}Posts`]: counts }
      return {
        ...draft,
        schema: { ...schema, models: { ...schema.models, User: { ...user, attributes } } },
      }
    }
    case 'delete': {
      const { [name]: _, ...left } = schema.models
      return {
        ...draft,
        schema: { ...schema, models: left },
        removals: [...draft.removals, name],
      }
    }
    case 'call': {
      const { [name]: _, ...left } = schema.models
      const called = `${name}${word}`
      return {
        ...draft,
        schema: { ...schema, models: { ...left, [called]: model } },
        renames: [...draft.renames, [name, called]],
      }
    }
    case 'new': {
      const key = { pk: `NEW${word}#\${id}`, sk: 'NEW' }
      const added = { key, attributes: { id, note: text } }
      return {
        ...draft,
        schema: { ...schema, models: { ...schema.models, [`New${word}`]: added } },
      }
    }
  }
}

const definitionOf = (schema: Loose): SchemaDefinition => schema as unknown as SchemaDefinition

/** The schema after all changes that fit together; undefined if nothing is left of them. */
function branchOf(all: readonly Change[]): Draft | undefined {
  let draft: Draft = { schema: BASE, renames: [], removals: [] }
  for (const change of all) {
    const next = changed(draft, change)
    try {
      diffSchemas(
        compileSchema(definitionOf(BASE)),
        compileSchema(definitionOf(next.schema)),
        optionsOf(next),
      )
      draft = next
    } catch {
      // This change does not fit those before it.
    }
  }
  return draft.schema === BASE ? undefined : draft
}

function optionsOf({ renames, removals }: Draft): DiffOptions {
  return { renames: new Map(renames), removals: new Set(removals) }
}

const before = compileSchema(definitionOf(BASE))
let folderCount = 0

/** A project after the merge of two branches. */
function writeBranches(directory: string, branches: readonly Draft[]): readonly MigrationFolder[] {
  // A module is loaded once, so that each project has names of its own.
  const own = path.join(directory, String(++folderCount))
  mkdirSync(own)
  const definition = definitionOf(BASE)
  const first = { directory: own, name: 'first', nowMs: 0, parents: [], definition, changes: [] }
  const parent = writeMigration(first)
  for (const [at, branch] of branches.entries()) {
    writeMigration({
      directory: own,
      name: `branch ${at}`,
      nowMs: (at + 1) * 1000,
      parents: [parent],
      definition: definitionOf(branch.schema),
      changes: diffSchemas(before, compileSchema(definitionOf(branch.schema)), optionsOf(branch)),
    })
  }
  return readFolders(own)
}

const TABLE = 'Branches'

async function sampleTable(): Promise<Engine> {
  const engine = createEngine()
  const { table, entities } = open(definitionOf(BASE), { transport: engine, tableName: TABLE })
  await table.create()
  const { User, Post, Tag } = entities as unknown as Record<
    string,
    { put(input: object): Promise<unknown> }
  >
  for (const number of ['1', '2']) {
    await User!.put({ id: number, name: `1${number}`, mail: `2${number}`, age: `3${number}` })
    await Post!.put({ userId: number, id: number, title: `4${number}`, size: `5${number}` })
    await Tag!.put({ id: number, label: `6${number}` })
  }
  return engine
}

/** The items of a table after migrations were applied in an order. */
async function applied(
  folders: readonly MigrationFolder[],
  order: readonly MigrationFolder[],
): Promise<readonly Item[]> {
  const engine = await sampleTable()
  const place = { transport: engine, tableName: TABLE }
  const loaded = { schema: before } as unknown as LoadedSchema
  const done = [folders[0]!.id]
  for (const folder of order) {
    const versions = versionsOf({ folders, loaded }, folder, done)
    const migration = await loadMigration(folder)
    await migrate(
      place,
      {
        before: versions.before.definition,
        after: versions.after.definition,
        steps: migration.steps,
      },
      { id: folder.id },
    )
    done.push(folder.id)
  }
  return dump(place)
}

test('migrations that commute by lint give the same items and the same schema in any order', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-commute-'))
  directories.push(directory)
  let commuting = 0
  let conflicting = 0
  const lists = fc.array(changes, { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(lists, lists, async (left, right) => {
      const [a, b] = [branchOf(left), branchOf(right)]
      fc.pre(a !== undefined && b !== undefined)
      const folders = writeBranches(directory, [a!, b!])
      if ((await findConflicts(new Branches(folders))).length > 0) {
        conflicting++
        return
      }
      commuting++
      const [, first, second] = folders as [MigrationFolder, MigrationFolder, MigrationFolder]
      expect(await applied(folders, [second, first])).toEqual(
        await applied(folders, [first, second]),
      )
      // The branches may also come in the other order of time.
      const swapped = writeBranches(directory, [b!, a!])
      const snapshotOf = (all: readonly MigrationFolder[]): unknown =>
        new Branches(all).snapshotOf(all.map((folder) => folder.id))
      expect(snapshotOf(swapped)).toEqual(snapshotOf(folders))
    }),
    { numRuns: runs, seed },
  )
  // Otherwise the test would say nothing.
  expect(commuting).toBeGreaterThan(2)
  expect(conflicting).toBeGreaterThan(2)
})
