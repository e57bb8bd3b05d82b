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
import { MigrationError } from '../../packages/kit/src/migrate/migration-error.ts'
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
  readonly copies?: object
  readonly unique?: object
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Loose {
  readonly indexes: Readonly<Record<string, object>>
  readonly models: Readonly<Record<string, LooseModel>>
  readonly patterns?: Readonly<Record<string, object>>
  readonly params?: object
}

const id = { type: String, required: true }
const text = { type: String }

const BASE: Loose = {
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byTitle: { hash: 'tpk', sort: 'tsk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: {
        id,
        name: { ...text, unique: true },
        mail: text,
        age: text,
        posts: { type: Number, counts: { model: 'Post', by: { id: 'userId' } } },
      },
      copies: { Named: { key: { pk: 'NAME#${name}', sk: 'USER#${id}' }, attributes: ['name'] } },
    },
    Post: {
      key: { pk: 'USER#${userId}', sk: 'POST#${id}' },
      index: { tpk: 'TITLE#${title}', tsk: '${id}' },
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
  readonly splits: readonly (readonly [string, string])[]
  readonly merges: readonly (readonly [string, string])[]
  /** Steps that somebody has written by hand. */
  readonly steps: readonly string[]
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
  'split',
  'merge',
  'copy',
  'repeat',
  'custom',
  'drop',
  'derive',
  'compute',
  'prefix',
  'place',
  'pattern',
  'noIndex',
  'noCount',
  'stored',
  'params',
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
  const { schema, steps } = draft
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
            schema: renamed(
              withAttributes({ ...others, [`${attribute}${word}`]: definition }),
              attribute,
              `${attribute}${word}`,
            ),
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
    case 'split': {
      if (definition === undefined) return draft
      const part = `${name}Part${word}`
      const key = { pk: model.key.pk!, sk: `PART#${word}#\${id}` }
      const { userId } = model.attributes
      const attributes = { id, ...(userId && { userId }), [attribute]: definition }
      const { models } = withAttributes(others)
      return {
        ...draft,
        schema: { ...schema, models: { ...models, [part]: { key, attributes } } },
        splits: [...draft.splits, [name, part]],
      }
    }
    case 'merge': {
      const { Tag, User, ...left } = schema.models
      if (!Tag || !User) return draft
      const attributes = { ...User.attributes, label: text }
      return {
        ...draft,
        schema: { ...schema, models: { ...left, User: { ...User, attributes } } },
        merges: [...draft.merges, ['Tag', 'User']],
      }
    }
    case 'copy': {
      const key = { pk: `COPY#\${${attribute}}`, sk: `${word}#\${id}` }
      const copies = { ...model.copies, [`${name}Copy${word}`]: { key } }
      return { ...draft, schema: withModel({ ...model, copies }) }
    }
    case 'repeat': {
      const { Post } = schema.models
      if (!Post || name !== 'User') return draft
      const copy = { ...text, copyOf: { from: `User.${attribute}`, by: { id: 'userId' } } }
      const attributes = { ...Post.attributes, [`${word}Copy`]: copy }
      return {
        ...draft,
        schema: { ...schema, models: { ...schema.models, Post: { ...Post, attributes } } },
      }
    }
    case 'custom': {
      // It names the attributes that it keeps, as people do.
      const names = Object.keys(model.attributes).join(', ')
      const change = `({ ${names} }) => String(${attribute}).startsWith('${word}') ? undefined : { ${names}, ${attribute}: '${word}' + ${attribute} }`
      return { ...draft, schema: { ...schema }, steps: [...steps, `custom('${name}', ${change})`] }
    }
    case 'drop': {
      const change = `({ ${attribute} }) => (String(${attribute}).endsWith('1') ? null : undefined)`
      return { ...draft, schema: { ...schema }, steps: [...steps, `custom('${name}', ${change})`] }
    }
    case 'derive': {
      const made = `deriveAttribute('${name}', '${word}Made', (values) => values.${attribute} + '!')`
      return {
        ...draft,
        schema: withAttributes({ ...model.attributes, [`${word}Made`]: text }),
        steps: [...steps, made],
      }
    }
    case 'compute': {
      const made = `addAttribute('${name}', '${word}Made', (values) => values.${attribute} + '?')`
      return {
        ...draft,
        schema: withAttributes({ ...model.attributes, [`${word}Made`]: text }),
        steps: [...steps, made],
      }
    }
    case 'prefix': {
      const moved = Object.entries(schema.models).map(([each, own]) => {
        const pk = own.key.pk!.replace(/^USER#/, `${word}USER#`)
        return [each, { ...own, key: { ...own.key, pk } }]
      })
      return { ...draft, schema: { ...schema, models: Object.fromEntries(moved) } }
    }
    case 'place':
      // Models of two branches can come to the same keys.
      return {
        ...draft,
        schema: withModel({ ...model, key: { pk: `${word}#\${id}`, sk: 'SAME' } }),
      }
    case 'pattern': {
      const by = [name === 'Post' ? 'userId' : 'id']
      const pattern = { op: 'query', entity: name, by, select: [attribute] }
      return { ...draft, schema: { ...schema, patterns: { ...schema.patterns, [word]: pattern } } }
    }
    case 'noIndex': {
      const { byTitle: _, ...indexes } = schema.indexes
      const { Post } = schema.models
      if (!Post) return draft
      const { index: __, ...left } = Post
      return { ...draft, schema: { ...schema, indexes, models: { ...schema.models, Post: left } } }
    }
    case 'noCount': {
      const { User } = schema.models
      if (!User) return draft
      const { posts: _, ...attributes } = User.attributes
      return {
        ...draft,
        schema: { ...schema, models: { ...schema.models, User: { ...User, attributes } } },
        removals: [...draft.removals, 'User.posts'],
      }
    }
    case 'stored':
      return definition === undefined
        ? draft
        : {
            ...draft,
            schema: withAttributes({
              ...model.attributes,
              [attribute]: { ...definition, map: `${word}Map` },
            }),
          }
    case 'params':
      return {
        ...draft,
        schema: {
          ...schema,
          params:
            at === 0 ? { timestamps: true } : at === 1 ? { separator: '|' } : { isoDates: false },
        },
      }
  }
}

