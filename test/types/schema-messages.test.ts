import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'

/** What the compiler says of models that can't be, and of access patterns that the keys can't
 * serve. */

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-schema-messages-'))

/** The end of a model, with the beginning of the sentence at its line; `undefined` for right
 * ones. */
const MODELS: readonly (readonly [model: string, message: string | undefined])[] = [
  ['key, attributes: { id: { type: String, requird: true } }', "mean to write 'required'?"],
  ['key, atributes: {}, attributes', "mean to write 'attributes'?"],
  ["key: { pk: 'T#${id}' }, attributes", "\"the key needs 'sk', an attribute of the primary"],
  [
    "key: { pk: 'T#${idd}', sk: 'T' }, attributes",
    '\'"T#${idd}"\' is not assignable to type \'"${idd} is not an attribute of the model"\'',
  ],
  [
    "key, index: { gsi1pk: 'OPEN#${opne}' }, attributes",
    '"${opne} is not an attribute of the model"',
  ],
  [
    "key, attributes: { id: { type: String }, gsi1pk: { type: String, value: 'S#${stauts}' } }",
    '"${stauts} is not an attribute of the model"',
  ],
  [
    'key, attributes: { id: { type: String, default: 7 } }',
    "Type 'number' is not assignable to type '\"the default is not of the type of the attribute\"'",
  ],
  ["key, attributes: { id: { type: Number, default: '7' } }", 'the default is not of the type'],
  ['key, attributes: { id: { type: Date, default: true } }', 'the default is not of the type'],
  [
    "key, attributes: { id: { type: String, enum: ['a', 'b'], default: 'c' } }",
    '\'"c"\' is not assignable to type \'"the default is not one of the values in enum"\'',
  ],
  [
    "key, attributes: { id: { type: String }, n: { type: Number, counts: 'Taks' } }",
    "there is no model 'Taks'",
  ],
  [
    "key, attributes: { id: { type: String }, n: { type: Number, counts: { model: 'Taks' } } }",
    "there is no model 'Taks'",
  ],
  [
    "key, attributes: { ...attributes, n: { type: Number, counts: { model: 'Task', when: { opne: true } } } }",
    "'opne' is not an attribute of the model",
  ],
  [
    "key, index: { gsi1pk: 'OPEN' }, when: { gsi1: { opne: true } }, attributes",
    "'opne' is not an attribute of the model",
  ],
  [
    "key, index: { gsi1pk: 'OPEN' }, when: { gsi9: { open: true } }, attributes",
    "there is no secondary index 'gsi9'",
  ],
  [
    "key, index: { gsi1pk: 'O#${id}' }, shortKeys: ['gsi1', 'gsi9'], attributes",
    "'\"gsi9\"' is not assignable to type '\"there is no secondary index 'gsi9'\"'",
  ],
  [
    "key, attributes, copies: { Other: { key: { pk: 'O#${iid}', sk: 'O' } } }",
    '"${iid} is not an attribute of the model"',
  ],
  [
    "key, attributes: { id: { type: String, generate: 'ulidd' } }",
    "is not assignable to type 'Generator'",
  ],
  ['key, attributes', undefined],
  [
    "key, index: { gsi1pk: 'O#${id}' }, shortKeys: ['gsi1'], when: { gsi1: { open: true } }, attributes",
    undefined,
  ],
  ["key, index: { gsi1pk: 'A#${shard}' }, shard: { count: 3 }, attributes", undefined],
  ["key, index: { gsi1pk: 'A#${createdAt:day}' }, attributes", undefined],
  [
    "key, attributes: { id: { type: String, enum: ['a', 'b'], default: 'b' }, n: { type: Number, nulls: true, default: null } }",
    undefined,
  ],
  [
    "key, attributes: { id: { type: String, default: () => 'x' }, list: { type: Array, default: [] }, d: { type: 'decimal', default: '1.0' } }",
    undefined,
  ],
  [
    "key, index: { gsi1pk: 'OPEN' }, when: { gsi1: { open: true, createdAt: 'x' } }, attributes: { ...attributes, n: { type: Number, counts: { model: 'Task', when: { open: true } } } }",
    undefined,
  ],
  [
    "key, attributes: { id: { type: String }, gsi1pk: { type: String, value: 'S#${id}' }, at: { type: Date, default: () => new Date() } }",
    undefined,
  ],
]

/** The wrong patterns, each with the sentence that must be in the compiler's complaint at its line;
 * `undefined` for right ones. */
