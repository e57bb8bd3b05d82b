import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema, type ModelDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { checkDesign } from '../../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import type { Finding } from '../../../packages/kit/src/check/rules/rule.ts'

/** What the library takes and DynamoDB does has no errors, however unusual it is. */

const text = { type: String, required: true } as const
const number = { type: Number, required: true } as const
const date = { type: Date, required: true } as const
const primary = { hash: 'pk', sort: 'sk' } as const
const gsi1 = { hash: 'gsi1pk', sort: 'gsi1sk' } as const

function findingsOf(definition: SchemaDefinition): readonly Finding[] {
  return checkDesign(readDesign(definition), { today: '2026-11-16' }).findings
}

/** A file whose name is in its sort key. */
function file(name: ModelDefinition['attributes'][string], separator = '#'): SchemaDefinition {
  const key = { pk: `DISK${separator}\${disk}`, sk: '${name}' }
  return {
    indexes: { primary },
    models: { File: { key, attributes: { disk: text, name } } },
    params: { separator },
  }
}

const play = { key: { pk: 'PLAY#${id}', sk: 'PLAY' } } as const
const byGame = { hash: 'game', sort: 'score' } as const

const ACCEPTED: { readonly [name: string]: SchemaDefinition } = {
  'attributes that are keys under the names they are stored by': {
    indexes: { primary, byGame },
    models: {
      Play: {
        ...play,
        attributes: {
          id: text,
          gameId: { ...text, map: 'game' },
          points: { ...number, map: 'score' },
        },
      },
    },
    patterns: {
      best: { op: 'query', entity: 'Play', index: 'byGame', by: ['gameId'], range: 'points' },
      exact: { op: 'query', entity: 'Play', index: 'byGame', by: ['gameId', 'points'] },
    },
  },
  'times that the schema keeps, as keys': {
    indexes: { primary, byTenant: { hash: 'tenant', sort: 'createdAt' } },
    models: { Play: { ...play, attributes: { id: text, tenant: text } } },
    patterns: {
      latest: {
        op: 'query',
        entity: 'Play',
        index: 'byTenant',
        by: ['tenant'],
        range: 'createdAt',
      },
    },
    params: { timestamps: true },
  },
  'copies that have less than their model, in an index that has just that': {
    indexes: { primary, gsi1: { ...gsi1, project: ['title'] } },
    models: {
      Post: {
        key: { pk: 'P#${id}', sk: 'P' },
        attributes: { id: text, tag: text, title: text, body: text },
        copies: {
          Tagged: {
            key: { pk: 'P#${id}', sk: 'T#${tag}' },
            index: { gsi1pk: 'T#${tag}', gsi1sk: 'P#${id}' },
            attributes: ['title'],
          },
        },
      },
    },
    patterns: {
      titles: { op: 'query', entity: 'Tagged', index: 'gsi1', by: ['tag'], project: ['title'] },
    },
  },
  'an attribute that is called as a key and stored elsewhere': {
    indexes: { primary, byGame },
    models: {
      Play: { ...play, attributes: { id: text, game: { ...text, map: 'g' }, score: number } },
    },
    patterns: { one: { op: 'get', entity: 'Play', by: ['id'] } },
  },
  'keys that are lists of one attribute': {
    indexes: { primary, byTime: { type: 'local', hash: ['pk'], sort: ['at'] } },
    models: {
      Event: { key: { pk: 'E#${id}', sk: 'E#${n}' }, attributes: { id: text, n: text, at: date } },
    },
    patterns: { late: { op: 'query', entity: 'Event', index: 'byTime', by: ['id'], range: 'at' } },
  },
  'a projection that holds an attribute under the name of another model': {
    indexes: { primary, gsi1: { ...gsi1, project: ['title'] } },
    models: {
      Post: { key: { pk: 'P#${id}', sk: 'P' }, attributes: { id: text, title: text } },
      User: {
        key: { pk: 'U#${id}', sk: 'U' },
        index: { gsi1pk: 'U#${id}', gsi1sk: 'U' },
        attributes: { id: text, name: { ...text, map: 'title' } },
      },
    },
    patterns: {
      names: { op: 'query', entity: 'User', index: 'gsi1', by: ['id'], project: ['name'] },
    },
  },
  'strings whose characters take two bytes each when they are escaped': file({
    ...text,
    maxBytes: 512,
    encode: true,
  }),
  'strings that their own validator keeps short': file({
    ...text,
    maxBytes: 4000,
    validate: /^.{1,9}$/,
  }),
  'models in one partition whose sort keys repeat what distinguishes them': {
    indexes: { primary, gsi1 },
    models: {
      Task: {
        key: { pk: 'T#${id}', sk: 'T' },
        index: { gsi1pk: 'K#${kind}', gsi1sk: '${kind}#${id}' },
        attributes: { id: text, kind: { ...text, enum: ['a', 'b'] } },
      },
      Note: {
        key: { pk: 'N#${id}', sk: 'N' },
        index: { gsi1pk: 'K#a', gsi1sk: 'b#${id}' },
        attributes: { id: text },
      },
    },
    patterns: { ofKind: { op: 'query', entity: 'Task', index: 'gsi1', by: ['kind'] } },
  },
}

