import { describe, expect, it, vi } from 'vitest'
import { InputError } from '../../errors/input-error.ts'
import { PlanError } from '../../errors/plan-error.ts'
import { allOf, compare } from '../../expression/build.ts'
import { readExpressions } from '../../expression/read-expressions.ts'
import type { Condition } from '../../expression/tree.ts'
import {
  compileGet,
  compileRead,
  fingerprintOf,
  type ReadRequest,
} from '../../request/compile-read.ts'
import type { Model, Schema } from '../../schema/model.ts'
import type { SchemaDefinition } from '../../schema/schema-definition.ts'
import { compileSchema } from '../compile-schema.ts'
import { operators as op } from '../operators.ts'
import type { PlanContext } from '../plan-context.ts'
import { explainGet, planGet } from '../plan-get.ts'
import { referencesOf, toReference } from '../references.ts'
import type { QueryState } from '../state.ts'
import type { Where } from '../where.ts'
import { explainRead } from './explain-read.ts'
import { planRead } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

const required = { required: true } as const

const blog = compileSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: { username: { type: String }, name: { type: String } },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${category}#${number:pad(4)}' },
      index: {
        gsi1pk: 'POST',
        gsi1sk: 'STATUS#${published}#${createdAt}',
        gsi2pk: 'CATEGORY#${category}',
        gsi2sk: 'TITLE#${title}#${number:pad(4):desc}',
      },
      attributes: {
        username: { type: String },
        category: { type: String },
        number: { type: Number },
        title: { type: String, ...required, encode: false },
        published: { type: Boolean, ...required },
        views: { type: Number },
        tags: { type: Array, items: { type: String } },
        createdAt: { type: Date, ...required },
      },
    },
    Draft: {
      key: { pk: 'USER#${username}', sk: 'DRAFT#${id}' },
      attributes: { username: { type: String }, id: { type: String } },
    },
  },
} satisfies SchemaDefinition)

const NOW = 1_700_000_000_500

function context(warn?: (message: string) => void): PlanContext {
  return {
    tableName: 'Blog',
    environment: {
      now: () => NOW,
      randomBytes: (count) => new Uint8Array(count),
      schedule: () => () => {},
    },
    warn,
  }
}

function modelOf(schema: Schema, name: string): Model {
  return schema.models.get(name)!
}

// biome-ignore lint/suspicious/noExplicitAny: members are read as an untyped callback reads them.
type Attr = Record<string, any>

function joined(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  return allOf(conditions.filter((each) => each !== undefined))
}

function plan(
  model: Model,
  where?: (attr: Attr, operators: typeof op) => unknown,
  more: Partial<QueryState> = {},
  warn?: (message: string) => void,
): ReadPlan & { readonly request: ReadRequest } {
  const state: QueryState = {
    model,
    verb: 'query',
    select: undefined,
    consistentRead: false,
    capacity: undefined,
    where: where && (where(referencesOf(model), op) as Where),
    index: undefined,
    forward: true,
    limit: undefined,
    pageSize: undefined,
    cursor: undefined,
    segment: undefined,
    hydrate: false,
    includeExpired: false,
    ...more,
  }
  const made = planRead(state, context(warn))
  const request = compileRead(made)
  // Whatever is printed says what was planned.
  const { key, filter } = readExpressions(request)
  const keys = Object.entries(made.partition).map(([name, value]) => compare(name, '=', value))
  expect(key).toEqual(joined(...keys, made.sort))
  expect(filter).toEqual(joined(made.filter, made.alive))
  return { ...made, request }
}

const Post = modelOf(blog, 'Post')
const User = modelOf(blog, 'User')
const by = (...conditions: ((attr: Attr) => unknown)[]) => {
  return (attr: Attr) => op.and(...conditions.map((condition) => condition(attr)))
}
const ofAlice = (attr: Attr): unknown => op.eq(attr.username, 'alice')

function explained(plan: ReadPlan): unknown {
  const { index, keyCondition, filter } = explainRead(plan, context())
  return { index, keyCondition, ...(filter && { filter }) }
}

