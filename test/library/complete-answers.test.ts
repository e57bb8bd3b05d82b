import { defineSchema, PlanError, SingletableError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const text = { type: String, required: true } as const

const TicketSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk' },
    open: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byDue: { hash: 'gsi3pk', sort: 'gsi3sk' },
    all: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    Ticket: {
      key: { pk: 'TICKET#${id}' },
      index: {
        gsi1pk: 'AGENT#${agent}',
        gsi1sk: 'TICKET#${id}',
        gsi2pk: 'AGENT#${agent}',
        gsi2sk: 'TICKET#${id}',
        gsi3pk: 'AGENT#${agent}',
        gsi3sk: '${priority}#${due}',
      },
      when: { open: { status: ['open', 'waiting'] } },
      attributes: {
        id: text,
        agent: text,
        priority: { ...text, default: 'low' },
        due: { type: String },
        status: { type: String, enum: ['open', 'waiting', 'closed'], default: 'open' },
      },
    },
    Comment: {
      key: { pk: 'COMMENT#${id}' },
      index: {
        gsi1pk: 'AGENT#${agent}',
        gsi1sk: 'C#${id}',
        gsi2pk: 'AGENT#${agent}',
        gsi2sk: 'C#${id}',
      },
      attributes: { id: text, agent: text },
    },
  },
  patterns: {
    openTickets: { op: 'query', entity: 'Ticket', index: 'open', by: ['agent'] },
    urgent: { op: 'query', entity: 'Ticket', index: 'byDue', by: ['agent', 'priority'] },
    dueTickets: { op: 'query', entity: 'Ticket', index: 'byDue', by: ['agent', 'priority', 'due'] },
  },
})

async function tickets() {
  const table = new Table({ name: 'Support', schema: TicketSchema, client: createEngine() })
  await table.create()
  const { Ticket } = table.entities
  await Ticket.put({ id: '1', agent: 'ann', status: 'open', due: 'd' }).execute()
  await Ticket.put({ id: '2', agent: 'ann', status: 'closed' }).execute()
  return table
}

test('an index that lacks matching items is not chosen, whatever the conditions', async () => {
  const { Ticket } = (await tickets()).entities
  const query = Ticket.query({ agent: 'ann' })
  const ids = async (each: typeof query) => (await each.execute()).map(({ id }) => id)
  expect(await ids(query)).toEqual(['1', '2'])
  expect(await ids(query.where((a, op) => op.in(a.status, ['open', 'closed'])))).toEqual(['1', '2'])
  expect(await ids(query.where((a, op) => op.in(a.status, ['closed'])))).toEqual(['2'])
  expect(await ids(query.where((a, op) => op.ne(a.status, 'open')))).toEqual(['2'])
  expect(await ids(query.where((a, op) => op.not(op.eq(a.status, 'open'))))).toEqual(['2'])
  const either = query.where((a, op) => op.or(op.eq(a.status, 'closed'), op.eq(a.status, 'open')))
  expect(await ids(either)).toEqual(['1', '2'])
  expect(await ids(Ticket.query({ agent: 'ann', priority: 'low' }))).toEqual(['1', '2'])
  expect(Ticket.query({ agent: 'ann', status: 'open' }).explain().index).toBe('open')
  const due = Ticket.query({ agent: 'ann', priority: 'low' }).where((a, op) => op.exists(a.due))
  expect(due.explain()).toMatchObject({ index: 'byDue', filter: undefined })
  expect(query.explain().refused).toContainEqual({
    index: 'byDue',
    reason: 'may lack items without "due"',
  })
})

test('a collection takes an index that has all its items', async () => {
  const table = await tickets()
  const collection = table.collect(['Ticket', 'Comment'], { agent: 'ann' })
  expect((await collection.execute()).Ticket.map(({ id }) => id)).toEqual(['1', '2'])
  expect(collection.explain()).toMatchObject({ index: 'all', notes: [] })
  expect(collection.useIndex('open').explain().notes).toContain(
    'index "open" is not complete: Ticket items whose "status" is not open or waiting are not in it',
  )
})