test.each(Object.entries(ACCEPTED))('%s', (_, definition) => {
  expect(() => compileSchema(definition)).not.toThrow()
  expect(findingsOf(definition).filter(({ severity }) => severity === 'error')).toEqual([])
})

describe('with the fault they are errors', () => {
  test.each([
    ['#', 513, 1026],
    ['|', 342, 1026],
  ])(
    'escaped strings with the separator %s: %d bytes can take %d',
    (separator, maxBytes, bytes) => {
      const found = findingsOf(file({ ...text, maxBytes, encode: true }, separator))
      expect(found.filter(({ code }) => code === 'K13').map(({ message }) => message)).toEqual([
        `File.sk ("\${name}") can reach ${bytes} bytes (limit 1024).`,
      ])
    },
  )

  test('models in one partition whose sort keys can begin alike', () => {
    const definition =
      ACCEPTED['models in one partition whose sort keys repeat what distinguishes them']!
    const { Note, ...models } = definition.models
    const index = { gsi1pk: 'K#b', gsi1sk: 'b#${id}' }
    const found = findingsOf({ ...definition, models: { ...models, Note: { ...Note!, index } } })
    expect(found.filter(({ code }) => code === 'K03')).toMatchObject([
      { message: 'ofKind: begins_with("${kind}#") also reads Note ("b#${id}").' },
    ])
  })

  test('a filter on what the index does not hold is refused when it is called', async () => {
    const definition: SchemaDefinition = {
      indexes: { primary, gsi1: { ...gsi1, project: ['title'] } },
      models: {
        Post: {
          key: { pk: 'P#${id}', sk: 'P' },
          index: { gsi1pk: 'BLOG#${blog}', gsi1sk: 'P#${id}' },
          attributes: { id: text, blog: text, title: text, state: text },
        },
      },
      patterns: {
        drafts: {
          op: 'query',
          entity: 'Post',
          index: 'gsi1',
          by: ['blog'],
          project: ['title'],
          filter: { state: 'draft' },
        },
      },
    }
    const table = new Table({ name: 'blog', schema: definition, client: createEngine() })
    await table.create()
    // Of a schema that is not known to the compiler, a pattern takes any input.
    const { drafts } = table.patterns as unknown as {
      readonly [name: string]: (input: object) => unknown
    }
    await expect(drafts?.({ blog: 'a' })).rejects.toMatchObject({ code: 'PLAN_PROJECTION' })
    expect(findingsOf(definition)).toContainEqual(
      expect.objectContaining({
        code: 'P08',
        severity: 'error',
        message: 'drafts needs state, gsi1 projects title.',
      }),
    )
  })
})
