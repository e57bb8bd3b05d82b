import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { itemOf, KEY, refuses } from '../item-cases.ts'

const NINES = '9'.repeat(38)

conformance('Numbers', (test) => {
  const accepted: Record<string, string> = {
    '0': '0',
    '-0': '0',
    '0.0': '0',
    '+5': '5',
    '5.': '5',
    '.5': '0.5',
    '-.5': '-0.5',
    '+1.5': '1.5',
    '00042': '42',
    '1.50': '1.5',
    '100': '100',
    '1e3': '1000',
    '1E3': '1000',
    '1.25e1': '12.5',
    '12.5e-1': '1.25',
    '1E+2': '100',
    '1e-3': '0.001',
    '-1.5e-2': '-0.015',
    '1E-130': `0.${'0'.repeat(129)}1`,
    [`9.${'9'.repeat(37)}E125`]: NINES + '0'.repeat(88),
    [`-9.${'9'.repeat(37)}E125`]: `-${NINES}${'0'.repeat(88)}`,
    [NINES]: NINES,
    [`${NINES}000`]: `${NINES}000`,
    [`0.000${NINES}`]: `0.000${NINES}`,
    [`1${'0'.repeat(125)}`]: `1${'0'.repeat(125)}`,
    '0e5': '0',
    '0.0e126': '0',
  }
  for (const [given, shown] of Object.entries(accepted)) {
    test(`${given} comes back in plain decimal`, async (t) => {
      const TableName = await t.table()
      await t.send('PutItem', {
        TableName,
        Item: { ...KEY, a: { N: given }, b: { L: [{ NS: [given] }] } },
      })
      expect(await itemOf(t, TableName)).toEqual({
        ...KEY,
        a: { N: shown },
        b: { L: [{ NS: [shown] }] },
      })
    })
  }

  const MALFORMED = 'The parameter cannot be converted to a numeric value'
  const OVERFLOW =
    'Number overflow. Attempting to store a number with magnitude larger than supported range'
  const UNDERFLOW =
    'Number underflow. Attempting to store a number with magnitude smaller than supported range'
  const DIGITS = 'Attempting to store more than 38 significant digits in a Number'
  const refused: Record<string, string> = {
    '': MALFORMED,
    '1E126': OVERFLOW,
    '-1E126': OVERFLOW,
    '10E125': OVERFLOW,
    '1e1000000000000': OVERFLOW,
    [`1${'0'.repeat(126)}`]: OVERFLOW,
    '1E-131': UNDERFLOW,
    '-1E-131': UNDERFLOW,
    '0.1E-130': UNDERFLOW,
    [`${NINES}9`]: DIGITS,
    [`0.1${'0'.repeat(37)}1`]: DIGITS,
    [`1${'0'.repeat(38)}1`]: DIGITS,
    [`${NINES}9E100`]: OVERFLOW,
    [`1${'2'.repeat(38)}E-200`]: UNDERFLOW,
  }
  for (const text of [
    '1e',
    '.',
    '+e2',
    '1+2',
    ' 5',
    '5 ',
    '1_000',
    'NaN',
    'Infinity',
    '0x10',
    'b',
    '--1',
    '1.2.3',
    'e',
    '1e1.5',
    '+',
    '-',
    '1,5',
    '١',
  ]) {
    refused[text] = `${MALFORMED}: ${text}`
  }
  refuses(
    test,
    'PutItem',
    Object.entries(refused).map(([text, message]) => ({
      name: `the number ${JSON.stringify(text)} is refused`,
      request: { Item: { ...KEY, a: { N: text } } },
      message,
    })),
  )
  refuses(test, 'PutItem', [
    {
      name: 'a malformed number in a set is refused',
      request: { Item: { ...KEY, a: { NS: ['1', 'x'] } } },
      message: `${MALFORMED}: x`,
    },
    {
      name: 'a malformed number deep in a document is refused',
      request: { Item: { ...KEY, a: { L: [{ M: { b: { N: 'x' } } }] } } },
      message: `${MALFORMED}: x`,
    },
  ])

  test('numbers of different spelling are the same key', async (t) => {
    const TableName = await t.table({
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    await t.send('PutItem', { TableName, Item: { id: { N: '1000' }, a: { S: 'first' } } })
    await t.send('PutItem', { TableName, Item: { id: { N: '1e3' }, a: { S: 'second' } } })
    for (const N of ['1000', '1e3', '+1000.0', '00001000']) {
      const { Item } = await t.send('GetItem', { TableName, Key: { id: { N } } })
      expect(Item).toEqual({ id: { N: '1000' }, a: { S: 'second' } })
    }
  })
})