describe('the key condition of a query', () => {
  it.each<[string, (attr: Attr) => Where, string, (string | undefined)?]>([
    [
      'a partition, narrowed to the model by its prefix',
      by(ofAlice),
      'pk = "USER#alice" AND begins_with(sk, "POST#")',
      undefined,
    ],
    [
      'a head that ends behind a separator, so that new is not news',
      by(ofAlice, (attr) => op.eq(attr.category, 'new')),
      'pk = "USER#alice" AND begins_with(sk, "POST#new#")',
      undefined,
    ],
    [
      'the whole key',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.eq(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk = "POST#new#0007"',
      undefined,
    ],
    [
      'a prefix of the next component',
      by(ofAlice, (attr) => op.beginsWith(attr.category, 'ne')),
      'pk = "USER#alice" AND begins_with(sk, "POST#ne")',
      undefined,
    ],
    [
      'from a number on',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.gte(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#0007" AND "POST#new#\\u{10ffff}"',
      undefined,
    ],
    [
      'above a number',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.gt(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#0007\\u0000" AND "POST#new#\\u{10ffff}"',
      undefined,
    ],
    [
      'up to a number',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.lte(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#" AND "POST#new#0007"',
      undefined,
    ],
    [
      'below a number, whose own key only a filter can leave out',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.lt(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#" AND "POST#new#0007"',
      'number < 7',
    ],
    [
      'between two numbers',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.between(attr.number, 3, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#0003" AND "POST#new#0007"',
      undefined,
    ],
    [
      'between two bounds that are given apart',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.gte(attr.number, 3),
        (attr) => op.lte(attr.number, 7),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#0003" AND "POST#new#0007"',
      undefined,
    ],
    [
      'bounds that contradict each other, which no key is between',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.gte(attr.number, 7),
        (attr) => op.lte(attr.number, 3),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#new#" AND "POST#new#"',
    ],
    [
      'a bound that no key has, as a filter',
      by(
        ofAlice,
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.lte(attr.number, 100_000),
      ),
      'pk = "USER#alice" AND begins_with(sk, "POST#new#")',
      'number <= 100000',
    ],
    [
      'a range of plain text with more behind it, widened and filtered',
      by(ofAlice, (attr) => op.between(attr.category, 'b', 'd')),
      'pk = "USER#alice" AND sk BETWEEN "POST#b" AND "POST#d#\\u{10ffff}"',
      'category BETWEEN "b" AND "d"',
    ],
    [
      'plain text with a blank, which comes before the separator',
      by(ofAlice, (attr) => op.lte(attr.category, 'b c')),
      'pk = "USER#alice" AND begins_with(sk, "POST#")',
      'category <= "b c"',
    ],
    [
      'a gap between bound placeholders',
      by(ofAlice, (attr) => op.eq(attr.number, 7)),
      'pk = "USER#alice" AND begins_with(sk, "POST#")',
      'number = 7',
    ],
    [
      'two equalities of one attribute',
      by(ofAlice, (attr) => op.eq(attr.username, 'bob')),
      'pk = "USER#alice" AND begins_with(sk, "POST#")',
      'username = "bob"',
    ],
    [
      'or, which no key answers',
      by(ofAlice, (attr) => op.or(op.eq(attr.views, 1), op.eq(attr.category, 'x'))),
      'pk = "USER#alice" AND begins_with(sk, "POST#")',
      'views = 1 OR category = "x"',
    ],
    [
      'raw key attributes',
      by(
        (attr) => op.eq(attr.pk, 'USER#alice'),
        (attr) => op.beginsWith(attr.sk, 'POST#n'),
      ),
      'pk = "USER#alice" AND begins_with(sk, "POST#n")',
      undefined,
    ],
    [
      'a raw sort key that can meet other models',
      by(ofAlice, (attr) => op.gte(attr.sk, 'E')),
      'pk = "USER#alice" AND sk >= "E"',
      '_type = "Post"',
    ],
    [
      'raw bounds together',
      by(
        ofAlice,
        (attr) => op.lte(attr.sk, 'POST#z'),
        (attr) => op.gte(attr.sk, 'POST#a'),
      ),
      'pk = "USER#alice" AND sk BETWEEN "POST#a" AND "POST#z"',
      undefined,
    ],
  ])('asks for %s', (_, where, keyCondition, filter) => {
    expect(explained(plan(Post, where))).toEqual({
      index: 'primary',
      keyCondition,
      ...(filter && { filter }),
    })
  })

  it.each([
    [
      'a literal partition key, if the sort key is asked for',
      by((attr) => op.eq(attr.published, true)),
      {
        index: 'gsi1',
        keyCondition: 'gsi1pk = "POST" AND begins_with(gsi1sk, "STATUS#true#")',
      },
    ],
    [
      'dates as times',
      by(
        (attr) => op.eq(attr.published, true),
        (attr) => op.gte(attr.createdAt, new Date('2026-01-02T03:04:05.678Z')),
      ),
      {
        index: 'gsi1',
        keyCondition:
          'gsi1pk = "POST" AND gsi1sk BETWEEN "STATUS#true#2026-01-02T03:04:05.678Z" AND "STATUS#true#\\u{10ffff}"',
      },
    ],
    [
      'raw attributes of an index',
      by(
        (attr) => op.eq(attr.gsi1pk, 'POST'),
        (attr) => op.beginsWith(attr.gsi1sk, 'STATUS#true'),
      ),
      {
        index: 'gsi1',
        keyCondition: 'gsi1pk = "POST" AND begins_with(gsi1sk, "STATUS#true")',
      },
    ],
    [
      'numbers in falling order',
      by(
        (attr) => op.eq(attr.category, 'new'),
        (attr) => op.eq(attr.title, 'Hello'),
        (attr) => op.gt(attr.number, 7),
      ),
      {
        index: 'gsi2',
        keyCondition:
          'gsi2pk = "CATEGORY#new" AND gsi2sk BETWEEN "TITLE#Hello#" AND "TITLE#Hello#9992"',
        filter: 'number > 7',
      },
    ],
    [
      'the inverted index, by a raw key',
      by((attr) => op.eq(attr.sk, 'POST#new#0007')),
      {
        index: 'inverted',
        keyCondition: 'sk = "POST#new#0007" AND begins_with(pk, "USER#")',
      },
    ],
  ])('chooses an index for %s', (_, where, expected) => {
    expect(explained(plan(Post, where))).toEqual(expected)
  })

  it('is an equality where the template is literal', () => {
    expect(explained(plan(User, by(ofAlice)))).toEqual({
      index: 'primary',
      keyCondition: 'pk = "USER#alice" AND sk = "PROFILE"',
    })
  })

  it('accepts values that already have their literal, and warns once', () => {
    const warn = vi.fn()
    const where = by((attr) => op.eq(attr.username, 'USER#alice'))
    expect(explained(plan(Post, where, {}, warn))).toMatchObject({
      keyCondition: 'pk = "USER#alice" AND begins_with(sk, "POST#")',
    })
    plan(Post, where, {}, warn)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]![0]).toContain('Post.username')
  })

  it('refuses values that would forge another key', () => {
    expect(() =>
      plan(
        Post,
        by((attr) => op.eq(attr.username, 'alice#ADMIN')),
      ),
    ).toThrow(/KEY_COMPONENT_INVALID.*username/)
    expect(() =>
      plan(
        Post,
        by(ofAlice, (attr) => op.eq(attr.category, '')),
      ),
    ).toThrow(/is empty/)
    expect(() =>
      plan(
        Post,
        by((attr) => op.eq(attr.username, 'x'.repeat(2049))),
      ),
    ).toThrow(InputError)
  })
})

describe('the choice of an index', () => {
  it('follows useIndex, and says what that index needs', () => {
    const where = by(ofAlice, (attr) => op.eq(attr.category, 'new'))
    expect(explained(plan(Post, where, { index: 'gsi2' }))).toEqual({
      index: 'gsi2',
      keyCondition: 'gsi2pk = "CATEGORY#new" AND begins_with(gsi2sk, "TITLE#")',
      filter: 'username = "alice"',
    })
    expect(() => plan(Post, by(ofAlice), { index: 'gsi2' })).toThrow(
      /cannot be queried by "username" alone in index "gsi2"[\s\S]*gsi2 needs category/,
    )
    expect(() => plan(Post, by(ofAlice), { index: 'gsi9' })).toThrow(/not in index "gsi9"/)
    expect(() => plan(User, by(ofAlice), { index: 'gsi1' })).toThrow(/not in index "gsi1"/)
  })

  it('reads a partition of everything only when the caller names it', () => {
    expect(() =>
      plan(
        Post,
        by((attr) => op.eq(attr.views, 1)),
      ),
    ).toThrow(PlanError)
    expect(explained(plan(Post, undefined, { index: 'gsi1' }))).toEqual({
      index: 'gsi1',
      keyCondition: 'gsi1pk = "POST" AND begins_with(gsi1sk, "STATUS#")',
    })
  })

  it('is an error that names what each index needs, and never a scan', () => {
    const error = refusal(() =>
      plan(
        Post,
        by((attr) => op.eq(attr.views, 1)),
      ),
    )
    expect(error.message).toMatchInlineSnapshot(`
      "PLAN_NO_INDEX: Post cannot be queried by "views" alone.
        where:  table "Blog", entity "Post", query()
        tried:  primary needs username · gsi1 has one partition for all items, so it is read whole only with useIndex() · gsi2 needs category · inverted needs category, number
        fix:    give what an index needs with op.eq() or op.in(); add an index whose partition key needs only what is given; or use scan() if the table is small
        more:   node_modules/singletable/docs/errors.md#plan_no_index"
    `)
    expect(() => plan(Post)).toThrow(/cannot be queried without a condition/)
  })

  it('reads a partition for each value that is listed', () => {
    const { fan, filter } = plan(
      Post,
      by((attr) => op.in(attr.username, ['a', 'b'])),
    )
    expect(fan).toMatchObject({ shards: 2, keys: [[['USER#a']], [['USER#b']]] })
    expect(filter).toBeUndefined()
  })

  it('passes over an index whose keys a value does not suit, if another one serves', () => {
    const where = by(
      (attr) => op.eq(attr.category, 'a#b'),
      (attr) => op.eq(attr.published, true),
    )
    expect(explained(plan(Post, where))).toMatchObject({
      index: 'gsi1',
      filter: 'category = "a#b"',
    })
  })

  it('refuses consistent reads of a global index', () => {
    expect(() =>
      plan(
        Post,
        by((attr) => op.eq(attr.published, true)),
        { consistentRead: true },
      ),
    ).toThrow(/PLAN_INVALID/)
    expect(plan(Post, by(ofAlice), { consistentRead: true }).request.ConsistentRead).toBe(true)
  })
})

describe('the filter of a query', () => {
  it('refuses conditions on keys that no key condition can have', () => {
    for (const where of [
      by(ofAlice, (attr) => op.ne(attr.sk, 'x')),
      by(ofAlice, (attr) => op.or(op.eq(attr.sk, 'x'), op.eq(attr.views, 1))),
      by(
        ofAlice,
        (attr) => op.gt(attr.sk, 'a'),
        (attr) => op.lt(attr.sk, 'b'),
      ),
      by(ofAlice, (attr) => op.not(op.exists(attr.pk))),
    ]) {
      expect(() => plan(Post, where)).toThrow(/PLAN_INVALID.*"[ps]k"/)
    }
  })

  it('may look at keys of other indexes', () => {
    expect(
      explained(
        plan(
          Post,
          by(ofAlice, (attr) => op.exists(attr.gsi1pk)),
        ),
      ),
    ).toMatchObject({
      filter: 'attribute_exists(gsi1pk)',
    })
  })

  it('has a limit', () => {
    const many = (count: number) => (attr: Attr) =>
      op.and(ofAlice(attr), ...Array.from({ length: count }, (_, i) => op.ne(attr.views, i)))
    expect(() => plan(Post, many(150))).not.toThrow()
    expect(() => plan(Post, many(152))).toThrow(/300 operators/)
    expect(() => plan(Post, many(50_000))).toThrow(InputError)
    const long = (attr: Attr) =>
      op.and(ofAlice(attr), ...Array(7).fill(op.in(attr.views, Array(99).fill(1))))
    expect(() => plan(Post, long)).toThrow(/4096/)
  })

  it('names unknown attributes', () => {
    expect(() =>
      plan(
        Post,
        by(ofAlice, (attr) => op.eq(attr.isAdmin, true)),
      ),
    ).toThrow(/"isAdmin" is not an attribute/)
  })
})

describe('numbers', () => {
  it.each([
    { limit: 0 },
    { limit: -1 },
    { limit: 1.5 },
    { limit: Number.POSITIVE_INFINITY },
    { limit: '10' as never },
    { pageSize: 0 },
    { pageSize: Number.NaN },
    { segment: { segment: 4, total: 4 } },
    { segment: { segment: -1, total: 4 } },
    { segment: { segment: 0, total: 1_000_001 } },
  ])('that can not be meant are refused: %o', (more) => {
    expect(() => plan(Post, by(ofAlice), more)).toThrow(InputError)
  })
})

describe('a scan', () => {
  it('filters by the type always, and by keys as by anything', () => {
    const scan = plan(
      Post,
      by((attr) => op.ne(attr.sk, 'x')),
      {
        verb: 'scan',
        segment: { segment: 1, total: 4 },
      },
    )
    expect(scan.operation).toBe('Scan')
    expect(explained(scan)).toEqual({
      index: 'primary',
      keyCondition: undefined,
      filter: 'sk <> "x" AND _type = "Post"',
    })
    expect(scan.request).toMatchObject({ Segment: 1, TotalSegments: 4 })
    expect(explained(plan(Post, undefined, { verb: 'scan', index: 'gsi1' }))).toMatchObject({
      index: 'gsi1',
    })
  })
})

describe('time to live, projections and odd keys', () => {
  const table = compileSchema({
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      keys: { hash: 'kpk', sort: 'ksk', project: 'keys' },
      some: { hash: 'spk', sort: 'ssk', project: ['title'] },
      expiring: { hash: 'epk', sort: 'expiresAt' },
      many: { hash: ['tenant', 'region'], sort: ['year', 'score', 'mpath'] },
      local: { type: 'local', hash: 'pk', sort: 'score' },
    },
    models: {
      Session: {
        key: { pk: 'USER#${user}', sk: 'S#${id}' },
        index: {
          kpk: 'KIND#${kind}',
          ksk: '${prefix:pad(2)}${title}',
          spk: 'TITLE#${title:lower}',
          ssk: '${title:lower}-${prefix:pad(2)}',
          epk: 'USER#${user}',
          mpath: 'PATH#${path}',
        },
        attributes: {
          user: { type: String },
          id: { type: String, encode: true },
          kind: { type: String },
          title: { type: String, normalize: 'NFC', required: true },
          prefix: { type: Number, required: true },
          tenant: { type: String },
          region: { type: String },
          year: { type: Number, required: true },
          score: { type: Number, required: true },
          path: { type: Array, items: { type: String }, required: true },
          expiresAt: { type: Date, ttl: true },
        },
      },
      Other: {
        key: { pk: 'OTHER#${id}', sk: 'O' },
        index: { kpk: 'KIND#${id}', ksk: 'X#${id}' },
        attributes: { id: { type: String } },
      },
    },
  })
  const Session = modelOf(table, 'Session')
  const ofUser = (attr: Attr): unknown => op.eq(attr.user, 'u')

  it('leaves out what is expired, unless asked for', () => {
    expect(explained(plan(Session, by(ofUser)))).toMatchObject({
      keyCondition: 'pk = "USER#u" AND begins_with(sk, "S#")',
      filter: 'attribute_not_exists(expiresAt) OR expiresAt > 1700000000',
    })
    expect(plan(Session, by(ofUser), { includeExpired: true }).filter).toBeUndefined()
  })

  it('looks at the time to live after reading where it is a key', () => {
    const expiring = plan(Session, by(ofUser), { index: 'expiring' })
    expect(expiring).toMatchObject({ filter: undefined, counts: false })
    const later = by(ofUser, (attr) => op.gt(attr.expiresAt, new Date(5000)))
    expect(explained(plan(Session, later, { index: 'expiring' }))).toEqual({
      index: 'expiring',
      keyCondition: 'epk = "USER#u" AND expiresAt > 5',
    })
  })

  it('keeps its fingerprint as time goes by, and another one for another query', () => {
    const first = fingerprintOf(plan(Session, by(ofUser)))
    expect(fingerprintOf(plan(Session, by(ofUser), { limit: 5 }))).toBe(first)
    const others = [
      plan(Session, by(ofUser), { forward: false }),
      plan(Session, by(ofUser), { index: 'expiring' }),
      plan(
        Session,
        by(ofUser, (attr) => op.eq(attr.kind, 'k')),
      ),
      plan(
        Session,
        by((attr) => op.eq(attr.user, 'v')),
      ),
    ]
    expect(new Set([first, ...others.map(fingerprintOf)]).size).toBe(5)
  })

  it('refuses an index that lacks what is asked for', () => {
    const where = by((attr) => op.eq(attr.kind, 'k'))
    expect(() => plan(Session, where, { includeExpired: true })).toThrow(
      /PLAN_PROJECTION: Index "keys" does not have "tenant" and "region"/,
    )
    const attr = referencesOf(Session) as Attr
    const titles = by((it) => op.eq(it.title, 'T'))
    expect(() => plan(Session, where, { select: [] })).toThrow(/"expiresAt"/)
    const selected = plan(Session, titles, { select: [attr.title], includeExpired: true })
    expect(Object.values(selected.request.ExpressionAttributeNames ?? {}).sort()).toEqual([
      '_type',
      'pk',
      'sk',
      'spk',
      'ssk',
      'title',
    ])
    expect(() =>
      plan(
        Session,
        by(
          (it) => op.eq(it.title, 'T'),
          (it) => op.eq(it.year, 1),
        ),
        { hydrate: true },
      ),
    ).toThrow(/does not have "year", which the filter/)
  })

  it('reads only keys where whole items are fetched', () => {
    const attr = referencesOf(Session) as Attr
    const hydrated = plan(
      Session,
      by((it) => op.eq(it.kind, 'k')),
      {
        hydrate: true,
        select: [attr.year],
      },
    )
    expect(Object.values(hydrated.request.ExpressionAttributeNames ?? {})).toContain('ksk')
    expect(Object.values(hydrated.request.ExpressionAttributeNames ?? {})).not.toContain('year')
    expect(hydrated.whole).toContainEqual(['year'])
    // The index has no type, so what it counts may be of another model.
    expect(hydrated).toMatchObject({ filter: undefined, counts: false })
  })

  it('equals text that keys keep in small letters, and leaves ranges of it to a filter', () => {
    const all = { includeExpired: true, hydrate: true }
    expect(
      explained(
        plan(
          Session,
          by((attr) => op.eq(attr.title, 'Abc')),
          all,
        ),
      ),
    ).toEqual({
      index: 'some',
      keyCondition: 'spk = "TITLE#abc" AND begins_with(ssk, "abc-")',
      filter: 'title = "Abc"',
    })
    const anyCase = by((attr) => op.ignoreCase(attr.title, 'Abc'))
    expect(explained(plan(Session, anyCase, all))).toEqual({
      index: 'some',
      keyCondition: 'spk = "TITLE#abc" AND begins_with(ssk, "abc-")',
    })
  })

  it('brings text into its Unicode form', () => {
    const where = by((attr) => op.eq(attr.title, 'e\u0301'))
    expect(explainRead(plan(Session, where, { hydrate: true }), context()).keyCondition).toContain(
      'TITLE#é',
    )
  })

  it('goes through several key attributes from left to right', () => {
    const where = by(
      (attr) => op.eq(attr.tenant, 't'),
      (attr) => op.eq(attr.region, 'r'),
      (attr) => op.eq(attr.year, 2026),
      (attr) => op.gte(attr.score, 5),
    )
    const all = { includeExpired: true }
    expect(explained(plan(Session, where, all))).toEqual({
      index: 'many',
      keyCondition: 'tenant = "t" AND region = "r" AND year = 2026 AND score >= 5',
    })
    const gap = by(
      (attr) => op.eq(attr.tenant, 't'),
      (attr) => op.eq(attr.region, 'r'),
      (attr) => op.eq(attr.score, 5),
    )
    expect(() => plan(Session, gap, all)).toThrow(/PLAN_INVALID.*"score"/)
    const whole = by(
      (attr) => op.eq(attr.tenant, 't'),
      (attr) => op.eq(attr.region, 'r'),
      (attr) => op.eq(attr.year, 2026),
      (attr) => op.eq(attr.score, 5),
      (attr) => op.eq(attr.path, ['a', 'b']),
    )
    expect(explainRead(plan(Session, whole, all), context()).keyCondition).toMatch(
      /score = 5 AND mpath = "PATH#a#b"$/,
    )
    expect(
      explainRead(
        plan(
          Session,
          by(
            (attr) => op.eq(attr.tenant, 't'),
            (attr) => op.eq(attr.region, 'r'),
          ),
          all,
        ),
        context(),
      ).keyCondition,
    ).toBe('tenant = "t" AND region = "r"')
  })

  it('uses a local index when it is named, consistently if asked', () => {
    const where = by(ofUser, (attr) => op.between(attr.score, 1, 2))
    const local = plan(Session, where, {
      index: 'local',
      consistentRead: true,
      includeExpired: true,
    })
    expect(explained(local)).toEqual({
      index: 'local',
      keyCondition: 'pk = "USER#u" AND score BETWEEN 1 AND 2',
    })
  })
})

describe('components that no separator ends', () => {
  const files = compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      File: {
        key: { pk: 'U#${user}', sk: 'F#${name}-${part:pad(3)}' },
        attributes: { user: { type: String }, name: { type: String }, part: { type: Number } },
      },
    },
  })
  const File = modelOf(files, 'File')
  const ofUser = (attr: Attr): unknown => op.eq(attr.user, 'u')

  it('are filtered by as well, because the key of another value can start the same', () => {
    expect(
      explained(
        plan(
          File,
          by(ofUser, (attr) => op.eq(attr.name, 'a')),
        ),
      ),
    ).toEqual({
      index: 'primary',
      keyCondition: 'pk = "U#u" AND begins_with(sk, "F#a-")',
      filter: 'name = "a"',
    })
    expect(
      explained(
        plan(
          File,
          by(ofUser, (attr) => op.beginsWith(attr.name, 'a-')),
        ),
      ),
    ).toEqual({
      index: 'primary',
      keyCondition: 'pk = "U#u" AND begins_with(sk, "F#a-")',
      filter: 'begins_with(name, "a-")',
    })
  })
})

