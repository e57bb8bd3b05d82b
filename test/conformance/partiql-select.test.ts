import { expect } from 'vitest'
import { conformance } from './conformance.ts'
import { finds, keysOf, on, partiqlTable, refusesStatements } from './partiql-cases.ts'

const ALL = 'a1 a2 a3 b1'

conformance('PartiQL SELECT', (test) => {
  finds(test, [
    ['an equality on the partition key finds the item collection', "pk = 'a'", 'a1 a2 a3'],
    ['an equality may be the other way round', "'a' = pk", 'a1 a2 a3'],
    ['equalities on the whole key find one item', "pk = 'a' AND sk = '2'", 'a2'],
    ['a key that is not there finds nothing', "pk = 'a' AND sk = '9'", ''],
    ['a range of the sort key', "pk = 'a' AND sk > '1'", 'a2 a3'],
    ['a range of the sort key with both ends', "pk = 'a' AND sk > '1' AND sk < '3'", 'a2'],
    ['BETWEEN on the sort key', "sk BETWEEN '1' AND '2' AND pk = 'a'", 'a1 a2'],
    ['begins_with on the sort key', "pk = 'a' AND begins_with(sk, '3')", 'a3'],
    ['IN on the partition key', "pk IN ['b', 'a', 'a'] AND sk = '1'", 'a1 b1'],
    ['IN with parentheses', "pk IN ('b')", 'b1'],
    ['IN on the sort key', "pk = 'a' AND sk IN ['1', '3']", 'a1 a3'],
    ['OR on the partition key', "pk = 'a' OR pk = 'b'", ALL],
    ['two different values for one key find nothing', "pk = 'a' AND pk = 'b'", ''],
    ['unequal on the sort key', "pk = 'a' AND sk <> '1'", 'a2 a3'],
    ['a negated comparison of the sort key', "pk = 'a' AND NOT sk = '1'", 'a2 a3'],
    ['a comparison of another attribute reads the whole table', 'n >= 3', 'a3 b1'],
    ['unequal is true for a missing attribute', "s <> 'hello'", 'a2 a3 b1'],
    ['!= is another sign for unequal', "s != 'hello'", 'a2 a3 b1'],
    ['a number is not equal to a text', "n = '1'", ''],
    ['numbers compare by value', 'n = 1.0', 'a1'],
    ['numbers may be written with an exponent', 'n = 1e1', 'b1'],
    ['a sign before a number', 'n > -1', ALL],
    ['IS MISSING', 's IS MISSING', 'a3 b1'],
    ['IS NOT MISSING', 's IS NOT MISSING', 'a1 a2'],
    ['IS NULL is true for a null only', 'nul IS NULL', 'a1'],
    ['IS NOT NULL is true for a missing attribute', 'nul IS NOT NULL', 'a2 a3 b1'],
    ['an equality with NULL', 'nul = NULL', 'a1'],
    ['IS STRING', 's IS STRING', 'a1 a2'],
    ['IS NUMERIC', "pk = 'a' AND n IS NUMERIC", 'a1 a2 a3'],
    ['IS BOOL', 'yes IS BOOL', 'a1'],
    ['IS LIST and IS STRUCT', 'things IS LIST AND m IS STRUCT', 'a1'],
    ['an equality with a truth value', 'yes = true', 'a1'],
    ['IN on an attribute', 'n IN [1, 10, 100]', 'a1 b1'],
    ['IN with a bag', 'n IN <<1, 2>>', 'a1 a2'],
    ['IN with another attribute', "s IN ['hello', g]", 'a1'],
    ['NOT IN is true for a missing attribute', "s NOT IN ['hello']", 'a2 a3 b1'],
    ['BETWEEN on an attribute', 'n BETWEEN 2 AND 3', 'a2 a3'],
    ['NOT BETWEEN', 'n NOT BETWEEN 2 AND 3', 'a1 b1'],
    ['AND binds closer than OR', "n = 10 OR pk = 'a' AND n = 1", 'a1 b1'],
    ['parentheses', "(n = 10 OR pk = 'a') AND n = 1", 'a1'],
    ['NOT before parentheses', 'NOT (n = 1 OR n = 2)', 'a3 b1'],
    ['NOT twice', 'NOT NOT n = 1', 'a1'],
    ['begins_with', "begins_with(s, 'hell')", 'a1'],
    ['function names are not case-sensitive', "BEGINS_WITH(s, 'hell')", 'a1'],
    ['contains on a text', "contains(s, 'el')", 'a1 a2'],
    ['contains on a set and on a list', "contains(ss, 'u') AND contains(things, 'q')", 'a1'],
    ['a function compared with true', "contains(s, 'lo') = true", 'a1'],
    ['size', 'size(s) > 4', 'a1'],
    ['size on the right', '4 < size(s)', 'a1'],
    ['attribute_type', "attribute_type(ss, 'SS')", 'a1'],
    [
      'attribute_exists and attribute_not_exists',
      'attribute_exists(g) AND attribute_not_exists(s)',
      'b1',
    ],
    ['a path into a map', "m.b = 'deep'", 'a1'],
    ['a path with a quoted name', `"m"."b" = 'deep'`, 'a1'],
    ['a path with a name in brackets', "m['b'] = 'deep'", 'a1'],
    ['a path into a list', 'm.c[1] = 2', 'a1'],
    ['an equality with a list', "things = ['p', 'q']", 'a1'],
    ['an equality with a struct', "m = {'c': [1, 2], 'b': 'deep'}", 'a1'],
    ['an equality with a bag, in any order', "ss = <<'v', 'u'>>", 'a1'],
    ['attributes are case-sensitive', "PK = 'a'", ''],
    ['two attributes compared', 's = g', ''],
    ['two literals compared', "'a' = 'a'", ALL],
    ['a quote in a text is doubled', "pk = 'it''s'", ''],
  ])

  test('without WHERE all items are found', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT * FROM TABLE;')
    const { Items } = await t.send('ExecuteStatement', { Statement })
    expect(keysOf(Items).sort().join(' ')).toBe(ALL)
  })

  test('keywords are not case-sensitive, and lines may be broken', async (t) => {
    const Statement = on(await partiqlTable(t), "select sk\nfrom TABLE\n\twhere pk = 'b'")
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [{ sk: { S: '1' } }] })
  })

  test('a part of a document is returned at the top', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "SELECT sk, m.b, m.c[1], things[0], absent FROM TABLE WHERE pk = 'a' AND sk < '3'",
    )
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({
      Items: [
        { sk: { S: '1' }, b: { S: 'deep' }, 'c[1]': { N: '2' }, 'things[0]': { S: 'p' } },
        { sk: { S: '2' } },
      ],
    })
  })

  test('an item without the wanted attributes is returned empty', async (t) => {
    const Statement = on(await partiqlTable(t), "SELECT zzz FROM TABLE WHERE pk = 'b'")
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({ Items: [{}] })
  })

  test('parameters stand for values from left to right', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      'SELECT sk FROM TABLE WHERE pk = ? AND n IN [?, 3] AND attribute_type(n, ?)',
    )
    const Parameters = [{ S: 'a' }, { N: '2.0' }, { S: 'N' }]
    const { Items } = await t.send('ExecuteStatement', { Statement, Parameters })
    expect(keysOf(Items)).toEqual(['2', '3'])
  })

  test('a parameter is never read as PartiQL', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT sk FROM TABLE WHERE pk = ?')
    const Parameters = [{ S: "a' OR 'a'='a" }]
    expect(await t.send('ExecuteStatement', { Statement, Parameters })).toEqual({ Items: [] })
  })

  test('a list of parameters longer than needed is accepted', async (t) => {
    const Statement = on(await partiqlTable(t), "SELECT sk FROM TABLE WHERE pk = 'b'")
    const { Items } = await t.send('ExecuteStatement', { Statement, Parameters: [{ S: 'x' }] })
    expect(keysOf(Items)).toEqual(['1'])
  })

  for (const [name, clause, keys] of [
    ['without ORDER BY the sort key ascends', "pk = 'a'", 'a1 a2 a3'],
    ['ORDER BY the sort key', "pk = 'a' ORDER BY sk", 'a1 a2 a3'],
    ['ORDER BY the sort key, descending', "pk = 'a' ORDER BY sk DESC", 'a3 a2 a1'],
    ['ORDER BY both keys', "pk = 'a' ORDER BY pk DESC, sk DESC", 'a3 a2 a1'],
    ['ORDER BY the partition key', "pk IN ['b', 'a'] ORDER BY pk ASC", 'a1 a2 a3 b1'],
    ['ORDER BY the partition key, descending', "pk IN ['a', 'b'] ORDER BY pk DESC", 'b1 a1 a2 a3'],
    [
      'ORDER BY both in opposite directions',
      "pk IN ['a', 'b'] ORDER BY pk, sk DESC",
      'a3 a2 a1 b1',
    ],
  ] as const) {
    test(name, async (t) => {
      const Statement = on(await partiqlTable(t), `SELECT pk, sk FROM TABLE WHERE ${clause}`)
      const { Items } = await t.send('ExecuteStatement', { Statement })
      expect(keysOf(Items).join(' ')).toBe(keys)
    })
  }

  test('an index is read in the order of its sort key', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `SELECT pk, sk FROM TABLE."byG" WHERE g = 'x' AND n >= 1`,
    )
    const { Items } = await t.send('ExecuteStatement', { Statement })
    expect(keysOf(Items)).toEqual(['a1', 'a2'])
  })

  test('an index without a condition on its key is read whole', async (t) => {
    const Statement = on(await partiqlTable(t), `SELECT pk, sk FROM TABLE."byG" WHERE pk = 'a'`)
    const { Items } = await t.send('ExecuteStatement', { Statement })
    expect(keysOf(Items).sort()).toEqual(['a1', 'a2'])
  })

  test('* on an index returns what it holds', async (t) => {
    const Statement = on(await partiqlTable(t), `SELECT * FROM TABLE."keysOnly" WHERE g = 'y'`)
    expect(await t.send('ExecuteStatement', { Statement })).toEqual({
      Items: [{ pk: { S: 'b' }, sk: { S: '1' }, g: { S: 'y' } }],
    })
  })

  test('a descending order on an index', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `SELECT pk, sk FROM TABLE."byG" WHERE g = 'x' ORDER BY n DESC`,
    )
    const { Items } = await t.send('ExecuteStatement', { Statement })
    expect(keysOf(Items)).toEqual(['a2', 'a1'])
  })

  test('Limit bounds the items that are read, and NextToken continues after them', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "SELECT pk, sk FROM TABLE WHERE pk IN ['a', 'b'] AND n <> 2",
    )
    const pages: string[] = []
    let NextToken: string | undefined
    do {
      const answer = await t.send('ExecuteStatement', {
        Statement,
        Limit: 2,
        ...(NextToken === undefined ? {} : { NextToken }),
      })
      pages.push(keysOf(answer.Items).join(' '))
      NextToken = answer.NextToken
    } while (NextToken !== undefined)
    expect(pages.filter((page) => page !== '')).toEqual(['a1', 'a3 b1'])
  })

  test('a page that ends at the last item has a NextToken all the same', async (t) => {
    const Statement = on(await partiqlTable(t), "SELECT sk FROM TABLE WHERE pk = 'a'")
    const first = await t.send('ExecuteStatement', { Statement, Limit: 3 })
    expect(first.Items).toHaveLength(3)
    const { NextToken } = first
    expect(await t.send('ExecuteStatement', { Statement, NextToken })).toEqual({ Items: [] })
    expect(await t.send('ExecuteStatement', { Statement, Limit: 4 })).not.toHaveProperty(
      'NextToken',
    )
  })

  test('pages continue in descending order', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      "SELECT sk FROM TABLE WHERE pk = 'a' ORDER BY sk DESC",
    )
    const { Items, NextToken } = await t.send('ExecuteStatement', { Statement, Limit: 2 })
    expect(keysOf(Items)).toEqual(['3', '2'])
    const next = await t.send('ExecuteStatement', { Statement, NextToken })
    expect(keysOf(next.Items)).toEqual(['1'])
  })

  test('a NextToken of another statement is refused', async (t) => {
    const table = await partiqlTable(t)
    const { NextToken } = await t.send('ExecuteStatement', {
      Statement: on(table, "SELECT sk FROM TABLE WHERE pk = 'a'"),
      Limit: 1,
    })
    await t.fails(
      'ExecuteStatement',
      { Statement: on(table, "SELECT sk FROM TABLE WHERE pk = 'b'"), NextToken },
      'ValidationException',
      'NextToken does not match request',
    )
  })

  test('a NextToken that is none is refused', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT sk FROM TABLE')
    await t.fails(
      'ExecuteStatement',
      { Statement, NextToken: 'bm9uZQ==' },
      'ValidationException',
      'Invalid NextToken',
    )
  })

  test('a Limit of 0 is refused', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT sk FROM TABLE')
    await t.fails(
      'ExecuteStatement',
      { Statement, Limit: 0 },
      'ValidationException',
      "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  })

  test('a consistent read of a table is allowed, of a global index not', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, "SELECT sk FROM TABLE WHERE pk = 'b'")
    expect(await t.send('ExecuteStatement', { Statement, ConsistentRead: true })).toEqual({
      Items: [{ sk: { S: '1' } }],
    })
    await t.fails(
      'ExecuteStatement',
      { Statement: on(table, `SELECT sk FROM TABLE."byG" WHERE g = 'x'`), ConsistentRead: true },
      'ValidationException',
      'Consistent reads are not supported on global secondary indexes',
    )
  })

  test('too few parameters are refused', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT sk FROM TABLE WHERE pk = ? AND sk = ?')
    await t.fails(
      'ExecuteStatement',
      { Statement, Parameters: [{ S: 'a' }] },
      'ValidationException',
      "Number of parameters in request and statement don't match.",
    )
  })

  test('a parameter must be a whole attribute value', async (t) => {
    const Statement = on(await partiqlTable(t), 'SELECT sk FROM TABLE WHERE pk = ?')
    await t.fails(
      'ExecuteStatement',
      { Statement, Parameters: [{}] },
      'ValidationException',
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    )
  })

  test('a table that is not there', async (t) => {
    await t.fails(
      'ExecuteStatement',
      { Statement: `SELECT * FROM "${t.tableName()}"` },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })

  test('a statement of 8193 characters is refused', async (t) => {
    const Statement = `SELECT * FROM tab WHERE a = '${'x'.repeat(8163)}'`
    expect(Statement).toHaveLength(8193)
    await t.fails(
      'ExecuteStatement',
      { Statement },
      'ValidationException',
      /Member must have length less than or equal to 8192$/,
    )
  })

  test('an empty statement is refused', async (t) => {
    await t.fails(
      'ExecuteStatement',
      { Statement: '' },
      'ValidationException',
      "1 validation error detected: Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test.engineOnly(
    'what a SELECT consumes is shown',
    'DynamoDB Local does not report consumed capacity for PartiQL.',
    async (t) => {
      const table = await partiqlTable(t)
      const capacity = async (statement: string, members: object) => {
        const Statement = on(table, statement)
        const answer = await t.send('ExecuteStatement', { Statement, ...members })
        return answer.ConsumedCapacity
      }
      expect(
        await capacity("SELECT * FROM TABLE WHERE pk = 'a'", { ReturnConsumedCapacity: 'TOTAL' }),
      ).toEqual({ TableName: table, CapacityUnits: 0.5 })
      expect(
        await capacity("SELECT * FROM TABLE WHERE pk IN ['a', 'b']", {
          ReturnConsumedCapacity: 'TOTAL',
          ConsistentRead: true,
        }),
      ).toEqual({ TableName: table, CapacityUnits: 2 })
      expect(
        await capacity(`SELECT * FROM TABLE."byG" WHERE g = 'x'`, {
          ReturnConsumedCapacity: 'INDEXES',
        }),
      ).toEqual({
        TableName: table,
        CapacityUnits: 0.5,
        Table: { CapacityUnits: 0 },
        GlobalSecondaryIndexes: { byG: { CapacityUnits: 0.5 } },
      })
      expect(await capacity('SELECT * FROM TABLE', {})).toBeUndefined()
    },
  )

  const MALFORMED = "Statement wasn't well formed, can't be processed: STATEMENT"
  const NOT_DML = "Statement wasn't well formed, can't be processed: Expected data manipulation"
  refusesStatements(test, [
    ['a text without its closing quote', "SELECT * FROM TABLE WHERE pk = 'a", MALFORMED],
    ['a name without its closing quote', 'SELECT * FROM "tab', MALFORMED],
    ['two statements', 'SELECT * FROM TABLE;SELECT * FROM TABLE', MALFORMED],
    ['a second statement that drops the table', 'SELECT * FROM TABLE;DROP TABLE TABLE', MALFORMED],
    ['a comment to the end of the line', 'SELECT * FROM TABLE -- all of it', MALFORMED],
    ['a comment inside', 'SELECT * /* all */ FROM TABLE', MALFORMED],
    ['nothing behind WHERE', 'SELECT * FROM TABLE WHERE', MALFORMED],
    ['nothing behind AND', "SELECT * FROM TABLE WHERE pk = 'a' AND", MALFORMED],
    ['two equal signs', "SELECT * FROM TABLE WHERE pk == 'a'", MALFORMED],
    ['placeholders of expressions', 'SELECT * FROM TABLE WHERE #n = :v', MALFORMED],
    ['a reserved word as an attribute', "SELECT * FROM TABLE WHERE user = 'a'", MALFORMED],
    ['an empty list in parentheses', 'SELECT * FROM TABLE WHERE pk IN ()', MALFORMED],
    ['a statement about tables', 'DROP INDEX i ON TABLE', NOT_DML],
    ['an expression alone', 'hello', NOT_DML],
    ['a column under another name', 'SELECT pk AS p FROM TABLE', 'Aliasing is not supported'],
    ['a table under another name', 'SELECT pk FROM TABLE AS t', 'Aliasing is not supported'],
    [
      'two tables',
      'SELECT pk FROM TABLE, TABLE',
      'Only select from a single table or index is supported.',
    ],
    ['COUNT', 'SELECT COUNT(*) FROM TABLE', 'Unexpected path component at 1:8:5'],
    ['a literal as a column', "SELECT 'a' FROM TABLE", 'Unexpected path component at 1:8:3'],
    ['a sum as a column', 'SELECT n+1 FROM TABLE', 'Unexpected path component at 1:9:1'],
    ['DISTINCT', 'SELECT DISTINCT pk FROM TABLE', 'Unsupported token in expression: DISTINCT'],
    ['GROUP BY', 'SELECT pk FROM TABLE GROUP BY pk', 'Unsupported clause: GROUP BY'],
    ['LIMIT', 'SELECT pk FROM TABLE LIMIT 1', /^Unsupported clause: LIMIT at 1:\d+:1$/],
    ['a column twice', 'SELECT pk, pk FROM TABLE', 'Duplicate identifiers in select clause: pk'],
    [
      'a column within another',
      'SELECT m, m.b FROM TABLE',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, b], path two: [m]',
    ],
    [
      'all members of a map',
      'SELECT m.* FROM TABLE',
      "Changing item's hierarchy while reading isn't supported",
    ],
    [
      'a path of three in FROM',
      'SELECT * FROM TABLE."i"."j"',
      'A path may contain at most 2 components in the FROM clause',
    ],
    [
      'an index that is not there',
      'SELECT * FROM TABLE."none"',
      'The table does not have the specified index: none',
    ],
    [
      'a name no table can have',
      'SELECT * FROM "no"',
      "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.",
    ],
    [
      'an attribute that the index does not hold',
      `SELECT m FROM TABLE."keysOnly" WHERE g = 'x'`,
      'One or more parameter values were invalid: Global secondary index keysOnly does not project [m]',
    ],
    [
      'an attribute as the condition',
      'SELECT * FROM TABLE WHERE yes',
      'WHERE clause must contain an expression that resolves to a boolean',
    ],
    [
      'an attribute behind AND',
      "SELECT * FROM TABLE WHERE pk = 'a' AND yes",
      'The arguments to AND/OR must be Expressions',
    ],
    [
      'an attribute behind NOT',
      'SELECT * FROM TABLE WHERE NOT yes',
      'The argument to NOT must be a Type or Expression',
    ],
    [
      'MISSING compared',
      'SELECT * FROM TABLE WHERE s = MISSING',
      'MISSING must be compared using IS operator',
    ],
    [
      'IN without a list',
      "SELECT * FROM TABLE WHERE pk IN 'a'",
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
    ],
    [
      'LIKE',
      "SELECT * FROM TABLE WHERE s LIKE 'h%'",
      'Unsupported operator in Condition Expression. Operator: like',
    ],
    [
      'a sum in a condition',
      'SELECT * FROM TABLE WHERE n = 1 + 1',
      'Unsupported operator in Condition Expression. Operator: +',
    ],
    ['an unknown function', 'SELECT * FROM TABLE WHERE foo(s)', 'Unrecognized function: foo'],
    [
      'a function of updates',
      'SELECT * FROM TABLE WHERE list_append(things, things) = things',
      'The function is not allowed in a condition expression; function: list_append',
    ],
    [
      'a function with too few operands',
      'SELECT * FROM TABLE WHERE contains(s)',
      'Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1',
    ],
    [
      'a function with an operand of the wrong type',
      'SELECT * FROM TABLE WHERE begins_with(s, 1)',
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    [
      'an attribute compared with itself',
      'SELECT * FROM TABLE WHERE s = s',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [s]',
    ],
    [
      'BETWEEN with the bounds exchanged',
      'SELECT * FROM TABLE WHERE n BETWEEN 2 AND 1',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    ],
    [
      'a type that IS does not know',
      'SELECT * FROM TABLE WHERE ss IS BAG',
      /^Unsupported data type for IS operator: BAG\. Supported data types are \[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST\] at 1:\d+:2$/,
    ],
    [
      'a negative position',
      'SELECT * FROM TABLE WHERE things[-1] = 1',
      /^List index is not within the allowable range; index: \[-1\] at 1:\d+:1$/,
    ],
    [
      'a bag of unlike elements',
      "SELECT * FROM TABLE WHERE ss = <<'a', 1>>",
      /^Unsupported data type in Bag\. DynamoDB only supports either numbers or strings in bags/,
    ],
    [
      'a bag with an element twice',
      "SELECT * FROM TABLE WHERE ss = <<'a', 'a'>>",
      'Input collection contains duplicates',
    ],
    [
      'a number of 39 digits',
      `SELECT * FROM TABLE WHERE n = ${'1'.repeat(39)}`,
      'DynamoDB only supports precision up to 38 digits',
    ],
    [
      'a number too large',
      'SELECT * FROM TABLE WHERE n = 1e126',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      'a list of 100 values, since the operand before IN counts too',
      `SELECT * FROM TABLE WHERE n IN [${Array.from({ length: 100 }, (_, n) => n)}]`,
      'The IN operator is provided with too many operands; number of operands: 101',
    ],
    [
      'a partition key of the wrong type',
      'SELECT * FROM TABLE WHERE pk = 1',
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
    [
      'a sort key of the wrong type',
      "SELECT * FROM TABLE WHERE pk = 'a' AND sk > 1",
      "Key attribute's data type should match its data type in table's schema: Key sk",
    ],
    [
      'an empty partition key',
      "SELECT * FROM TABLE WHERE pk = ''",
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'a path into a key attribute',
      "SELECT * FROM TABLE WHERE pk.x = 'a'",
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
    ],
    [
      'ORDER BY without WHERE',
      'SELECT * FROM TABLE ORDER BY pk',
      'Must have WHERE clause in the statement when using ORDER BY clause.',
    ],
    [
      'ORDER BY without a condition on the partition key',
      "SELECT * FROM TABLE WHERE s = 'hello' ORDER BY sk",
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    ],
    [
      'ORDER BY another attribute',
      "SELECT * FROM TABLE WHERE pk = 'a' ORDER BY n",
      'Variable reference n in ORDER BY clause must be part of the primary key',
    ],
    [
      'ORDER BY a path',
      "SELECT * FROM TABLE WHERE pk = 'a' ORDER BY m.b",
      'Argument to ORDER BY must be of type VariableReference. Type: PATH',
    ],
    [
      'EXISTS alone',
      "EXISTS(SELECT * FROM TABLE WHERE pk = 'a' AND sk = '1')",
      'EXISTS can only be used in ExecuteTransaction write requests.',
    ],
    [
      'a query inside a condition',
      'SELECT * FROM TABLE WHERE pk = (SELECT * FROM TABLE)',
      /^Unsupported token in expression: SELECT at 1:\d+:6$/,
    ],
  ])

  test('250 negations do not count as nesting', async (t) => {
    const Statement = on(
      await partiqlTable(t),
      `SELECT pk, sk FROM TABLE WHERE ${'NOT '.repeat(250)}pk = 'b'`,
    )
    const { Items } = await t.send('ExecuteStatement', { Statement })
    expect(keysOf(Items)).toEqual(['b1'])
  })

  for (const [name, opening, closing] of [
    ['parentheses', '(', ')'],
    ['lists', '[', ']'],
  ] as const) {
    test.engineOnly(
      `250 nested ${name} are refused`,
      'DynamoDB Local overflows its stack and answers with a page of HTML.',
      async (t) => {
        const condition = `x = ${opening.repeat(250)}1${closing.repeat(250)}`
        const Statement = on(await partiqlTable(t), `SELECT * FROM TABLE WHERE ${condition}`)
        await t.fails(
          'ExecuteStatement',
          { Statement },
          'ValidationException',
          /^Statement wasn't well formed/,
        )
      },
    )
  }
})
