// biome-ignore-all lint/suspicious/noThenProperty: it is a word of the schema, and no function.
import { expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { compileSchema } from './compile-schema.ts'

const BASE = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    part: { hash: 'gsi2pk', sort: 'gsi2sk', project: ['title'] },
    byMail: { hash: 'gsi3pk', project: 'keys' },
    byAge: { hash: 'pk', sort: 'age', type: 'local' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        age: { type: Number },
        name: { type: String, readonly: true },
        version: { type: Number, version: true },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${day}#${number:pad(4)}' },
      index: {
        gsi1pk: 'STATUS#${status:lower}',
        gsi1sk: 'MAIL#${mail:lower}',
        gsi2pk: 'STATUS#${status}',
        gsi2sk: 'POST#${number:pad(4)}',
        gsi3pk: 'MAIL#${mail:lower}',
      },
      attributes: {
        username: { type: String, required: true },
        day: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String },
        mail: { type: String },
        title: { type: String },
        likes: { type: Number },
        tags: { type: Set, items: { type: String } },
      },
      copies: { Mini: { key: { pk: 'MINI#${day}', sk: '${username}#${number:pad(4)}' } } },
    },
    Metric: {
      key: { pk: 'M#${server}#${at:day}#${shard}', sk: '${at}' },
      shard: { count: 4, by: ['server', 'at'] },
      attributes: { server: { type: String, required: true }, at: { type: Date, required: true } },
    },
  },
} satisfies SchemaDefinition

