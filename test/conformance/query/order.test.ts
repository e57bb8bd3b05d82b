import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { allPages, putAll, sortedBy, sortKeys } from '../read-tables.ts'

/** Each list is in the order that DynamoDB must give. */
const ORDERED = {
  // By UTF-8 bytes: the emoji, beyond U+FFFF, comes after U+FFFD; JavaScript's own order has it
  // before.
  S: ['!', '0', '10', '2', 'A', 'Z', 'a', 'aa', 'b', 'é', '￠', '\uFFFD', '\u{1F600}', '\u{1F601}'],
  N: [
    '-99999999999999999999999999999999999999',
    '-100',
    '-10.5',
    '-10',
    '-9',
    '-0.1',
    '-0.00000001',
    '0',
    '0.00000001',
    '0.1',
    '1',
    '1.5',
    '2',
    '10',
    '100',
    '12345678901234567890123456789012345678',
  ],
  B: ['AA==', 'AAA=', 'AAE=', 'AQ==', 'fw==', 'gA==', '/w==', '/wA='],
} as const

conformance('Query order', (test) => {
  for (const type of ['S', 'N', 'B'] as const) {
    const values = ORDERED[type]
    const shuffled = [...values].sort((left, right) => hash(left) - hash(right))
    const fill = shuffled.map((value) => ({ pk: { S: 'a' }, sk: { [type]: value } }))
    const asked = {
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
    }

    test(`items come in the order of their sort key of type ${type}`, async (t) => {
      const TableName = await t.table(sortedBy(type))
      await putAll(t, TableName, fill)
      const { Items } = await t.send('Query', { TableName, ...asked })
      expect(sortKeys(Items)).toEqual(values)
    })

    test(`ScanIndexForward true is the order without it, for type ${type}`, async (t) => {
      const TableName = await t.table(sortedBy(type))
      await putAll(t, TableName, fill)
      const { Items } = await t.send('Query', { TableName, ...asked, ScanIndexForward: true })
      expect(sortKeys(Items)).toEqual(values)
    })

    test(`ScanIndexForward false turns the order of type ${type} round`, async (t) => {
      const TableName = await t.table(sortedBy(type))
      await putAll(t, TableName, fill)
      const { Items } = await t.send('Query', { TableName, ...asked, ScanIndexForward: false })
      expect(sortKeys(Items)).toEqual(values.toReversed())
    })

    test(`pages of three keep the order of type ${type} in both directions`, async (t) => {
      const TableName = await t.table(sortedBy(type))
      await putAll(t, TableName, fill)
      for (const ScanIndexForward of [true, false]) {
        const { items } = await allPages(t, 'Query', {
          TableName,
          ...asked,
          ScanIndexForward,
          Limit: 3,
        })
        expect(sortKeys(items)).toEqual(ScanIndexForward ? values : values.toReversed())
      }
    })

    test(`every comparison cuts the order of type ${type} at the same place`, async (t) => {
      const TableName = await t.table(sortedBy(type))
      await putAll(t, TableName, fill)
      for (const [position, value] of values.entries()) {
        for (const [operator, found] of [
          ['<', values.slice(0, position)],
          ['<=', values.slice(0, position + 1)],
          ['>', values.slice(position + 1)],
          ['>=', values.slice(position)],
        ] as const) {
          const { Items } = await t.send('Query', {
            TableName,
            KeyConditionExpression: `pk = :p AND sk ${operator} :s`,
            ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { [type]: value } },
          })
          expect(sortKeys(Items)).toEqual(found)
        }
      }
    })
  }

  test('begins_with on bytes finds the bytes that start so, also with 255 at the end', async (t) => {
    const TableName = await t.table(sortedBy('B'))
    await putAll(
      t,
      TableName,
      ORDERED.B.map((value) => ({ pk: { S: 'a' }, sk: { B: value } })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { B: '/w==' } },
    })
    expect(sortKeys(Items)).toEqual(['/w==', '/wA='])
  })

  test('begins_with ends where the next text begins, also with the largest character', async (t) => {
    const TableName = await t.table()
    const last = '\u{10FFFF}'
    await putAll(
      t,
      TableName,
      ['x', `x${last}`, `x${last}y`, 'y'].map((value) => ({ pk: { S: 'a' }, sk: { S: value } })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: `x${last}` } },
    })
    expect(sortKeys(Items)).toEqual([`x${last}`, `x${last}y`])
  })
})

/** A fixed shuffle: tests don't depend on a random source. */
function hash(text: string): number {
  let result = 7
  for (const character of text) result = (result * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return (result * 40_503) % 65_521
}
