import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema, type ExchangeEvent } from 'singletable/tools'
import { expect, test } from 'vitest'
import { matchPattern } from './match-pattern.ts'
import { type RequestShape, requestShape } from './request-shape.ts'

const text = { type: String, required: true } as const

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    Team: {
      key: { pk: 'TEAM#${team}', sk: 'TEAM' },
      attributes: { team: text, motto: { type: String }, wins: { type: Number, default: 0 } },
    },
    Match: {
      key: { pk: 'TEAM#${team}', sk: 'MATCH#${season:pad(4):desc}#${at}' },
      index: { gsi1pk: 'DAY#${at:day}#${shard}', gsi1sk: '${at}#${team}' },
      shard: { count: 2, by: ['team'] },
      attributes: {
        team: text,
        season: { type: Number, required: true },
        at: { type: Date, required: true, start: '2026-01-01' },
        goals: { type: Number, default: 0 },
      },
    },
    Page: {
      key: { pk: 'SITE#${site}', sk: 'PAGE#${path}' },
      attributes: {
        site: text,
        path: { type: Array, items: { type: String }, required: true },
      },
    },
  },
  patterns: {
    team: { op: 'get', entity: 'Team', by: ['team'] },
    found: { op: 'create', entity: 'Team' },
    rename: { op: 'update', entity: 'Team', by: ['team'], set: ['motto'] },
    win: { op: 'update', entity: 'Team', by: ['team'], add: ['wins'] },
    dissolve: { op: 'delete', entity: 'Team', by: ['team'] },
    matches: { op: 'query', entity: 'Match', by: ['team'], range: 'season' },
    ofSeason: { op: 'query', entity: 'Match', by: ['team', 'season'], range: 'at' },
    goalless: { op: 'query', entity: 'Match', by: ['team'], filter: { goals: 0 } },
    everything: { op: 'query', entity: ['Team', 'Match'], by: ['team'] },
    onDays: { op: 'query', entity: 'Match', index: 'gsi1', by: [], range: 'at' },
    teams: { op: 'query', entity: 'Team', index: 'inverted', by: [] },
    pages: { op: 'query', entity: 'Page', by: ['site'] },
    all: { op: 'scan', entity: 'Match', reason: 'a report' },
  },
})

/** The shapes of the requests that something sends. */
async function shapesOf(send: (table: Table<typeof schema>) => Promise<unknown>) {
  const table = new Table({ name: 'League', schema, client: createEngine() })
  await table.create()
  await table.entities.Team.put({ team: 'reds' }).execute()
  const shapes: RequestShape[] = []
  const listen = (message: unknown): void => {
    // Nothing else is published on this channel.
    const shape = requestShape(message as ExchangeEvent)
    if (shape) shapes.push(shape)
  }
  subscribe('singletable:exchange', listen)
  try {
    await send(table)
  } finally {
    unsubscribe('singletable:exchange', listen)
  }
  return shapes
}

const compiled = compileSchema(schema)
const day = new Date('2026-02-03T10:00:00Z')
const next = new Date('2026-02-04T10:00:00Z')

test.each<[string, (table: Table<typeof schema>) => Promise<unknown>]>([
  ['team', ({ patterns }) => patterns.team({ team: 'reds' })],
  ['found', ({ patterns }) => patterns.found({ team: 'blues' })],
  ['rename', ({ patterns }) => patterns.rename({ team: 'reds', motto: 'Ho' })],
  ['win', ({ patterns }) => patterns.win({ team: 'reds', wins: 1 })],
  ['dissolve', ({ patterns }) => patterns.dissolve({ team: 'reds' })],
  ['matches', ({ patterns }) => patterns.matches({ team: 'reds' })],
  ['matches', ({ patterns }) => patterns.matches({ team: 'reds', season: { from: 3 } })],
  ['matches', ({ patterns }) => patterns.matches({ team: 'reds', season: { gt: 3, lt: 9 } })],
  ['ofSeason', ({ patterns }) => patterns.ofSeason({ team: 'reds', season: 3 })],
  ['ofSeason', ({ patterns }) => patterns.ofSeason({ team: 'reds', season: 3, at: { to: day } })],
  ['goalless', ({ patterns }) => patterns.goalless({ team: 'reds' })],
  ['everything', ({ patterns }) => patterns.everything({ team: 'reds' })],
  ['onDays', ({ patterns }) => patterns.onDays({ at: { from: day, to: next } })],
  ['teams', ({ patterns }) => patterns.teams({})],
  ['pages', ({ patterns }) => patterns.pages({ site: 'league' })],
  ['all', ({ patterns }) => patterns.all({})],
])('what %s sends is matched by its plan alone', async (name, send) => {
  const shapes = await shapesOf(send)
  expect(shapes.length).toBeGreaterThan(0)
  for (const shape of shapes) {
    expect(shape.pattern).toBe(name)
    expect(matchPattern(compiled, shape)).toBe(name)
    expect(matchPattern(compiled, { ...shape, pattern: null }), JSON.stringify(shape)).toBe(name)
  }
})

test.each<[string, (table: Table<typeof schema>) => Promise<unknown>]>([
  [
    'a filter that is not declared',
    ({ entities }) =>
      entities.Team.query()
        .where((attr, op) => op.and(op.eq(attr.team, 'reds'), op.eq(attr.motto, 'Ho')))
        .execute(),
  ],
  [
    'an entity that no pattern gets',
    ({ entities }) => entities.Page.get({ site: 'x', path: ['a'] }).execute(),
  ],
  [
    'a put where create is declared',
    ({ entities }) => entities.Team.put({ team: 'greens' }).execute(),
  ],
  ['a scan of another entity', ({ entities }) => entities.Team.scan().execute()],
  [
    'an update of more than is declared',
    ({ entities }) =>
      entities.Team.update({ team: 'reds' }).set({ motto: 'Ho', wins: 2 }).execute(),
  ],
  [
    'a range where none is declared',
    ({ entities }) =>
      entities.Page.query()
        .where((attr, op) => op.and(op.eq(attr.site, 'x'), op.beginsWith(attr.sk, 'PA')))
        .execute(),
  ],
])('%s matches no pattern', async (_, send) => {
  const shapes = await shapesOf(send)
  expect(shapes.length).toBeGreaterThan(0)
  for (const shape of shapes)
    expect(matchPattern(compiled, shape), JSON.stringify(shape)).toBeUndefined()
})

test('keys have placeholders in place of values, also where a literal is cut short', async () => {
  const [shape] = await shapesOf(({ entities }) =>
    entities.Match.query()
      .where((attr, op) => op.and(op.eq(attr.team, 'reds'), op.beginsWith(attr.sk, 'MAT')))
      .execute(),
  )
  expect(shape?.key).toEqual([
    { name: 'pk', operator: '=', values: ['TEAM#${team}'] },
    { name: 'sk', operator: 'begins_with', values: ['MAT'] },
  ])
})
