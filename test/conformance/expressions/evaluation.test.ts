import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { KEY, tableWith } from '../item-cases.ts'

const item = {
  n: { N: '5' },
  m2: { N: '-10.5' },
  s: { S: 'hello' },
  high: { S: '\u{10000}' },
  b: { B: 'AQID' },
  yes: { BOOL: true },
  nil: { NULL: true },
  ss: { SS: ['a', 'b'] },
  ns: { NS: ['1', '2.5'] },
  bs: { BS: ['AQ==', 'Ag=='] },
  l: { L: [{ N: '1' }, { S: 'x' }, { L: [{ BOOL: false }] }] },
  doc: { M: { a: { N: '1' }, deep: { M: { x: { S: 'y' } } } } },
  blank: { S: '' },
}

/** Whether the condition holds for the item above; values are written as they are in the
 * request. */
async function holds(t: Conformance, condition: string, values?: object): Promise<boolean> {
  const TableName = await tableWith(t, item)
  try {
    await t.send('DeleteItem', {
      TableName,
      Key: KEY,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
    })
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false
    throw error
  }
}

type Row = readonly [condition: string, values: Record<string, object> | undefined, holds: boolean]

const v = (value: object) => ({ ':v': value })
const rows: Row[] = [
  // Equality
  ['n = :v', v({ N: '5' }), true],
  ['n = :v', v({ N: '5.0' }), true],
  ['n = :v', v({ N: '50e-1' }), true],
  ['n = :v', v({ N: '6' }), false],
  ['n = :v', v({ S: '5' }), false],
  ['n <> :v', v({ N: '5' }), false],
  ['n <> :v', v({ S: '5' }), true],
  ['s = :v', v({ S: 'hello' }), true],
  ['b = :v', v({ B: 'AQID' }), true],
  ['yes = :v', v({ BOOL: true }), true],
  ['yes = :v', v({ BOOL: false }), false],
  ['nil = :v', v({ NULL: true }), true],
  ['ss = :v', v({ SS: ['b', 'a'] }), true],
  ['ss = :v', v({ SS: ['a'] }), false],
  ['ss = :v', v({ L: [{ S: 'a' }, { S: 'b' }] }), false],
  ['ns = :v', v({ NS: ['2.50', '1'] }), true],
  ['bs = :v', v({ BS: ['Ag==', 'AQ=='] }), true],
  ['l = :v', v(item.l), true],
  ['l = :v', v({ L: [{ S: 'x' }, { N: '1' }, { L: [{ BOOL: false }] }] }), false],
  ['doc = :v', v({ M: { deep: { M: { x: { S: 'y' } } }, a: { N: '1.0' } } }), true],
  ['doc = :v', v({ M: { a: { N: '1' } } }), false],
  ['doc.deep.x = :v', v({ S: 'y' }), true],
  ['l[1] = :v', v({ S: 'x' }), true],
  ['l[2][0] = :v', v({ BOOL: false }), true],
  ['pk = :v', v({ S: 'a' }), true],
  [':v = n', v({ N: '5' }), true],
  [':v = :w', { ':v': { N: '1' }, ':w': { N: '1.0' } }, true],
  ['n = doc.a', undefined, false],
  // A missing attribute
  ['absent = :v', v({ N: '1' }), false],
  ['absent <> :v', v({ N: '1' }), true],
  ['absent < :v', v({ N: '1' }), false],
  ['absent > :v', v({ N: '1' }), false],
  ['absent = lacking', undefined, false],
  ['absent <> lacking', undefined, true],
  ['NOT absent = :v', v({ N: '1' }), true],
  ['doc.absent = :v', v({ N: '1' }), false],
  ['l[9] <> :v', v({ N: '1' }), true],
  ['s.a = :v', v({ N: '1' }), false],
  // Order
  ['n < :v', v({ N: '10' }), true],
  ['n < :v', v({ N: '5' }), false],
  ['n <= :v', v({ N: '5' }), true],
  ['n > :v', v({ N: '-100' }), true],
  ['n >= :v', v({ N: '5' }), true],
  ['m2 < :v', v({ N: '-10.4' }), true],
  ['n < :v', v({ S: 'z' }), false],
  ['n > :v', v({ S: 'z' }), false],
  ['s < :v', v({ S: 'hellp' }), true],
  ['s < :v', v({ S: 'Hello' }), false],
  ['s < :v', v({ S: 'hello!' }), true],
  ['high > :v', v({ S: '\uffff' }), true],
  ['b < :v', v({ B: 'AQIE' }), true],
  ['b < :v', v({ B: '/w==' }), true],
  ['yes > n', undefined, false],
  ['ss > n', undefined, false],
  // BETWEEN and IN
  ['n BETWEEN :v AND :w', { ':v': { N: '5' }, ':w': { N: '5' } }, true],
  ['n BETWEEN :v AND :w', { ':v': { N: '6' }, ':w': { N: '7' } }, false],
  ['s BETWEEN :v AND :w', { ':v': { S: 'h' }, ':w': { S: 'i' } }, true],
  ['n BETWEEN :v AND :w', { ':v': { S: 'a' }, ':w': { S: 'z' } }, false],
  ['n BETWEEN n2 AND :v', v({ N: '9' }), false],
  [':v BETWEEN m2 AND n', v({ N: '0' }), true],
  ['absent BETWEEN :v AND :w', { ':v': { N: '1' }, ':w': { N: '2' } }, false],
  ['NOT n BETWEEN :v AND :w', { ':v': { N: '6' }, ':w': { N: '7' } }, true],
  ['n IN (:v, :w)', { ':v': { S: 'x' }, ':w': { N: '5.0' } }, true],
  ['n IN (:v)', v({ S: '5' }), false],
  ['ss IN (:v)', v({ SS: ['b', 'a'] }), true],
  ['n IN (doc.a, l[0])', undefined, false],
  ['doc.a IN (n, l[0])', undefined, true],
  ['absent IN (:v)', v({ N: '1' }), false],
  // Functions
  ['attribute_exists(n)', undefined, true],
  ['attribute_exists(absent)', undefined, false],
  ['attribute_exists(doc.deep.x)', undefined, true],
  ['attribute_exists(l[2])', undefined, true],
  ['attribute_exists(l[3])', undefined, false],
  ['attribute_exists(nil)', undefined, true],
  ['attribute_not_exists(absent)', undefined, true],
  ['attribute_not_exists(n)', undefined, false],
  ['attribute_not_exists(s.x)', undefined, true],
  ['attribute_type(n, :v)', v({ S: 'N' }), true],
  ['attribute_type(n, :v)', v({ S: 'S' }), false],
  ['attribute_type(doc, :v)', v({ S: 'M' }), true],
  ['attribute_type(nil, :v)', v({ S: 'NULL' }), true],
  ['attribute_type(bs, :v)', v({ S: 'BS' }), true],
  ['attribute_type(absent, :v)', v({ S: 'N' }), false],
  ['begins_with(s, :v)', v({ S: 'hel' }), true],
  ['begins_with(s, :v)', v({ S: '' }), true],
  ['begins_with(s, :v)', v({ S: 'ell' }), false],
  ['begins_with(b, :v)', v({ B: 'AQI=' }), true],
  ['begins_with(b, :v)', v({ B: 'Ag==' }), false],
  ['begins_with(n, :v)', v({ S: '5' }), false],
  ['begins_with(s, n)', undefined, false],
  ['begins_with(absent, :v)', v({ S: 'x' }), false],
  ['contains(s, :v)', v({ S: 'ell' }), true],
  ['contains(s, :v)', v({ S: 'xyz' }), false],
  ['contains(b, :v)', v({ B: 'AgM=' }), true],
  ['contains(ss, :v)', v({ S: 'a' }), true],
  ['contains(ss, :v)', v({ S: 'c' }), false],
  ['contains(ss, :v)', v({ SS: ['a'] }), false],
  ['contains(ns, :v)', v({ N: '2.50' }), true],
  ['contains(bs, :v)', v({ B: 'Ag==' }), true],
  ['contains(l, :v)', v({ S: 'x' }), true],
  ['contains(l, :v)', v({ N: '1.0' }), true],
  ['contains(l, :v)', v({ L: [{ BOOL: false }] }), true],
  ['contains(l, :v)', v({ S: 'y' }), false],
  ['contains(doc, :v)', v({ S: 'a' }), false],
  ['contains(n, :v)', v({ N: '5' }), false],
  ['contains(absent, :v)', v({ S: 'x' }), false],
  ['contains(:v, s)', v({ S: 'oh hello' }), true],
  ['size(s) = :v', v({ N: '5' }), true],
  ['size(blank) = :v', v({ N: '0' }), true],
  ['size(b) = :v', v({ N: '3' }), true],
  ['size(ss) = :v', v({ N: '2' }), true],
  ['size(l) = :v', v({ N: '3' }), true],
  ['size(doc) = :v', v({ N: '2' }), true],
  ['size(n) = :v', v({ N: '1' }), false],
  ['size(n) <> :v', v({ N: '1' }), true],
  ['size(absent) < :v', v({ N: '1' }), false],
  ['size(s) > n', undefined, false],
  ['size(s) = n', undefined, true],
  ['size(high) = :v', v({ N: '2' }), true],
  ['size(l) BETWEEN :v AND n', v({ N: '1' }), true],
  ['size(l) IN (:v, doc.a)', v({ N: '3' }), true],
  // Logic
  ['n = n2 OR n = :v AND s = :w', { ':v': { N: '5' }, ':w': { S: 'hello' } }, true],
  ['n = :v OR s = :w AND n = n2', { ':v': { N: '5' }, ':w': { S: 'hello' } }, true],
  ['(n = :v OR s = :w) AND n = n2', { ':v': { N: '5' }, ':w': { S: 'hello' } }, false],
  ['NOT n = :v', v({ N: '5' }), false],
  ['NOT NOT n = :v', v({ N: '5' }), true],
  ['NOT n = :v OR n = :v', v({ N: '5' }), true],
  ['not (n = :v or s = :v)', v({ N: '6' }), true],
  ['NOT n = :v AND NOT s = :v', v({ N: '6' }), true],
]