/** The definition with another name of an attribute, wherever a string has it. */
function renamed<T>(value: T, from: string, to: string): T {
  const all = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(all)
    if (typeof each === 'object' && each !== null) {
      return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, all(member)]))
    }
    if (typeof each !== 'string') return each
    if (each === from) return to
    return each.replaceAll(`\${${from}}`, `\${${to}}`).replace(`.${from}`, `.${to}`)
  }
  // Only strings are replaced.
  return all(value) as T
}

const definitionOf = (schema: Loose): SchemaDefinition => schema as unknown as SchemaDefinition

/** The schema after all changes that fit together; undefined if nothing is left of them. */
function branchOf(all: readonly Change[]): Draft | undefined {
  let draft: Draft = {
    schema: BASE,
    renames: [],
    removals: [],
    splits: [],
    merges: [],
    steps: [],
  }
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

function optionsOf({ renames, removals, splits, merges }: Draft): DiffOptions {
  return { renames: new Map(renames), removals: new Set(removals), splits, merges }
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
      changes: [
        ...diffSchemas(before, compileSchema(definitionOf(branch.schema)), optionsOf(branch)),
        ...branch.steps.map((step) => ({ class: 'move' as const, what: step, steps: [step] })),
      ],
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

/** The items of a table after migrations were applied in an order; or why one of them failed. */
async function applied(
  folders: readonly MigrationFolder[],
  order: readonly MigrationFolder[],
): Promise<readonly Item[] | MigrationError> {
  try {
    return await itemsAfter(folders, order)
  } catch (error) {
    if (error instanceof MigrationError) return error
    throw error
  }
}

async function itemsAfter(
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
      const items = await applied(folders, [first, second])
      expect(await applied(folders, [second, first])).toEqual(items)
      if (items instanceof MigrationError) {
        // One of them fails without the other, too.
        const alone = [await applied(folders, [first]), await applied(folders, [second])]
        expect(alone.some((each) => each instanceof MigrationError)).toBe(true)
      }
      // The branches may also come in the other order of time.
      const swapped = writeBranches(directory, [b!, a!])
      const snapshotOf = (all: readonly MigrationFolder[]): unknown =>
        new Branches(all).snapshotOf(all.map((folder) => folder.id))
      expect(snapshotOf(swapped)).toEqual(snapshotOf(folders))
    }),
    { numRuns: runs, seed },
  )
  // Otherwise the test would say nothing.
  expect(commuting).toBeGreaterThan(0)
  expect(conflicting).toBeGreaterThan(0)
})
