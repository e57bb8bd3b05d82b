import { expect, test } from 'vitest'
import type { Dialect } from './read-dump.ts'
import { SqlTables } from './sql-tables.ts'

async function tablesOf(dialect: Dialect, ...statements: readonly string[]) {
  const tables = new SqlTables()
  for (const text of statements) {
    await tables.define({ kind: 'definition', text, line: 1, dialect }, 'dump.sql')
  }
  return [...tables.tables.values()]
}

test('columns of MySQL are read with their types, and without those that are generated', async () => {
  const [table] = await tablesOf(
    'mysql',
    "CREATE TABLE `items` (`id` bigint(20) unsigned NOT NULL, `mood` enum('it''s','a\\\\b') NOT NULL," +
      " `isPaid` bit(1) DEFAULT b'0', `sum` int GENERATED ALWAYS AS (`a` * `b`) STORED," +
      " `name` varchar(9) GENERATED ALWAYS AS (concat(`a`,_utf8mb4' ',`b`)) VIRTUAL," +
      " PRIMARY KEY (`id`), CONSTRAINT `c` CHECK (`mood` <> _utf8mb4'x'))",
  )
  expect(table).toMatchObject({
    primaryKey: ['id'],
    columns: [
      { name: 'id', kind: 'bigint', isRequired: true },
      { name: 'mood', kind: 'text', values: ["it's", 'a\\b'] },
      { name: 'isPaid', kind: 'boolean' },
    ],
  })
  expect(table?.columns).toHaveLength(3)
})

test('columns that PostgreSQL generates are left out, those with a sequence are not', async () => {
  const [table] = await tablesOf(
    'postgresql',
    "CREATE TABLE public.users (id bigint GENERATED ALWAYS AS IDENTITY, name text GENERATED ALWAYS AS ((first || ' '::text) || last) STORED)",
  )
  expect(table?.columns.map(({ name }) => name)).toEqual(['id'])
})

test('foreign keys that are checked later are read, and unique indexes of some rows are not', async () => {
  const [table] = await tablesOf(
    'postgresql',
    'CREATE TABLE public.posts (id integer, user_id integer, slug text)',
    'ALTER TABLE ONLY public.posts ADD CONSTRAINT a FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED',
    'CREATE UNIQUE INDEX b ON public.posts USING btree (slug) WHERE (deleted_at IS NULL)',
  )
  expect(table).toMatchObject({
    foreignKeys: [{ columns: ['user_id'], table: 'users', references: ['id'] }],
    unique: [],
  })
})