test('the plan of a pattern says which items its index lacks', async () => {
  const { patterns } = await tickets()
  expect(patterns.openTickets.plan().incomplete).toBe('items whose "status" is not open or waiting')
  expect(patterns.urgent.plan().incomplete).toBe('items without "due"')
  expect(patterns.dueTickets.plan()).not.toHaveProperty('incomplete')
  expect((await patterns.openTickets({ agent: 'ann' })).items.map(({ id }) => id)).toEqual(['1'])
})

test('where one index can not filter as asked, another one is taken', async () => {
  const schema = defineSchema({
    indexes: {
      primary: { hash: 'pk' },
      byRank: { hash: 'team', sort: 'rank' },
      small: { hash: 'gsi1pk', sort: 'rank', project: 'keys' },
      byId: { hash: 'gsi1pk', sort: 'gsi1sk' },
    },
    models: {
      Player: {
        key: { pk: 'PLAYER#${id}' },
        index: { gsi1pk: 'TEAM#${team}', gsi1sk: 'PLAYER#${id}' },
        attributes: { id: text, team: text, rank: { type: Number, required: true } },
      },
    },
  })
  const table = new Table({ name: 'Players', schema, client: createEngine() })
  await table.create()
  const { Player } = table.entities
  for (const rank of [1, 2, 3]) await Player.put({ id: `${rank}`, team: 't', rank }).execute()
  const query = Player.query({ team: 't' }).where((a, op) =>
    op.or(op.eq(a.rank, 1), op.eq(a.rank, 3)),
  )
  expect((await query.execute()).map(({ id }) => id)).toEqual(['1', '3'])
  expect(query.explain().index).toBe('byId')
  expect(() => query.useIndex('byRank').explain()).toThrow('PLAN_INVALID')
})

const NameSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk' },
    byTeam: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byName: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${id}' },
      index: {
        gsi1pk: 'TEAM#${team}',
        gsi1sk: 'U#${id}',
        gsi2pk: 'TEAM#${team}',
        gsi2sk: '${name:lower}',
      },
      attributes: { id: text, team: text, name: text },
    },
    Badge: {
      key: { pk: 'BADGE#${id}' },
      index: { gsi2pk: 'TEAM#${team}', gsi2sk: '${name:lower}#BADGE#${id}' },
      attributes: { id: text, team: text, name: text },
    },
  },
  patterns: {
    named: { op: 'query', entity: 'User', index: 'byName', by: ['team', 'name'] },
    alike: {
      op: 'query',
      entity: 'User',
      index: 'byName',
      by: ['team', 'name'],
      ignoreCase: ['name'],
    },
    either: { op: 'query', entity: ['User', 'Badge'], index: 'byName', by: ['team', 'name'] },
    eitherAlike: {
      op: 'query',
      entity: ['User', 'Badge'],
      index: 'byName',
      by: ['team', 'name'],
      ignoreCase: ['name'],
    },
  },
})

test('equality has one meaning, whatever answers it', async () => {
  const table = new Table({ name: 'Names', schema: NameSchema, client: createEngine() })
  await table.create()
  const { User, Badge } = table.entities
  for (const [id, name] of [
    ['1', 'Ann'],
    ['2', 'ann'],
    ['3', 'Bob'],
  ] as const) {
    await User.put({ id, team: 't', name }).execute()
    await Badge.put({ id, team: 't', name }).execute()
  }
  const team = User.query({ team: 't' })
  const ids = async (each: typeof team) => (await each.execute()).map(({ id }) => id)
  for (const [name, expected] of [
    ['ANN', []],
    ['ann', ['2']],
  ] as const) {
    const query = User.query({ team: 't', name })
    expect(query.explain().index).toBe('byName')
    expect(await ids(query)).toEqual(expected)
    expect(await ids(query.useIndex('byTeam'))).toEqual(expected)
    expect(await ids(team.where((a, op) => op.in(a.name, [name])))).toEqual(expected)
    const either = team.where((a, op) => op.or(op.eq(a.name, name), op.eq(a.name, 'x')))
    expect(await ids(either)).toEqual(expected)
    expect(await query.count()).toBe(expected.length)
    const named = await table.patterns.named({ team: 't', name })
    expect(named.items.map(({ id }) => id)).toEqual(expected)
    const { groups } = await table.patterns.either({ team: 't', name })
    expect(groups.User.map(({ id }) => id)).toEqual(expected)
    expect(groups.Badge).toHaveLength(expected.length)
  }
  const any = team.where((a, op) => op.ignoreCase(a.name, 'ANN'))
  expect((await ids(any)).sort()).toEqual(['1', '2'])
  expect(any.explain().filter).toBeUndefined()
  const found = await table.patterns.alike({ team: 't', name: 'ANN' })
  expect(found.items.map(({ id }) => id).sort()).toEqual(['1', '2'])
  const { groups } = await table.patterns.eitherAlike({ team: 't', name: 'ANN' })
  expect([groups.User.length, groups.Badge.length]).toEqual([2, 2])
})