describe('select', () => {
  it('gives each path once, with keys and type, and nothing inside what is given whole', () => {
    const attr = referencesOf(Post) as Attr
    const { request, partial } = plan(Post, by(ofAlice), {
      select: [attr.tags, attr.title, attr.tags[0], attr.title].map((each) => toReference(each)!),
    })
    expect(partial).toEqual([])
    expect(request.ProjectionExpression?.split(', ')).toHaveLength(5)
    expect(Object.values(request.ExpressionAttributeNames ?? {}).sort()).toEqual([
      '_type',
      'pk',
      'sk',
      'tags',
      'title',
    ])
  })
})

describe('explanations', () => {
  it('describe everything about a query', () => {
    const explanation = explainRead(
      plan(
        Post,
        by(
          ofAlice,
          (attr) => op.gte(attr.sk, 'A'),
          (attr) => op.gt(attr.views, 9),
        ),
        { limit: 10 },
      ),
      context(),
    )
    expect(explanation).toMatchInlineSnapshot(`
      {
        "capacity": "0.5 read units per 4 KB read",
        "entity": "Post",
        "filter": "views > 9 AND _type = "Post"",
        "index": "primary",
        "keyCondition": "pk = "USER#alice" AND sk >= "A"",
        "notes": [
          "the filter is applied after reading: what it leaves out is paid for too",
          "items of User, Draft can be among those read, so a filter on the type is added",
          "more than 10 items may be read until 10 pass the filter",
        ],
        "operation": "Query",
        "refused": [
          {
            "index": "gsi1",
            "reason": "has one partition for all items, so it is read whole only with useIndex()",
          },
          {
            "index": "gsi2",
            "reason": "needs category",
          },
          {
            "index": "inverted",
            "reason": "needs category, number",
          },
        ],
        "requests": "1 per page",
      }
    `)
  })

  it('describe what a get and a scan do', () => {
    const state = {
      model: User,
      key: { username: 'USER#alice' },
      select: undefined,
      consistentRead: true,
      capacity: undefined,
      includeExpired: false,
    }
    expect(compileGet(planGet(state, context()))).toEqual({
      TableName: 'Blog',
      Key: { pk: { S: 'USER#alice' }, sk: { S: 'PROFILE' } },
      ConsistentRead: true,
    })
    expect(explainGet(state, context())).toMatchObject({
      operation: 'GetItem',
      keyCondition: 'pk = "USER#alice" AND sk = "PROFILE"',
      capacity: '1 read unit per 4 KB of the item',
    })
    expect(explainRead(plan(User, undefined, { verb: 'scan' }), context())).toMatchObject({
      operation: 'Scan',
      refused: [],
      notes: ['the whole table is read and paid for, whatever the filter leaves out'],
    })
  })
})

