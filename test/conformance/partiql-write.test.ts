import { expect } from 'vitest'
import { conformance } from './conformance.ts'
import { itemAt, on, partiqlTable, refusesStatements } from './partiql-cases.ts'

const KEY = "WHERE pk = 'a' AND sk = '1'"
const CONDITION_FAILED = 'The conditional request failed'

conformance('PartiQL INSERT', (test) => {
  test('all literals become attribute values', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(
      table,
      `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': 'it''s', 'num': 1.50e3, 'neg': -0.5, 'yes': true, 'nothing': NULL,
       'list': [1, 'x', []], 'map': {'in': {'deep': 1}}, 'strings': <<'b', 'a'>>, 'numbers': <<1>>, 'empty': ''}`,
    )
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [] })
    expect(await itemAt(t, table, 'i', "it's")).toEqual({
      pk: { S: 'i' },
      sk: { S: "it's" },
      num: { N: '1500' },
      neg: { N: '-0.5' },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ N: '1' }, { S: 'x' }, { L: [] }] },
      map: { M: { in: { M: { deep: { N: '1' } } } } },
      strings: { SS: expect.arrayContaining(['a', 'b']) },
      numbers: { NS: ['1'] },
      empty: { S: '' },
    })
  })

  test('a number keeps all its 38 digits', async (t) => {
    const table = await partiqlTable(t)
    const digits = '12345678901234567890123456789012345678'
    const Statement = on(table, `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1', 'x': ${digits}}`)
    await t.send('ExecuteStatement', { Statement })
    expect(await itemAt(t, table, 'i', '1')).toMatchObject({ x: { N: digits } })
  })

  test('a parameter may be any value', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, `INSERT INTO TABLE VALUE {'pk': ?, 'sk': '1', 'x': ?}`)
    const x = { M: { b: { B: 'AAE=' }, l: { L: [{ NULL: true }] } } }
    await t.send('ExecuteStatement', { Statement, Parameters: [{ S: 'i' }, x] })
    expect(await itemAt(t, table, 'i', '1')).toEqual({ pk: { S: 'i' }, sk: { S: '1' }, x })
  })

  test('an item that is there already stays as it is', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, `INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1'}`)
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'DuplicateItemException',
      'Duplicate primary key exists in table',
    )
    expect(await itemAt(t, table, 'b', '1')).toMatchObject({ n: { N: '10' } })
  })

  test('a table that is not there', async (t) => {
    await t.fails(
      'ExecuteStatement',
      { Statement: `INSERT INTO "${t.tableName()}" VALUE {'pk': 'a'}` },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })

  test('an item over 400 KB is refused', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1', 'x': ?}`,
    )
    await t.fails(
      'ExecuteStatement',
      { Statement, Parameters: [{ S: 'x'.repeat(409_600) }] },
      'ValidationException',
      'Item size has exceeded the maximum allowed size',
    )
  })

  test('an index key of the wrong type is refused', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1', 'g': 1}`,
    )
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'ValidationException',
      /^One or more parameter values were invalid: Type mismatch for Index Key/,
    )
  })

  test.engineOnly(
    'what an INSERT consumes is shown',
    'DynamoDB Local does not report consumed capacity for PartiQL.',
    async (t) => {
      const table = await partiqlTable(t)
      const Statement = on(
        table,
        `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1', 'g': 'x', 'n': 1}`,
      )
      expect(
        await t.send('ExecuteStatement', { Statement, ReturnConsumedCapacity: 'INDEXES' }),
      ).toEqual({
        Items: [],
        ConsumedCapacity: {
          TableName: table,
          CapacityUnits: 3,
          Table: { CapacityUnits: 1 },
          GlobalSecondaryIndexes: { byG: { CapacityUnits: 1 }, keysOnly: { CapacityUnits: 1 } },
        },
      })
    },
  )

  refusesStatements(test, [
    [
      'a key attribute is missing',
      `INSERT INTO TABLE VALUE {'pk': 'i'}`,
      'Key attribute should be present in the item: Key sk',
    ],
    [
      'a key attribute is of the wrong type',
      `INSERT INTO TABLE VALUE {'pk': 1, 'sk': '1'}`,
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
    [
      'a key attribute is empty',
      `INSERT INTO TABLE VALUE {'pk': '', 'sk': '1'}`,
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'an attribute twice',
      `INSERT INTO TABLE VALUE {'a': 1, 'a': 2}`,
      /^Duplicate keys in tuple\. Key: a under root at 1:\d+:3$/,
    ],
    [
      'an attribute without quotes',
      `INSERT INTO TABLE VALUE {pk: 'i'}`,
      /^Tuple keys must be of type String\. Actual type: VariableReference under root at 1:\d+:2$/,
    ],
    [
      'an attribute without a name',
      `INSERT INTO TABLE VALUE {'': 1}`,
      'Path component cannot be an empty string',
    ],
    [
      'a value that is not a literal',
      `INSERT INTO TABLE VALUE {'pk': x}`,
      /^Unsupported data type: x under key root at 1:\d+:1$/,
    ],
    [
      'a sum',
      `INSERT INTO TABLE VALUE {'pk': 1+1}`,
      /^Unsupported data type: \+ under key root at 1:\d+:1$/,
    ],
    [
      'a parameter inside a map',
      `INSERT INTO TABLE VALUE {'m': {'x': ?}}`,
      /^Unsupported data type: Parameter under key root\.x at 1:\d+:1$/,
    ],
    [
      'MISSING as a value',
      `INSERT INTO TABLE VALUE {'pk': MISSING}`,
      /^Unsupported data type: MISSING under key root at 1:\d+:7$/,
    ],
    [
      'an empty bag',
      `INSERT INTO TABLE VALUE {'x': <<>>}`,
      /^Empty bags are not supported at 1:\d+:2$/,
    ],
    [
      'something else than a struct',
      'INSERT INTO TABLE VALUE 1',
      /^Unsupported format in item expression\. Please use struct format \{\.\.\.\} to express item values for insert statement\. at /,
    ],
    ['VALUES', "INSERT INTO TABLE VALUES ('a', 'b')", 'Unsupported operation: InsertOp'],
    [
      'an index',
      `INSERT INTO TABLE."byG" VALUE {'pk': 'i', 'sk': '1'}`,
      'FROM clause may only contain a single table name in data manipulation statements',
    ],
    [
      'RETURNING',
      `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1'} RETURNING ALL OLD *`,
      'RETURNING is not supported in INSERT',
    ],
    [
      'IF NOT EXISTS',
      `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1'} IF NOT EXISTS`,
      /^Statement wasn't well formed/,
    ],
  ])
})

