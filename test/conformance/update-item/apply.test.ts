import { conformance } from '../conformance.ts'
import { expectItem, itemOf, KEY, tableWith } from '../item-cases.ts'

interface Applied {
  readonly name: string
  /** Attributes in addition to the key; no item if not given. */
  readonly before?: object
  readonly update?: string
  readonly names?: object
  readonly values?: object
  /** Attributes in addition to the key; no item if not given. */
  readonly after?: object
}

const N = (number: number) => ({ N: String(number) })
const numbers = (...list: number[]) => ({ L: list.map(N) })

const cases: Applied[] = [
  // SET
  { name: 'SET makes an item', update: 'SET a = :v', values: { ':v': N(1) }, after: { a: N(1) } },
  {
    name: 'SET makes an attribute and leaves the others',
    before: { b: N(2) },
    update: 'SET a = :v',
    values: { ':v': N(1) },
    after: { a: N(1), b: N(2) },
  },
  {
    name: 'SET replaces a value by one of another type',
    before: { a: N(2) },
    update: 'SET a = :v',
    values: { ':v': { M: {} } },
    after: { a: { M: {} } },
  },
  {
    name: 'SET copies another attribute',
    before: { b: N(2) },
    update: 'SET a = b',
    after: { a: N(2), b: N(2) },
  },
  {
    name: 'SET reads the key',
    update: 'SET a = pk',
    before: {},
    after: { a: KEY.pk },
  },
  {
    name: 'SET reads values as they were before the update',
    before: { a: N(1), b: N(2) },
    update: 'SET a = b, b = a',
    after: { a: N(2), b: N(1) },
  },
  {
    name: 'SET reads what REMOVE removes',
    before: { a: N(1) },
    update: 'REMOVE a SET b = a',
    after: { b: N(1) },
  },
  {
    name: 'SET adds',
    before: { a: N(1) },
    update: 'SET a = a + :v',
    values: { ':v': N(2) },
    after: { a: N(3) },
  },
  {
    name: 'SET subtracts',
    before: { a: N(1) },
    update: 'SET a = :v - a',
    values: { ':v': { N: '0.5' } },
    after: { a: { N: '-0.5' } },
  },
  {
    name: 'SET adds exactly',
    before: { a: { N: '0.1' } },
    update: 'SET a = a + :v',
    values: { ':v': { N: '0.2' } },
    after: { a: { N: '0.3' } },
  },
  {
    name: 'SET adds exactly to 38 digits',
    before: { a: { N: '99999999999999999999999999999999999998' } },
    update: 'SET a = a + :v',
    values: { ':v': N(1) },
    after: { a: { N: '99999999999999999999999999999999999999' } },
  },
  {
    name: 'if_not_exists keeps what is there',
    before: { a: N(1) },
    update: 'SET a = if_not_exists(a, :v)',
    values: { ':v': N(2) },
    after: { a: N(1) },
  },
  {
    name: 'if_not_exists takes the second operand if there is nothing',
    update: 'SET a = if_not_exists(a, :v) + :v',
    values: { ':v': N(2) },
    after: { a: N(4) },
  },
  {
    name: 'if_not_exists takes another path',
    before: { b: N(7) },
    update: 'SET a = if_not_exists(c, b)',
    after: { a: N(7), b: N(7) },
  },
  {
    name: 'list_append appends',
    before: { l: numbers(1) },
    update: 'SET l = list_append(l, :v)',
    values: { ':v': numbers(2, 3) },
    after: { l: numbers(1, 2, 3) },
  },
  {
    name: 'list_append prepends',
    before: { l: numbers(1) },
    update: 'SET l = list_append(:v, l)',
    values: { ':v': numbers(2, 3) },
    after: { l: numbers(2, 3, 1) },
  },
  {
    name: 'list_append takes what if_not_exists gives',
    update: 'SET l = list_append(if_not_exists(l, :e), :v)',
    values: { ':e': { L: [] }, ':v': numbers(1) },
    after: { l: numbers(1) },
  },
  {
    name: 'SET changes a member of a map',
    before: { m: { M: { a: N(1), b: N(2) } } },
    update: 'SET m.a = :v',
    values: { ':v': N(3) },
    after: { m: { M: { a: N(3), b: N(2) } } },
  },
  {
    name: 'SET adds a member to a map',
    before: { m: { M: {} } },
    update: 'SET m.a = :v',
    values: { ':v': N(3) },
    after: { m: { M: { a: N(3) } } },
  },
  {
    name: 'SET replaces an element of a list',
    before: { l: numbers(1, 2) },
    update: 'SET l[1] = :v',
    values: { ':v': N(3) },
    after: { l: numbers(1, 3) },
  },
  {
    name: 'SET beyond the end of a list appends without a gap',
    before: { l: numbers(1) },
    update: 'SET l[7] = :v',
    values: { ':v': N(2) },
    after: { l: numbers(1, 2) },
  },
  {
    name: 'SET appends in the order of positions, not of the text',
    before: { l: numbers(1) },
    update: 'SET l[9] = :c, l[5] = :b',
    values: { ':b': N(2), ':c': N(3) },
    after: { l: numbers(1, 2, 3) },
  },
  {
    name: 'SET of the first element of an empty list works',
    before: { l: { L: [] } },
    update: 'SET l[0] = :v',
    values: { ':v': N(1) },
    after: { l: numbers(1) },
  },
  {
    name: 'SET reaches deep',
    before: { a: { M: { b: { L: [{ M: { c: N(1) } }] } } } },
    update: 'SET a.b[0].c = a.b[0].c + :v',
    values: { ':v': N(1) },
    after: { a: { M: { b: { L: [{ M: { c: N(2) } }] } } } },
  },
  {
    name: 'a name with a dot is one name',
    before: { a: { M: { b: N(1) } } },
    update: 'SET #n = :v',
    names: { '#n': 'a.b' },
    values: { ':v': N(2) },
    after: { a: { M: { b: N(1) } }, 'a.b': N(2) },
  },
  {
    name: 'SET stores an empty string',
    update: 'SET a = :v',
    values: { ':v': { S: '' } },
    after: { a: { S: '' } },
  },
  // REMOVE
  {
    name: 'REMOVE removes attributes',
    before: { a: N(1), b: N(2), c: N(3) },
    update: 'REMOVE a, c',
    after: { b: N(2) },
  },
  {
    name: 'REMOVE of an attribute that is not there is no error',
    before: { b: N(2) },
    update: 'REMOVE a',
    after: { b: N(2) },
  },
  {
    name: 'REMOVE of a member that is not there is no error',
    before: { m: { M: {} } },
    update: 'REMOVE m.a',
    after: { m: { M: {} } },
  },
  {
    name: 'REMOVE takes elements out of a list by their old positions',
    before: { l: numbers(0, 1, 2, 3, 4) },
    update: 'REMOVE l[1], l[3]',
    after: { l: numbers(0, 2, 4) },
  },
  {
    name: 'REMOVE beyond the end of a list is not an error',
    before: { l: numbers(1) },
    update: 'REMOVE l[5]',
    after: { l: numbers(1) },
  },
  {
    name: 'REMOVE of the last element leaves an empty list',
    before: { l: numbers(1) },
    update: 'REMOVE l[0]',
    after: { l: { L: [] } },
  },
  {
    name: 'REMOVE of the last member leaves an empty map',
    before: { m: { M: { a: N(1) } } },
    update: 'REMOVE m.a',
    after: { m: { M: {} } },
  },
  {
    name: 'REMOVE and SET in one list both mean old positions',
    before: { l: numbers(0, 1, 2) },
    update: 'REMOVE l[0] SET l[2] = :v',
    values: { ':v': N(9) },
    after: { l: numbers(1, 9) },
  },
  { name: 'REMOVE on a missing item makes none', update: 'REMOVE a' },
  { name: 'REMOVE of a path on a missing item makes none', update: 'REMOVE a.b[1]' },
  // ADD
  {
    name: 'ADD adds a number',
    before: { a: N(1) },
    update: 'ADD a :v',
    values: { ':v': N(-3) },
    after: { a: N(-2) },
  },
  {
    name: 'ADD starts at zero and makes an item',
    update: 'ADD a :v',
    values: { ':v': N(5) },
    after: { a: N(5) },
  },
  {
    name: 'ADD joins string sets',
    before: { s: { SS: ['a', 'b'] } },
    update: 'ADD s :v',
    values: { ':v': { SS: ['b', 'c'] } },
    after: { s: { SS: ['a', 'b', 'c'] } },
  },
  {
    name: 'ADD joins number sets by value',
    before: { s: { NS: ['1', '2'] } },
    update: 'ADD s :v',
    values: { ':v': { NS: ['2.0', '3'] } },
    after: { s: { NS: ['1', '2', '3'] } },
  },
  {
    name: 'ADD joins binary sets',
    before: { s: { BS: ['AA=='] } },
    update: 'ADD s :v',
    values: { ':v': { BS: ['AQ=='] } },
    after: { s: { BS: ['AA==', 'AQ=='] } },
  },
  {
    name: 'ADD makes a set',
    before: {},
    update: 'ADD s :v',
    values: { ':v': { SS: ['a'] } },
    after: { s: { SS: ['a'] } },
  },
  {
    name: 'ADD reaches into a map',
    before: { m: { M: { a: N(1) } } },
    update: 'ADD m.a :v, m.b :v',
    values: { ':v': N(1) },
    after: { m: { M: { a: N(2), b: N(1) } } },
  },
  // DELETE
  {
    name: 'DELETE takes elements out of a set',
    before: { s: { SS: ['a', 'b', 'c'] } },
    update: 'DELETE s :v',
    values: { ':v': { SS: ['a', 'x', 'c'] } },
    after: { s: { SS: ['b'] } },
  },
  {
    name: 'DELETE compares numbers by value',
    before: { s: { NS: ['1', '2'] } },
    update: 'DELETE s :v',
    values: { ':v': { NS: ['2.00'] } },
    after: { s: { NS: ['1'] } },
  },
  {
    name: 'DELETE of all elements removes the attribute',
    before: { s: { SS: ['a'] } },
    update: 'DELETE s :v',
    values: { ':v': { SS: ['a'] } },
    after: {},
  },
  {
    name: 'DELETE from an attribute that is not there is no error',
    before: {},
    update: 'DELETE s :v',
    values: { ':v': { SS: ['a'] } },
    after: {},
  },
  {
    name: 'DELETE on a missing item makes none',
    update: 'DELETE s :v',
    values: { ':v': { SS: ['a'] } },
  },
  // All together
  {
    name: 'all four sections work together, in any order and case',
    before: { a: N(1), b: N(2), s: { SS: ['x', 'y'] } },
    update: 'delete s :s Add b :v REMOVE a SET c = a',
    values: { ':s': { SS: ['x'] }, ':v': N(1) },
    after: { b: N(3), c: N(1), s: { SS: ['y'] } },
  },
  { name: 'no update at all makes an item of nothing but keys', after: {} },
  {
    name: 'no update at all leaves an item as it was',
    before: { a: N(1) },
    after: { a: N(1) },
  },
  {
    name: 'attributes may be named like members of objects',
    before: {},
    update: 'SET #p = :m, #p2 = :v',
    names: { '#p': '__proto__', '#p2': 'constructor' },
    values: { ':m': { S: 'x' }, ':v': N(1) },
    after: JSON.parse('{"__proto__":{"S":"x"},"constructor":{"N":"1"}}'),
  },
]

conformance('Updates', (test) => {
  for (const { name, before, update, names, values, after } of cases) {
    test(name, async (t) => {
      const TableName = before === undefined ? await t.table() : await tableWith(t, before)
      await t.send('UpdateItem', {
        TableName,
        Key: KEY,
        UpdateExpression: update,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      })
      const expected =
        after === undefined
          ? undefined
          : Object.fromEntries([...Object.entries(KEY), ...Object.entries(after)])
      const item = await itemOf(t, TableName)
      if (expected === undefined || item === undefined) {
        expectItem(item ?? null, expected ?? null)
      } else expectItem(item, expected)
    })
  }
})