test('a comparison that ignores case is refused where no key answers it', async () => {
  const table = new Table({ name: 'Names', schema: NameSchema, client: createEngine() })
  await table.create()
  const { User } = table.entities
  const team = User.query({ team: 't' })
  const refused = [
    () =>
      team
        .useIndex('byTeam')
        .where((a, op) => op.ignoreCase(a.name, 'x'))
        .explain(),
    () => team.where((a, op) => op.not(op.ignoreCase(a.name, 'x'))).explain(),
    () =>
      User.scan()
        .where((a, op) => op.ignoreCase(a.name, 'x'))
        .explain(),
    () =>
      User.delete({ id: '1' })
        .where((a, op) => op.ignoreCase(a.name, 'x'))
        .dbParams(),
  ]
  for (const call of refused) {
    expect(call).toThrow(PlanError)
    expect(call).toThrow('PLAN_INVALID')
  }
})

test('a query of an index that the table lacks says so', async () => {
  const client = createEngine()
  const { indexes, models } = NameSchema
  const older = {
    indexes: { primary: indexes.primary, byTeam: indexes.byTeam },
    models: { User: { ...models.User, index: { gsi1pk: 'TEAM#${team}', gsi1sk: 'U#${id}' } } },
  } as const
  await new Table({ name: 'Names', schema: older, client }).create()
  const table = new Table({ name: 'Names', schema: NameSchema, client })
  const failed = table.entities.User.query({ team: 't', name: 'x' }).execute()
  const error = await failed.catch((reason: unknown) => reason)
  expect(SingletableError.is(error) && error.code).toBe('INDEX_NOT_FOUND')
  expect(String(error)).toContain('create the index')
})

const ranked = (rank: object, asked: unknown) => ({
  indexes: { primary: { hash: 'pk' }, some: { hash: 'gsi1pk' } },
  models: {
    Ticket: {
      key: { pk: 'TICKET#${id}' },
      index: { gsi1pk: 'AGENT#${agent}' },
      when: { some: { rank: [asked] } },
      attributes: { id: text, agent: text, rank: { required: true, ...rank } },
    },
  },
})

test.each<[string, object, unknown, unknown]>([
  ['a decimal', { type: 'decimal' }, '1.0', '1'],
  ['text in a Unicode form', { type: String, normalize: 'NFC' }, 'e\u0301', '\u00e9'],
  [
    'text that set changes',
    { type: String, set: (given: string) => given.toLowerCase() },
    'TOP',
    'top',
  ],
])('when compares %s as it is stored', async (_, rank, asked, given) => {
  const schema = ranked(rank, asked) as never
  const table = new Table({ name: 'Support', schema, client: createEngine() })
  await table.create()
  // biome-ignore lint/suspicious/noExplicitAny: the schema is made at run time.
  const { Ticket } = table.entities as any
  for (const [id, value] of [asked, given].entries()) {
    await Ticket.put({ id: `${id}`, agent: 'ann', rank: value }).execute()
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const isGiven = (attr: any, op: any) => op.in(attr.rank, [given])
  const found = Ticket.query({ agent: 'ann' }).where(isGiven)
  expect(found.explain().index).toBe('some')
  expect(await found.execute()).toHaveLength(2)
})

test('when asks for text, numbers and booleans only', () => {
  const schema = ranked({ type: Date }, new Date(0)) as never
  expect(() => new Table({ name: 'Support', schema, client: createEngine() })).toThrow(
    'it asks for a value of "rank" that is not text, a number or a boolean',
  )
})
