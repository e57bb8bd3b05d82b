import { defineSchema } from 'singletable'
import { compileSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import type { RecordedShape } from '../check/evidence/recording.ts'
import { coverageOf } from './coverage.ts'

const schema = compileSchema(
  defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}' },
        attributes: { id: { type: String, required: true }, name: { type: String } },
      },
    },
    patterns: { rename: { op: 'update', entity: 'User', by: ['id'], set: ['name'] } },
  }),
)

const shape = (operation: string): RecordedShape => ({
  ...{ operation, index: null, key: null, filter: null, pattern: 'rename', entity: 'User' },
  ...{ verb: 'update', count: 1, itemsRead: 0, itemsReturned: 0 },
})

test('a pattern was run when its own request was sent, not when only a part of it was', () => {
  expect(coverageOf(schema, { shapes: [shape('GetItem')] }).neverRun).toEqual(['rename'])
  const shapes = [shape('GetItem'), shape('UpdateItem')]
  expect(coverageOf(schema, { shapes })).toMatchObject({
    neverRun: [],
    run: [{ pattern: 'rename', requests: 2 }],
  })
})