conformance('PartiQL UPDATE', (test) => {
  for (const [name, clauses, returned] of [
    ['SET writes an attribute', "SET s = 'new'", { s: { S: 'new' } }],
    ['several SET in one clause', 'SET x = 1, y = 2', { x: { N: '1' }, y: { N: '2' } }],
    [
      'several clauses',
      'SET x = 1 SET y = [1] REMOVE s',
      { x: { N: '1' }, y: { L: [{ N: '1' }] } },
    ],
    ['a sum', 'SET n = n + 5', { n: { N: '6' } }],
    ['a difference', 'SET n = 10 - n', { n: { N: '9' } }],
    ['a longer sum', 'SET n = n + 1 + 1', { n: { N: '3' } }],
    ['a negative number', 'SET n = n + -5', { n: { N: '-4' } }],
    ['the value of another attribute', 'SET x = s', { x: { S: 'hello' } }],
    [
      'everything is read before anything is written',
      'SET x = s, s = g',
      { x: { S: 'hello' }, s: { S: 'x' } },
    ],
    ['NULL is a value', 'SET s = NULL', { s: { NULL: true } }],
    [
      'list_append',
      "SET things = list_append(things, ['r'])",
      { things: { L: [{ S: 'p' }, { S: 'q' }, { S: 'r' }] } },
    ],
    [
      'list_append within list_append',
      "SET x = list_append(list_append([0], things), ['r'])",
      { x: { L: [{ N: '0' }, { S: 'p' }, { S: 'q' }, { S: 'r' }] } },
    ],
    [
      'if_not_exists',
      'SET s = if_not_exists(s, 1), x = if_not_exists(x, 1)',
      { s: { S: 'hello' }, x: { N: '1' } },
    ],
    ['set_add', "SET ss = set_add(ss, <<'v', 'w'>>)", { ss: { SS: ['u', 'v', 'w'] } }],
    ['set_add makes a set that was missing', 'SET x = SET_ADD(x, <<1>>)', { x: { NS: ['1'] } }],
    ['set_delete', "SET ss = set_delete(ss, <<'v', 'w'>>)", { ss: { SS: ['u'] } }],
    ['a quoted name', `SET "x y" = 1`, { 'x y': { N: '1' } }],
  ] as const) {
    test(name, async (t) => {
      const Statement = on(
        await partiqlTable(t),
        `UPDATE TABLE ${clauses} ${KEY} RETURNING MODIFIED NEW *`,
      )
      // Sets have no order, and an answer of the engine is not to be sorted in place.
      const Items = structuredClone((await t.send('ExecuteStatement', { Statement })).Items)
      for (const value of Object.values(Items[0]) as { SS?: string[] }[]) value.SS?.sort()
      expect(Items).toEqual([returned])
    })
  }

  test('a path into a document', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, `UPDATE TABLE SET m.c[0] = 9, m.z = 1 REMOVE m.b ${KEY}`)
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [] })
    expect(await itemAt(t, table, 'a', '1')).toMatchObject({
      m: { M: { c: { L: [{ N: '9' }, { N: '2' }] }, z: { N: '1' } } },
    })
  })

  test('set_delete of all elements removes the attribute', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, `UPDATE TABLE SET ss = set_delete(ss, <<'u', 'v'>>) ${KEY}`)
    await t.send('ExecuteStatement', { Statement })
    expect(await itemAt(t, table, 'a', '1')).not.toHaveProperty('ss')
  })

  for (const [clause, item] of [
    ['ALL OLD', { pk: { S: 'a' }, sk: { S: '3' }, n: { N: '3' } }],
    ['ALL NEW', { pk: { S: 'a' }, sk: { S: '3' }, n: { N: '4' }, x: { N: '1' } }],
    ['MODIFIED OLD', { n: { N: '3' } }],
    ['MODIFIED NEW', { n: { N: '4' }, x: { N: '1' } }],
  ] as const) {
    test(`RETURNING ${clause} *`, async (t) => {
      const Statement = on(
        await partiqlTable(t),
        `UPDATE TABLE SET n = 4, x = 1 WHERE pk = 'a' AND sk = '3' RETURNING ${clause} *`,
      )
      expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [item] })
    })
  }

  test('nothing to return leaves Items empty', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `UPDATE TABLE REMOVE s ${KEY} RETURNING MODIFIED NEW *`,
    )
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [] })
  })

  test('parameters in clauses and condition', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      'UPDATE TABLE SET n = n + ?, things = list_append(things, ?), ss = set_add(ss, ?) WHERE pk = ? AND sk = ? AND s = ? RETURNING MODIFIED NEW *',
    )
    const Parameters = [
      { N: '1' },
      { L: [{ S: 'r' }] },
      { SS: ['u'] },
      { S: 'a' },
      { S: '1' },
      { S: 'hello' },
    ]
    const { Items } = await t.send('ExecuteStatement', { Statement, Parameters })
    expect(Items[0]).toMatchObject({
      n: { N: '2' },
      things: { L: [{ S: 'p' }, { S: 'q' }, { S: 'r' }] },
    })
  })

  test('a missing item is not made', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, "UPDATE TABLE SET x = 1 WHERE pk = 'none' AND sk = '1'")
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'ConditionalCheckFailedException',
      CONDITION_FAILED,
    )
    expect(await itemAt(t, table, 'none', '1')).toBeUndefined()
  })

  test('a missing item is not made even if the condition asks for a missing attribute', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "UPDATE TABLE SET x = 1 WHERE pk = 'none' AND sk = '1' AND x IS MISSING",
    )
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'ConditionalCheckFailedException',
      CONDITION_FAILED,
    )
  })

  test('a condition beyond the key must hold', async (t) => {
    const table = await partiqlTable(t)
    const update = (condition: string) =>
      on(table, `UPDATE TABLE SET x = 1 ${KEY} AND ${condition}`)
    await t.fails(
      'ExecuteStatement',
      { Statement: update('n > 1') },
      'ConditionalCheckFailedException',
      CONDITION_FAILED,
    )
    expect(await itemAt(t, table, 'a', '1')).not.toHaveProperty('x')
    await t.send('ExecuteStatement', { Statement: update("(n > 1 OR contains(s, 'ell'))") })
    expect(await itemAt(t, table, 'a', '1')).toHaveProperty('x')
  })

  test('a failed condition shows the item when asked to', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "UPDATE TABLE SET x = 1 WHERE pk = 'b' AND sk = '1' AND n = 1",
    )
    const error = await t.fails(
      'ExecuteStatement',
      { Statement, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
      'ConditionalCheckFailedException',
      CONDITION_FAILED,
    )
    expect(error.Item).toEqual({ pk: { S: 'b' }, sk: { S: '1' }, g: { S: 'y' }, n: { N: '10' } })
  })

  test('the key may be written the other way round, in parentheses, and twice', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "UPDATE TABLE SET x = 1 WHERE ('1' = sk AND (pk = 'a')) AND sk = '1' RETURNING MODIFIED NEW *",
    )
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [{ x: { N: '1' } }] })
  })

  test('an item that grows over 400 KB is refused', async (t) => {
    const Statement = on(await partiqlTable(t), `UPDATE TABLE SET x = ? ${KEY}`)
    await t.fails(
      'ExecuteStatement',
      { Statement, Parameters: [{ S: 'x'.repeat(409_600) }] },
      'ValidationException',
      'Item size to update has exceeded the maximum allowed size',
    )
  })

  const KEY_MISSING = 'Where clause does not contain a mandatory equality on all key attributes'
  refusesStatements(test, [
    ['no WHERE', 'UPDATE TABLE SET x = 1', KEY_MISSING],
    ['no sort key', "UPDATE TABLE SET x = 1 WHERE pk = 'a'", KEY_MISSING],
    ['a range of the sort key', "UPDATE TABLE SET x = 1 WHERE pk = 'a' AND sk > '1'", KEY_MISSING],
    [
      'IN on the partition key',
      "UPDATE TABLE SET x = 1 WHERE pk IN ['a'] AND sk = '1'",
      KEY_MISSING,
    ],
    ['OR together with the key', `UPDATE TABLE SET x = 1 ${KEY} OR x = 1`, KEY_MISSING],
    [
      'two values for one key attribute',
      `UPDATE TABLE SET x = 1 ${KEY} AND pk = 'b'`,
      'Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported',
    ],
    [
      'a key of the wrong type',
      "UPDATE TABLE SET x = 1 WHERE pk = 1 AND sk = '1'",
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
    [
      'an index',
      `UPDATE TABLE."byG" SET x = 1 ${KEY}`,
      'This operation is not supported on an index',
    ],
    [
      'an update of the key',
      `UPDATE TABLE SET pk = 'z' ${KEY}`,
      'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
    ],
    [
      'a removal of the key',
      `UPDATE TABLE REMOVE sk ${KEY}`,
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    ],
    [
      'one path twice',
      `UPDATE TABLE SET m.z = 1 SET m.z = 2 ${KEY}`,
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, z], path two: [m, z]',
    ],
    [
      'a path within another',
      `UPDATE TABLE SET m = 1 SET m.z = 2 ${KEY}`,
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, z], path two: [m]',
    ],
    [
      'a path that leads nowhere',
      `UPDATE TABLE SET none.z = 1 ${KEY}`,
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'the value of a missing attribute',
      `UPDATE TABLE SET x = none ${KEY}`,
      'The provided expression refers to an attribute that does not exist in the item',
    ],
    [
      'a product',
      `UPDATE TABLE SET n = n * 2 ${KEY}`,
      'Unsupported operator in Update Expression. Operator: *',
    ],
    [
      'a sum with a text',
      `UPDATE TABLE SET n = n + 'x' ${KEY}`,
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
    [
      'a sum with an attribute that is not a number',
      `UPDATE TABLE SET n = s + 1 ${KEY}`,
      'An operand in the update expression has an incorrect data type',
    ],
    ['an unknown function', `UPDATE TABLE SET x = foo(s) ${KEY}`, 'Unrecognized function: foo'],
    [
      'a function of conditions',
      `UPDATE TABLE SET x = size(s) ${KEY}`,
      'The function is not allowed in an update expression; function: size',
    ],
    [
      'set_add to another attribute',
      `UPDATE TABLE SET x = set_add(ss, <<'w'>>) ${KEY}`,
      'The first argument to SET_ADD must equal the assignment value',
    ],
    [
      'set_add of something else than a set',
      `UPDATE TABLE SET ss = set_add(ss, 'w') ${KEY}`,
      /^The second argument to SET_ADD must be a value with type SET at 1:\d+:2$/,
    ],
    [
      'set_add with one operand',
      `UPDATE TABLE SET ss = set_add(ss) ${KEY}`,
      /^SET_ADD must have exactly two arguments at 1:\d+:7$/,
    ],
    [
      'RETURNING single attributes',
      `UPDATE TABLE SET x = 1 ${KEY} RETURNING ALL NEW x`,
      "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause",
    ],
    [
      'RETURNING twice',
      `UPDATE TABLE SET x = 1 ${KEY} RETURNING ALL OLD *, ALL NEW *`,
      'Invalid syntax with multiple returning elements in RETURNING clause',
    ],
    ['nothing to do', `UPDATE TABLE ${KEY}`, /^Statement wasn't well formed/],
  ])
})

