import { expect, test } from 'vitest'
import { type DumpPart, readDump } from './read-dump.ts'

async function partsOf(text: string): Promise<readonly DumpPart[]> {
  async function* chunks(): AsyncGenerator<string> {
    yield text
  }
  const parts: DumpPart[] = []
  for await (const part of readDump(chunks(), 'dump.sql')) parts.push(part)
  return parts
}

async function rowsOf(text: string) {
  return (await partsOf(text)).flatMap((part) => (part.kind === 'row' ? [part] : []))
}

test('names in quotes may have spaces, parentheses, dots and commas', async () => {
  const postgres =
    'COPY public."Order Items (v1.2)" ("item id", "a,b") FROM stdin;\n7\tx\n\\.\n' +
    'INSERT INTO public."Order Items (v1.2)" ("item id", "a,b") VALUES (8, \'y\');\n'
  expect(await rowsOf(postgres)).toMatchObject([
    { table: 'Order Items (v1.2)', columns: ['item id', 'a,b'], cells: ['7', 'x'] },
    { table: 'Order Items (v1.2)', columns: ['item id', 'a,b'], cells: ['8', 'y'] },
  ])
  const mysql =
    '-- MySQL dump 10.13\nINSERT INTO `order items (v1.2)` (`item id`,`a,b`) VALUES (7,1);\n'
  expect(await rowsOf(mysql)).toMatchObject([
    { table: 'order items (v1.2)', columns: ['item id', 'a,b'], cells: ['7', '1'] },
  ])
  expect(await rowsOf('INSERT INTO "a ""b""" VALUES (1);\n')).toMatchObject([{ table: 'a "b"' }])
})

test('rows of pg_dump --inserts with identity columns and --on-conflict-do-nothing are read', async () => {
  const text =
    "INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES (1, 'a');\n" +
    "INSERT INTO public.users (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'b') ON CONFLICT DO NOTHING;\n"
  expect((await rowsOf(text)).map(({ table, cells }) => [table, ...cells])).toEqual([
    ['users', '1', 'a'],
    ['users', '2', 'b'],
  ])
})

test('a statement that writes rows and is not understood is refused, never skipped', async () => {
  await expect(rowsOf('INSERT INTO users SELECT * FROM old;\n')).rejects.toMatchObject({
    where: 'dump.sql:1',
  })
  await expect(rowsOf("COPY users FROM '/tmp/users.csv';\n")).rejects.toThrow("can't be read")
})

test('rows of one statement have names of their own', async () => {
  const rows = await rowsOf('INSERT INTO users VALUES\n(1),\n(2);\nINSERT INTO users VALUES (3);\n')
  expect(rows.map(({ where }) => where)).toEqual([
    'dump.sql:3, row 1',
    'dump.sql:3, row 2',
    'dump.sql:4',
  ])
})

test('only PostgreSQL has escapes with numbers', async () => {
  const text = "VALUES ('a\\012b','\\x41','C:\\\\x41','100\\%')"
  expect(await rowsOf(`-- MySQL dump 10.13\nINSERT INTO \`t\` ${text};\n`)).toMatchObject([
    { cells: ['a\u000012b', 'x41', 'C:\\x41', '100\\%'] },
  ])
  expect(await rowsOf("INSERT INTO t VALUES (E'a\\012b', E'\\x41');\n")).toMatchObject([
    { cells: ['a\nb', 'A'] },
  ])
})