function problemOf(pattern: unknown, name = 'asked'): string {
  try {
    // What a caller without the compiler's help could write.
    compileSchema({ ...BASE, patterns: { [name]: pattern } } as SchemaDefinition)
  } catch (error) {
    if (error instanceof DefinitionError && error.code === 'PATTERN_INVALID') return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(pattern)} was accepted`)
}

const get = { op: 'get', entity: 'User', by: ['username'] }
const posts = { op: 'query', entity: 'Post', by: ['username'] }
const update = { op: 'update', entity: 'User', by: ['username'] }

test.each<readonly [pattern: unknown, ...strings: readonly string[]]>([
  [undefined, 'it is not an object'],
  [{ entity: 'User' }, 'it has no op'],
  [{ ...get, op: 'gte' }, 'there is no op "gte" (did you mean "get"?)'],
  [{ ...get, op: 'check' }, 'there is no op "check"'],
  [{ ...get, projekt: [] }, 'there is no option "projekt" (did you mean "project"?)'],
  [{ ...get, index: 'gsi1' }, 'there is no option "index"'],
  [{ ...get, entity: 'Usr' }, 'there is no entity "Usr" (did you mean "User"?)'],
  [{ op: 'get', by: ['username'] }, 'it has no entity'],
  [{ ...get, by: 'username' }, 'by is not a list'],
  [{ ...get, op: 'getByUnique' }, 'no rule makes "username" unique', 'declare unique: true'],
  [{ ...get, op: 'getByUnique', consistent: true }, 'there is no option "consistent"'],
  [{ ...get, by: ['user'] }, 'there is no attribute of User "user"'],
  [{ ...get, by: [] }, 'by lacks "username"', "write by: ['username']"],
  [{ ...get, by: ['username', 'age'] }, 'by has "age", and the key of User is made of "username"'],
  [{ ...get, project: ['nam'] }, 'there is no attribute of User "nam" (did you mean "name"?)'],
  [{ ...posts, entity: [] }, 'names no entity'],
  [{ ...posts, entity: ['Post', 'Post'] }, 'names an entity twice'],
  [{ ...posts, index: 'gsi9' }, 'there is no index "gsi9" (did you mean "gsi1"?)'],
  [{ ...posts, order: 'down' }, 'there is no order "down"'],
  [{ ...posts, limit: 0 }, 'its limit is not a positive whole number'],
  [
    { ...posts, entity: 'User', index: 'gsi1' },
    'User is not in index "gsi1"',
    'read primary, byAge',
  ],
  [
    { ...posts, by: ['status'] },
    'the partition key "USER#${username}" needs "username"',
    "or read index: 'gsi1', or read index: 'part'",
  ],
  [
    { ...posts, by: ['username', 'number'] },
    'no key answers "number": the sort key "POST#${day}#${number:pad(4)}" serves only a left prefix of [day, number]',
  ],
  [{ ...posts, by: ['username', 'title'] }, 'no key answers "title"', 'move it to where'],
  [{ ...posts, range: 'number' }, 'is not ordered by "number"', "use range: 'day'"],
  [{ ...posts, by: ['username', 'day', 'number'], range: 'title' }, 'leave range out'],
  [{ ...posts, index: 'gsi1', by: ['status'], range: 'mail' }, 'is not ordered by "mail"'],
  [
    { ...posts, index: 'gsi1', by: ['status'], consistent: true },
    '"gsi1" is a global index, and no global index can be read consistently',
  ],
  [
    { ...posts, index: 'byMail', by: ['mail'], select: ['day'] },
    'index "byMail" does not hold "mail", of which its key has only the lower case',
    "ignoreCase: ['mail']",
  ],
  [
    { ...posts, index: 'part', by: ['status'], ignoreCase: ['status'] },
    'ignoreCase has "status", which by and the key do not have in lower case alone',
    'write ${status:lower} in the key',
  ],
  [{ ...posts, index: 'gsi1', by: ['status'], ignoreCase: ['mail'] }, 'ignoreCase has "mail"'],
  [
    { ...posts, index: 'part', by: ['status'] },
    'index "part" does not hold "mail" and "likes"',
    "then: { op: 'batchGet', entity: 'Post' }",
  ],
  [{ ...posts, index: 'part', by: ['status'], project: ['likes'] }, 'does not hold "likes"'],
  [{ ...posts, filter: { like: 3 } }, 'there is no attribute "like" (did you mean "likes"?)'],
  [{ ...posts, filter: { likes: { more: 3 } } }, 'there is no operator "more"'],
  [{ ...posts, filter: { likes: {} } }, 'its where has no operator for "likes"'],
  [{ ...posts, filter: { likes: 'many' } }, 'gives eq of "likes"', 'is a string, not a number'],
  [{ ...posts, filter: { likes: { between: [1] } } }, 'gives between of "likes"'],
  [{ ...posts, filter: { likes: { in: [] } } }, 'gives in of "likes"'],
  [{ ...posts, filter: { likes: { in: 3 } } }, 'gives in of "likes"'],
  [{ ...posts, filter: { likes: { exists: '$x' } } }, 'gives exists of "likes"', 'true or false'],
  [{ ...posts, filter: { username: 'x' } }, 'its where has "username", which the key answers'],
  [{ ...posts, filter: { day: { gt: '$x' } } }, 'its where has "day"', 'use by, in or range'],
  [{ ...posts, range: 'day', filter: { likes: '$day' } }, '"day" is the range'],
  [{ ...posts, then: { op: 'get', entity: 'User' } }, 'there is no op of then "get"'],
  [{ ...posts, then: { op: 'batchGet', entity: 'Usr' } }, 'there is no entity "Usr"'],
  [
    { ...posts, entity: 'User', then: { op: 'batchGet', entity: 'Post' } },
    'the key of Post needs "day" and "number", which User does not have',
  ],
  [{ ...posts, entity: ['User', 'Post'], range: 'day' }, 'no attribute of User "day"'],
  [{ ...posts, entity: ['User', 'Post'], filter: {} }, 'where is for one entity'],
  [
    { op: 'query', entity: ['Mini', 'Post'], by: ['day', 'username'] },
    'Mini and Post are never in one partition: "MINI#${day}", "USER#${username}"',
  ],
  [{ ...posts, entity: ['User', 'Metric'] }, 'there is no attribute of Metric "username"'],
  [{ op: 'query', entity: 'Metric', by: ['server'] }, 'needs "at"', 'or a time to range'],
  [{ op: 'query', entity: 'Metric', by: ['at'], range: 'server' }, 'needs "server"'],
  [{ ...update }, 'it changes nothing'],
  [{ ...update, set: ['nam'] }, 'there is no attribute of User "nam"'],
  [{ ...update, set: ['username'] }, 'set can\'t change "username"'],
  [{ ...update, set: ['name'] }, 'set can\'t change "name"'],
  [{ ...update, remove: ['version'] }, 'remove can\'t change "version"'],
  [{ ...update, set: ['age'], add: ['age'] }, 'add can\'t change "age"'],
  [{ op: 'create', entity: 'Mini' }, 'Mini is a copy of Post, and copies are only read'],
  [{ op: 'create', entity: 'User', by: ['username'] }, 'there is no option "by"'],
  [{ op: 'transact' }, 'it has 0 steps'],
  [{ op: 'transact', steps: { a: get } }, 'Access pattern "asked.a": there is no op "get"'],
  [{ op: 'transact', steps: { a: { ...update } } }, 'Access pattern "asked.a": it changes nothing'],
  [{ op: 'transact', steps: { then: { op: 'put', entity: 'User' } } }, 'its name is taken'],
  [
    {
      op: 'transact',
      steps: Object.fromEntries(
        Array.from({ length: 101 }, (_, number) => [`s${number}`, { op: 'put', entity: 'User' }]),
      ),
    },
    'it has 101 steps',
  ],
  [{ op: 'external', service: 'OpenSearch' }, 'it gives no reason'],
  [{ op: 'external', reason: 'full text' }, 'it names no service'],
  [{ op: 'scan', entity: 'User' }, 'it gives no reason'],
  [{ ...posts, select: [], project: [] }, 'it has select and project', 'leave out project'],
  [{ ...posts, op: 'count', limit: 1 }, 'there is no option "limit"'],
  [{ ...posts, op: 'exists', entity: ['User', 'Post'], where: {} }, 'exists is for one entity'],
  [{ ...posts, by: [], in: ['day'] }, 'in has "day"', 'name one of "username"'],
  [{ ...posts, in: ['username'] }, 'in has "username"', 'than those of by'],
  [{ ...posts, in: 'username' }, 'in is not a list'],
  [{ ...update, set: ['age'], where: { nam: 1 } }, 'there is no attribute "nam"'],
  [{ ...update, set: ['age'], given: ['username'] }, 'given has "username", which by has'],
  [{ ...update, op: 'upsert', add: ['age'], given: ['age'] }, 'there is no option "given"'],
  [{ op: 'create', entity: 'User', where: { age: 1 } }, 'there is no option "where"'],
  [
    { op: 'upsert', entity: 'Post', by: ['username', 'day', 'number'], set: [] },
    'it changes nothing',
  ],
])('%j is refused', (pattern, ...strings) => {
  const message = problemOf(pattern)
  for (const text of strings) expect(message).toContain(text)
})

test.each([1, 99, 100])('a transaction can have %d steps', (count) => {
  const steps = Array.from({ length: count }, (_, number) => [
    `s${number}`,
    { op: 'put', entity: 'User' },
  ])
  const patterns = { asked: { op: 'transact', steps: Object.fromEntries(steps) } }
  const schema = compileSchema({ ...BASE, patterns } as SchemaDefinition)
  expect(schema.patterns.get('asked')?.steps.size).toBe(count)
})

test.each(['', 'then', '__proto__', 'constructor', 'prototype'])(
  'no pattern is named "%s"',
  (name) => {
    const patterns = JSON.parse(`{ ${JSON.stringify(name)}: ${JSON.stringify(get)} }`)
    expect(() => compileSchema({ ...BASE, patterns })).toThrow('its name is taken')
  },
)

test.each([
  get,
  { ...posts, range: 'day' },
  { ...posts, by: ['username', 'day'], range: 'number', limit: 1 },
  { ...posts, entity: ['User', 'Post'] },
  { ...posts, index: 'part', by: ['status'], project: ['title'], range: 'number' },
  { ...posts, index: 'part', by: ['status'], then: { op: 'batchGet', entity: 'Post' } },
  { op: 'query', entity: 'User', index: 'byAge', by: ['username'], range: 'age', consistent: true },
  { op: 'query', entity: 'Metric', by: ['server'], range: 'at' },
  { op: 'query', entity: 'Metric', by: ['server', 'at'] },
  { op: 'query', entity: 'Mini', by: ['day'] },
  { op: 'get', entity: 'Metric', by: ['server', 'at'] },
  { ...posts, filter: { likes: { in: ['$one'] }, tags: { contains: 'x' }, title: '$$x' } },
  { op: 'scan', reason: 'export' },
  { ...posts, select: ['title'], where: { likes: '$likes?' } },
  { ...posts, op: 'count', range: 'day', where: { likes: { gte: '$least?' } } },
  { op: 'exists', entity: 'Post', index: 'part', by: ['status'] },
  { ...posts, by: [], in: ['username'], range: 'day' },
  { ...update, op: 'upsert', set: ['name'] },
  { ...update, set: ['age'], given: ['name'], where: { name: '$name' } },
])('%j is accepted', (asked) => {
  // As above.
  const { patterns } = compileSchema({
    ...BASE,
    patterns: { asked },
  } as unknown as SchemaDefinition)
  expect(patterns.get('asked')?.name).toBe('asked')
})

test('the members of the input are known, and which of them must be there', () => {
  const { patterns } = compileSchema({
    ...BASE,
    patterns: {
      asked: {
        op: 'query',
        entity: 'Post',
        by: ['username'],
        range: 'day',
        filter: { likes: { gte: '$least' }, title: '$$' },
      },
      edit: { op: 'update', entity: 'User', by: ['username'], set: ['age'] },
      save: { op: 'put', entity: 'User' },
    },
  })
  const members = (name: string) => [...(patterns.get(name)?.input ?? [])]
  expect(members('asked')).toEqual([
    ['username', true],
    ['day', false],
    ['least', true],
  ])
  expect(members('edit')).toEqual([
    ['username', true],
    ['age', false],
  ])
  expect(patterns.get('save')?.input).toBeUndefined()
})

test('an index of keys does not hold an attribute that is called so', () => {
  const text = { type: String, required: true } as const
  const definition = {
    indexes: {
      primary: { hash: 'pk' },
      byKind: { hash: 'kind', project: 'keys' },
    },
    models: {
      Lock: {
        key: { pk: 'LOCK#${id}' },
        attributes: { id: text, kind: text, key: text, keys: text },
      },
    },
    patterns: {
      locks: {
        op: 'query',
        entity: 'Lock',
        index: 'byKind',
        by: ['kind'],
        project: ['key', 'keys'],
      },
    },
  } as const
  expect(() => compileSchema(definition)).toThrow('index "byKind" does not hold "key" and "keys"')
})
