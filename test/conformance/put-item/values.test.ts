import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { expectItem, itemOf, KEY, refuses } from '../item-cases.ts'

const nested = (levels: number, kind: 'L' | 'M'): object => {
  let value: object = { S: 'x' }
  for (let level = 1; level < levels; level++) {
    value = kind === 'L' ? { L: [value] } : { M: { m: value } }
  }
  return value
}

conformance('Attribute values', (test) => {
  const values: Record<string, object> = {
    'a string': { S: 'text' },
    'an empty string': { S: '' },
    'a string beyond the basic plane': { S: 'ä€😀\u0000\uffff' },
    'a number': { N: '-12.5' },
    'a binary': { B: 'AP8B' },
    'an empty binary': { B: '' },
    true: { BOOL: true },
    false: { BOOL: false },
    null: { NULL: true },
    'a string set': { SS: ['b', 'a', 'c'] },
    'a string set with an empty string': { SS: ['', 'a'] },
    'a number set': { NS: ['3', '1', '2.5'] },
    'a binary set': { BS: ['AQ==', 'AA=='] },
    'a binary set with an empty binary': { BS: ['', 'AA=='] },
    'a list of all kinds': { L: [{ S: 'x' }, { N: '1' }, { L: [] }, { M: {} }, { NULL: true }] },
    'an empty list': { L: [] },
    'a map': { M: { a: { S: 'x' }, b: { M: { c: { SS: ['y'] } } } } },
    'an empty map': { M: {} },
  }
  for (const [name, value] of Object.entries(values)) {
    test(`${name} comes back as it was put`, async (t) => {
      const TableName = await t.table()
      await t.send('PutItem', { TableName, Item: { ...KEY, a: value } })
      expectItem(await itemOf(t, TableName), { ...KEY, a: value })
    })
  }

  for (const name of ['__proto__', 'constructor', 'toString', 'a.b', 'a[0]', ' ', 'ü', '😀']) {
    test(`an attribute may be named ${JSON.stringify(name)}`, async (t) => {
      const TableName = await t.table()
      const attribute = JSON.parse(
        `{${JSON.stringify(name)}:{"M":{${JSON.stringify(name)}:{"S":"x"}}}}`,
      )
      const Item = Object.assign(Object.create(null), KEY)
      Object.defineProperty(Item, name, { value: attribute[name], enumerable: true })
      await t.send('PutItem', { TableName, Item })
      const found = await itemOf(t, TableName)
      expect(Object.keys(found).sort()).toEqual(['pk', 'sk', name].sort())
      expect(JSON.stringify(Object.getOwnPropertyDescriptor(found, name)?.value)).toBe(
        JSON.stringify(attribute[name]),
      )
    })
  }

  const refused = (name: string, value: unknown, message: string) => ({
    name,
    request: { Item: { ...KEY, a: value } },
    message,
  })
  const EMPTY =
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
  const MANY =
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
  const NULL_FALSE =
    'One or more parameter values were invalid: Null attribute value types must have the value of true'
  const NESTING =
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'
  refuses(test, 'PutItem', [
    refused('a value without a type is refused', {}, EMPTY),
    refused('a value without a type in a list is refused', { L: [{}] }, EMPTY),
    refused('a value without a type in a map is refused', { M: { b: {} } }, EMPTY),
    refused('a value of an unknown type is refused', { X: 'x' }, EMPTY),
    refused('a value of two types is refused', { S: 'x', N: '1' }, MANY),
    refused('a value of two types in a list is refused', { L: [{ S: 'x', BOOL: true }] }, MANY),
    refused(
      'a malformed number is reported before a second type',
      { S: 'x', N: 'b' },
      'The parameter cannot be converted to a numeric value: b',
    ),
    refused('NULL must be true', { NULL: false }, NULL_FALSE),
    refused('NULL inside a list must be true', { L: [{ NULL: false }] }, NULL_FALSE),
    refused(
      'an empty string set is refused',
      { SS: [] },
      'One or more parameter values were invalid: An string set  may not be empty',
    ),
    refused(
      'an empty number set is refused',
      { NS: [] },
      'One or more parameter values were invalid: An number set  may not be empty',
    ),
    refused(
      'an empty binary set is refused',
      { BS: [] },
      'One or more parameter values were invalid: Binary sets should not be empty',
    ),
    refused(
      'an empty set inside a map is refused',
      { M: { b: { SS: [] } } },
      'One or more parameter values were invalid: An string set  may not be empty',
    ),
    refused(
      'a string set with an element twice is refused',
      { SS: ['a', 'a'] },
      'One or more parameter values were invalid: Input collection [a, a] contains duplicates.',
    ),
    refused(
      'a number set with an element twice is refused',
      { NS: ['1', '2', '1'] },
      'Input collection contains duplicates',
    ),
    refused(
      'a number set with a number in two spellings is refused',
      { NS: ['1', '1.0'] },
      'Input collection contains duplicates',
    ),
    refused(
      'a number set with a number and its exponential form is refused',
      { NS: ['1000', '1e3'] },
      'Input collection contains duplicates',
    ),
    refused(
      'a binary set with an element twice is refused',
      { BS: ['AQ==', 'AQ=='] },
      'One or more parameter values were invalid: Input collection [AQ==, AQ==]of type BS contains duplicates.',
    ),
    refused('a list of 33 levels is refused', nested(33, 'L'), NESTING),
    refused('a map of 33 levels is refused', nested(33, 'M'), NESTING),
    refused('a list of 500 levels is refused', nested(500, 'L'), NESTING),
  ])

  for (const kind of ['L', 'M'] as const) {
    for (const levels of [31, 32]) {
      test(`${levels} levels of ${kind} are stored`, async (t) => {
        const TableName = await t.table()
        const Item = { ...KEY, a: nested(levels, kind) }
        await t.send('PutItem', { TableName, Item })
        expect(await itemOf(t, TableName)).toEqual(Item)
      })
    }
  }

  test('an empty attribute name is refused', async (t) => {
    const TableName = await t.table()
    const Item = { ...KEY, '': { S: 'x' } }
    await t.fails('PutItem', { TableName, Item }, 'ValidationException', /Empty attribute name$/)
  })

  test('members that are null count as absent', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: { ...KEY, a: { S: 'x', N: null } } })
    expect(await itemOf(t, TableName)).toEqual({ ...KEY, a: { S: 'x' } })
  })

  for (const bytes of [65_534, 65_535]) {
    test(`an attribute name of ${bytes} bytes is stored`, async (t) => {
      const TableName = await t.table()
      const Item = { ...KEY, ['n'.repeat(bytes)]: { S: 'x' } }
      await t.send('PutItem', { TableName, Item })
      expect(await itemOf(t, TableName)).toEqual(Item)
    })
  }

  test('an attribute name of 65536 bytes is refused', async (t) => {
    const TableName = await t.table()
    const Item = { ...KEY, ['n'.repeat(65_536)]: { S: 'x' } }
    await t.fails(
      'PutItem',
      { TableName, Item },
      'ValidationException',
      'One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes',
    )
  })

  test('an attribute name is measured in bytes of UTF-8', async (t) => {
    const TableName = await t.table()
    const Item = { ...KEY, ['ü'.repeat(32_768)]: { S: 'x' } }
    await t.fails('PutItem', { TableName, Item }, 'ValidationException')
  })
})