conformance('Conditions', (test) => {
  for (const [condition, values, expected] of rows) {
    const shown = values === undefined ? '' : ` where ${JSON.stringify(values)}`
    test(`${condition}${shown} is ${expected}`, async (t) => {
      expect(await holds(t, condition, values)).toBe(expected)
    })
  }

  test('a condition on a missing item sees no attribute, not even the keys', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'PutItem',
      { TableName, Item: KEY, ConditionExpression: 'attribute_exists(pk)' },
      'ConditionalCheckFailedException',
      'The conditional request failed',
    )
    await t.send('PutItem', {
      TableName,
      Item: KEY,
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    await t.fails(
      'PutItem',
      { TableName, Item: KEY, ConditionExpression: 'attribute_not_exists(pk)' },
      'ConditionalCheckFailedException',
      'The conditional request failed',
    )
  })

  test('an update sees the item as it was before', async (t) => {
    const TableName = await tableWith(t, item)
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET n = :new',
      ConditionExpression: 'n = :old',
      ExpressionAttributeValues: { ':old': { N: '5' }, ':new': { N: '6' } },
    })
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET n = :new',
        ConditionExpression: 'n = :old',
        ExpressionAttributeValues: { ':old': { N: '5' }, ':new': { N: '6' } },
      },
      'ConditionalCheckFailedException',
      'The conditional request failed',
    )
  })

  test('a failed condition of DeleteItem leaves the item', async (t) => {
    const TableName = await tableWith(t, item)
    await t.fails(
      'DeleteItem',
      { TableName, Key: KEY, ConditionExpression: 'attribute_not_exists(pk)' },
      'ConditionalCheckFailedException',
      'The conditional request failed',
    )
    const { Item } = await t.send('GetItem', { TableName, Key: KEY })
    expect(Item.n).toEqual({ N: '5' })
  })
})
