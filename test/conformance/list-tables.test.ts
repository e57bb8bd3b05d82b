import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

/** Three tables whose names follow each other, and the name before them: the referee has tables of
 * other tests too. */
async function threeTables(t: Conformance): Promise<{ before: string; tables: string[] }> {
  const before = t.tableName()
  const tables = ['-1', '-2', '-3'].map((suffix) => before + suffix)
  for (const TableName of tables) await t.table({ TableName })
  return { before, tables }
}

conformance('ListTables', (test) => {
  test('all tables are listed', async (t) => {
    const { tables } = await threeTables(t)
    const { TableNames } = await t.send('ListTables', {})
    for (const table of tables) expect(TableNames).toContain(table)
  })

  test.engineOnly(
    'a fresh engine has no tables',
    'The referee has tables of other tests.',
    async (t) => {
      expect(await t.send('ListTables', {})).toEqual({ TableNames: [] })
    },
  )

  test.engineOnly(
    'names are in the order of their bytes',
    'Names this short may clash with those of other tests.',
    async (t) => {
      for (const TableName of ['abc', 'Zzz', '_x_', 'a-b', '000', 'a.b', '__proto__']) {
        await t.table({ TableName })
      }
      expect((await t.send('ListTables', {})).TableNames).toEqual([
        '000',
        'Zzz',
        '__proto__',
        '_x_',
        'a-b',
        'a.b',
        'abc',
      ])
    },
  )

  test('a page ends at the limit and says where to continue', async (t) => {
    const { before, tables } = await threeTables(t)
    const first = await t.send('ListTables', { ExclusiveStartTableName: before, Limit: 2 })
    expect(first.TableNames).toEqual(tables.slice(0, 2))
    expect(first.LastEvaluatedTableName).toBe(tables[1])
    const second = await t.send('ListTables', {
      ExclusiveStartTableName: first.LastEvaluatedTableName,
      Limit: 1,
    })
    expect(second.TableNames).toEqual(tables.slice(2))
  })

  test.engineOnly(
    'the last page does not say where to continue',
    'The referee has tables of other tests.',
    async (t) => {
      const { before, tables } = await threeTables(t)
      expect(await t.send('ListTables', { ExclusiveStartTableName: before, Limit: 3 })).toEqual({
        TableNames: tables,
      })
    },
  )

  test('the start need not be a table', async (t) => {
    const { before, tables } = await threeTables(t)
    const answer = await t.send('ListTables', {
      ExclusiveStartTableName: `${before}-1x`,
      Limit: 1,
    })
    expect(answer.TableNames).toEqual([tables[1]])
  })

  test.engineOnly(
    'without a limit a page has 100 names',
    'A hundred tables slow the referee down for all other tests.',
    async (t) => {
      for (let number = 0; number < 101; number++) {
        await t.table({ TableName: `table-${String(number).padStart(3, '0')}` })
      }
      const answer = await t.send('ListTables', {})
      expect(answer.TableNames).toHaveLength(100)
      expect(answer.LastEvaluatedTableName).toBe('table-099')
    },
  )

  for (const Limit of [1, 99, 100]) {
    test(`a limit of ${Limit} is accepted`, async (t) => {
      await t.send('ListTables', { Limit })
    })
  }
  test('a limit of 101 is refused', async (t) => {
    await t.fails(
      'ListTables',
      { Limit: 101 },
      'ValidationException',
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
    )
  })
  test('a limit of 0 is refused', async (t) => {
    await t.fails(
      'ListTables',
      { Limit: 0 },
      'ValidationException',
      "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  })
  test('a start of two characters is refused', async (t) => {
    await t.fails(
      'ListTables',
      { ExclusiveStartTableName: 'ab' },
      'ValidationException',
      "1 validation error detected: Value 'ab' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
  })
  test('a limit that is a string is not a valid request', async (t) => {
    await t.fails(
      'ListTables',
      { Limit: '5' },
      'SerializationException',
      'STRING_VALUE cannot be converted to Integer',
    )
  })
})