conformance('PartiQL DELETE', (test) => {
  test('an item is deleted and returned', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, "DELETE FROM TABLE WHERE pk = 'a' AND sk = '3' RETURNING ALL OLD *")
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({
      Items: [{ pk: { S: 'a' }, sk: { S: '3' }, n: { N: '3' } }],
    })
    expect(await itemAt(t, table, 'a', '3')).toBeUndefined()
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [] })
  })

  test('deleting a missing item succeeds, even with a condition', async (t) => {
    const table = await partiqlTable(t)
    for (const condition of ['', ' AND x = 1', ' AND x IS MISSING']) {
      const Statement = on(table, `DELETE FROM TABLE WHERE pk = 'none' AND sk = '1'${condition}`)
      expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [] })
    }
  })

  test('a false condition keeps the item', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, `DELETE FROM TABLE ${KEY} AND n = 2`)
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'ConditionalCheckFailedException',
      CONDITION_FAILED,
    )
    expect(await itemAt(t, table, 'a', '1')).toBeDefined()
  })

  refusesStatements(test, [
    [
      'no WHERE',
      'DELETE FROM TABLE',
      'Where clause does not contain a mandatory equality on all key attributes',
    ],
    [
      'no sort key',
      "DELETE FROM TABLE WHERE pk = 'a'",
      'Where clause does not contain a mandatory equality on all key attributes',
    ],
    [
      'an index',
      `DELETE FROM TABLE."byG" WHERE g = 'x'`,
      'This operation is not supported on an index',
    ],
    [
      'RETURNING the new item',
      `DELETE FROM TABLE ${KEY} RETURNING ALL NEW *`,
      'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
    ['without FROM', `DELETE TABLE ${KEY}`, /^Statement wasn't well formed/],
  ])
})
