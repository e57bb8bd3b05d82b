import { describe, expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { WRITE_RULES } from '../../../packages/kit/src/check/rules/write-rules.ts'
import { WRITE_FIXTURES } from './fixtures/write-fixtures.ts'

describe.each(WRITE_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  const rule = WRITE_RULES.find((each) => each.code === code)!

  test('reports the fault', () => {
    const notices = [...rule.check(fires())]
    expect(notices.map(({ message }) => message)).toEqual(messages)
  })

  test('says nothing about its near neighbour', () => {
    expect([...rule.check(silent())]).toEqual([])
  })
})

test('a transaction that changes a copy with its source leaves nothing stale', () => {
  const { definition } = WRITE_FIXTURES[0]!.fires()
  const step = { op: 'update', entity: 'Comment', by: ['postId', 'commentId'] } as const
  const both = (set: readonly string[]) =>
    readDesign({
      ...definition,
      patterns: {
        rename: {
          op: 'transact',
          steps: {
            user: { op: 'update', entity: 'User', by: ['userId'], set: ['name'] },
            comment: { ...step, set },
          },
        },
      },
    })
  const messagesOf = (set: readonly string[]) =>
    [...WRITE_RULES[0]!.check(both(set))].map(({ message }) => message)
  const stale = 'rename.user leaves 1 copy of User.name stale in Comment.'
  expect(messagesOf(['userAvatar'])).toContain(stale)
  expect(messagesOf(['userName'])).not.toContain(stale)
})

test('two steps on the only item of a model are reported, and steps on items of any key are not', () => {
  const rule = WRITE_RULES.find(({ code }) => code === 'W02')!
  const reported = (pk: string, by: readonly string[]): readonly string[] => {
    const step = { op: 'update', entity: 'Counter', by } as const
    const design = readDesign({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Counter: {
          key: { pk, sk: 'COUNTER' },
          attributes: { id: { type: String }, seen: { type: Number }, sold: { type: Number } },
        },
      },
      patterns: {
        sell: {
          op: 'transact',
          steps: { see: { ...step, add: ['seen'] }, sell: { ...step, add: ['sold'] } },
        },
      },
    })
    return Array.from(rule.check(design), ({ message }) => message)
  }
  expect(reported('COUNTER', [])).toEqual([
    'sell: transaction touches "COUNTER" / "COUNTER" twice: there is one Counter, and sell.see and sell.sell are about it.',
  ])
  expect(reported('COUNTER#${id}', ['id'])).toEqual([])
})