const PATTERNS: readonly (readonly [pattern: string, message: string | undefined])[] = [
  ["{ op: 'get', entity: 'Usr', by: ['username'] }", "there is no entity 'Usr'"],
  ["{ op: 'get', entity: 'User', by: [] }", "the key of User needs 'username'"],
  [
    "{ op: 'get', entity: 'User', by: ['username', 'age'] }",
    "'age' is not part of the key of User",
  ],
  [
    "{ op: 'get', entity: 'User', by: ['username'], project: ['nam'] }",
    "User has no attribute 'nam'",
  ],
  ["{ op: 'getByUnique', entity: 'User', by: ['emial'] }", "User has no attribute 'emial'"],
  ["{ op: 'query', entity: 'Pots', by: ['username'] }", "there is no entity 'Pots'"],
  ["{ op: 'query', entity: 'Post', by: ['username'], index: 'gsi2' }", "there is no index 'gsi2'"],
  [
    "{ op: 'query', entity: 'User', by: ['username'], index: 'gsi1' }",
    "User is not in index 'gsi1'",
  ],
  ["{ op: 'query', entity: 'Post', by: ['day'] }", "partition key needs 'username'"],
  [
    "{ op: 'query', entity: 'Post', by: ['username', 'number'] }",
    "no key answers 'number': the sort key only serves a left prefix of its placeholders",
  ],
  [
    "{ op: 'query', entity: 'Post', by: ['username'], range: 'number' }",
    "the range can only be of 'day', which comes next in the sort key",
  ],
  [
    "{ op: 'query', entity: 'Post', by: ['username', 'day', 'number'], range: 'status' }",
    'there is no range: the whole sort key is fixed',
  ],
  [
    "{ op: 'query', entity: 'Post', by: ['status'], index: 'gsi1', consistent: true }",
    'gsi1 is a global index, and no global index can be read consistently',
  ],
  [
    "{ op: 'query', entity: 'Post', by: ['username'], filter: { like: 3 } }",
    "Post has no attribute 'like'",
  ],
  [
    "{ op: 'query', entity: 'User', by: ['username'], then: { op: 'batchGet', entity: 'Post' } }",
    "', which User does not have",
  ],
  ["{ op: 'query', entity: ['User', 'Pots'], by: ['username'] }", "there is no entity 'Pots'"],
  ["{ op: 'query', entity: ['Metric', 'User'], by: ['server'] }", "partition key needs 'username'"],
  ["{ op: 'query', entity: 'Metric', by: ['server'] }", "partition key needs 'at'"],
  ["{ op: 'create', entity: 'Usr' }", "there is no entity 'Usr'"],
  [
    "{ op: 'update', entity: 'User', by: ['username'], set: ['nam'] }",
    "User has no attribute 'nam'",
  ],
  [
    "{ op: 'transact', steps: { one: { op: 'delete', entity: 'User', by: [] } } }",
    "the key of User needs 'username'",
  ],
  ["{ op: 'qeury', entity: 'User', by: [] }", 'Type \'"qeury"\' is not assignable'],
  ["{ op: 'query', entity: 'Metric', by: ['server'], range: 'at' }", undefined],
  ["{ op: 'query', entity: 'Note', by: ['owner'] }", undefined],
  [
    "{ op: 'query', entity: 'Post', index: 'keys', by: ['likes'], select: ['day', 'status'] }",
    "index 'keys' does not hold 'status'",
  ],
  [
    "{ op: 'query', entity: 'Post', index: 'keys', by: ['likes'], select: ['likes', 'day', 'number'] }",
    undefined,
  ],
  [
    "{ op: 'query', entity: 'Post', index: 'keys', by: ['likes'], then: { op: 'batchGet', entity: 'Post' }, select: ['status'] }",
    undefined,
  ],
]

beforeAll(() => {
  const source = path.join(ROOT, 'packages/singletable/src/index.ts')
  const head = `
    import { defineSchema } from '${source}';
    const base = {
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' }, keys: { hash: 'likes', project: 'keys' } },
      models: {
        User: {
          key: { pk: 'USER#\${username}', sk: 'PROFILE' },
          attributes: { username: { type: String, required: true }, age: { type: Number } },
        },
        Post: {
          key: { pk: 'USER#\${username}', sk: 'POST#\${day}#\${number:pad(4)}' },
          index: { gsi1pk: 'STATUS#\${status}', gsi1sk: 'POST' },
          attributes: {
            username: { type: String }, day: { type: String }, number: { type: Number },
            status: { type: String }, likes: { type: Number },
          },
        },
        Metric: {
          key: { pk: 'M#\${server}#\${at:day}', sk: '\${at}' },
          attributes: { server: { type: String }, at: { type: Date } },
        },
        Note: {
          key: { pk: 'NOTE#\${owner}#\${shard}', sk: '\${id}' },
          shard: { count: 4 },
          attributes: { owner: { type: String }, id: { type: String } },
        },
      },
    } as const
  `
  // One schema each, so that a mistake that the compiler can't get past hides no other.
  const lines = PATTERNS.map(
    ([pattern], number) =>
      `export const s${number} = defineSchema({ ...base, patterns: { wrong: ${pattern} } })`,
  )
  const models = MODELS.map(
    ([model], number) =>
      `export const m${number} = defineSchema({ indexes: base.indexes, models: { Task: { ${model} } }, params: { timestamps: true } })`,
  )
  const parts =
    "; const key = { pk: 'T#${id}', sk: 'T' } as const; const attributes = { id: { type: String }, open: { type: Boolean } } as const"
  writeFileSync(
    path.join(folder, 'program.ts'),
    `${head.replaceAll('\n', ' ')}${parts}\n${[...lines, ...models].join('\n')}\n`,
  )
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  }
  const configuration = {
    extends: path.join(ROOT, 'tsconfig.base.json'),
    compilerOptions,
    include: ['program.ts'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('a mistake in a model or a pattern is marked with a sentence that says what it is', () => {
  const compiler = path.join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  const complaints = new Map<number, string>()
  let line = 0
  for (const text of stdout.split('\n')) {
    line = Number(/program\.ts\((\d+),/.exec(text)?.[1] ?? (text.startsWith(' ') ? line : 0))
    complaints.set(line, `${complaints.get(line) ?? ''}${text}\n`)
  }
  for (const [number, [part, message]] of [...PATTERNS, ...MODELS].entries()) {
    const complaint = complaints.get(number + 2)
    if (message === undefined) expect(complaint, part).toBeUndefined()
    else expect(complaint ?? '', part).toContain(message)
  }
})