function refusal(call: () => unknown): Error {
  try {
    call()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was refused')
}

describe('a range in a sort key that begins with it', () => {
  const lamps = compileSchema({
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      byState: { hash: 'statePk', sort: 'stateSk' },
    },
    models: {
      Lamp: {
        key: { pk: 'ROOM#${room}', sk: '${on}#${watts:pad(4)}' },
        index: { statePk: 'ROOM#${room}', stateSk: '${on}' },
        attributes: {
          room: { type: String },
          on: { type: Boolean },
          watts: { type: Number },
        },
      },
    },
  } satisfies SchemaDefinition)
  const Lamp = modelOf(lamps, 'Lamp')
  const here = (attr: Attr): unknown => op.eq(attr.room, 'hall')

  it.each<[string, string, (attr: Attr) => Where, string]>([
    [
      'finds nothing between bounds that contradict each other',
      'primary',
      by(
        here,
        (attr) => op.gte(attr.on, true),
        (attr) => op.lte(attr.on, false),
      ),
      'pk = "ROOM#hall" AND sk < "\\u0000"',
    ],
    [
      'finds nothing between a value and itself',
      'primary',
      by(
        here,
        (attr) => op.gt(attr.on, true),
        (attr) => op.lt(attr.on, true),
      ),
      'pk = "ROOM#hall" AND sk < "\\u0000"',
    ],
    [
      'needs no filter to leave out a boolean that is the whole key',
      'byState',
      by(here, (attr) => op.lt(attr.on, true)),
      'statePk = "ROOM#hall" AND stateSk <= "tru"',
    ],
    [
      'finds nothing from a boolean on to before itself',
      'byState',
      by(
        here,
        (attr) => op.gte(attr.on, false),
        (attr) => op.lt(attr.on, false),
      ),
      'statePk = "ROOM#hall" AND stateSk < "\\u0000"',
    ],
  ])('%s', (_, index, where, keyCondition) => {
    expect(explained(plan(Lamp, where, { index }))).toEqual({ index, keyCondition })
  })
})
