import { describe, expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { PATTERN_RULES } from '../../../packages/kit/src/check/rules/pattern-rules.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { PATTERN_FIXTURES } from './fixtures/pattern-fixtures.ts'

describe.each(PATTERN_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  const rule = PATTERN_RULES.find((each) => each.code === code)!

  test('reports the fault', () => {
    const notices = [...rule.check(fires())]
    expect(notices.map(({ message }) => message)).toEqual(messages)
  })

  test('says nothing about its near neighbour', () => {
    expect([...rule.check(silent())]).toEqual([])
  })
})

describe('fixes', () => {
  const noticesOf = (code: string): readonly Notice[] => {
    const rule = PATTERN_RULES.find((each) => each.code === code)!
    return [...rule.check(PATTERN_FIXTURES.find((each) => each.code === code)!.fires())]
  }

  test('of an unserved pattern print templates that would serve it, or name the index that does', () => {
    const also =
      ", and write index: in the pattern; or op: 'external' if another service answers it"
    expect(noticesOf('P01').map(({ fix }) => fix)).toEqual([
      `add the index gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' } and to Order index: { gsi2pk: 'ORDER#\${createdAt:day}', gsi2sk: 'ORDER#\${createdAt}#\${orderId}' }${also}`,
      `add the index gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' } and to Order index: { gsi2pk: 'USER#\${userId}', gsi2sk: 'ORDER#\${orderId}' }${also}`,
      `give User index: { gsi1pk: 'EMAIL#\${email}', gsi1sk: 'USER#\${userId}' }${also}`,
      `give User index: { gsi1pk: 'NAME#\${name}', gsi1sk: 'USER#\${userId}' }${also}`,
      `add the index gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' } and to Order index: { gsi2pk: 'STATUS#\${status}#TOTAL#\${total:pad(10)}', gsi2sk: 'ORDER#\${orderId}' }${also}`,
      `add the index gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' } and to Order index: { gsi2pk: 'STATUS#\${status}', gsi2sk: 'ORDER#\${total:pad(10)}#\${orderId}' }${also}`,
      "write op: 'query', index: 'gsi1', whose keys answer it",
      "write by: ['orderId']",
      'give Comment the attribute userId, or copy what you need of User into Comment',
    ])
  })

  test('of a wrong order print the template in the right one', () => {
    expect(noticesOf('P11').map(({ fix }) => fix)).toEqual([
      "reorder the template: 'COMMENT#${createdAt}#${author}'; or use range: 'author'",
      'put the whole value in the key, as ${page}',
    ])
  })

  test('of an undeclared query print a pattern that would send it', () => {
    expect(noticesOf('P04').map(({ fix }) => fix)).toEqual([
      "declare it under patterns: { op: 'query', entity: 'Comment', by: ['orderId'] }",
      "declare it under patterns: { op: 'query', entity: 'Order', index: 'gsi1', by: ['status'] }",
      "declare it under patterns: { op: 'query', entity: …, index: 'gsi1', by: [] }",
      "declare it under patterns: { op: 'scan', entity: 'Order', reason: … }",
    ])
  })
})

test('an order of what the partition key has as a whole is reported with the way out', () => {
  const rule = PATTERN_RULES.find(({ code }) => code === 'P11')!
  const design = readDesign({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: {
      Visit: {
        key: { pk: 'VISIT#${id}', sk: 'VISIT' },
        index: { gsi1pk: 'AT#${at:month}#${at}', gsi1sk: '${at}' },
        attributes: { id: { type: String, required: true }, at: { type: Date, required: true } },
      },
    },
    patterns: { visits: { op: 'query', entity: 'Visit', index: 'gsi1', by: [], range: 'at' } },
  })
  expect([...rule.check(design)].map(({ message }) => message)).toEqual([
    'visits wants at order, but the partition key of gsi1 has the whole at, so that each value is in a partition of its own.',
  ])
})

test('a scan at a rate is a warning, and one that the library refuses an error', () => {
  const rule = PATTERN_RULES.find(({ code }) => code === 'P02')!
  const notices = [...rule.check(PATTERN_FIXTURES.find(({ code }) => code === 'P02')!.fires())]
  expect(notices.map(({ severity = rule.severity }) => severity)).toEqual(['warning', 'error'])
})

test('what a rule calls an error in a pattern, the library refuses', () => {
  for (const code of ['P01', 'P08', 'P09', 'P11']) {
    const rule = PATTERN_RULES.find((each) => each.code === code)!
    const { fires, silent } = PATTERN_FIXTURES.find((each) => each.code === code)!
    const refused = new Set(fires().issues.map(({ subject }) => subject.pattern))
    const reported = new Set([...rule.check(fires())].map(({ place }) => place.pattern))
    expect([...reported], code).toEqual([...refused])
    expect(silent().issues, code).toEqual([])
  }
})
