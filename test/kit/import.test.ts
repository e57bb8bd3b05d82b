import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createEngine, type Engine } from 'singletable/engine'
import { type Item, ServiceError } from 'singletable/tools'
import { afterEach, expect, test } from 'vitest'
import { makeProjectFolder } from './project-folder.ts'
import { type CliOptions, type CliRun, runCli } from './run-cli.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder with sources, a schema and a mapping, and an engine with the table. */
class Project {
  // Inside the repository, so that the mapping finds the packages.
  readonly directory = makeProjectFolder()
  readonly engine: Engine = createEngine()

  constructor() {
    folders.push(this.directory)
  }

  write(file: string, text: string | Buffer): void {
    mkdirSync(path.dirname(path.join(this.directory, file)), { recursive: true })
    writeFileSync(path.join(this.directory, file), text)
  }

  read(file: string): string {
    return readFileSync(path.join(this.directory, file), 'utf8')
  }

  /** A mapping with one model User, whose attributes are given as code. */
  map(
    mapping: string,
    attributes = 'id: { type: String, required: true }, name: { type: String }',
  ) {
    this.write(
      'import.map.ts',
      `import { columns, csv, defineImport, dynamodbTable, exportFolder, jsonLines, sqlTable } from '@singletable/kit/import'
       import { defineSchema } from 'singletable'
       void [columns, csv, dynamodbTable, exportFolder, jsonLines, sqlTable]
       export const schema = defineSchema({
         indexes: { primary: { hash: 'pk', sort: 'sk' } },
         models: { User: { key: { pk: 'USER#\${id}', sk: 'USER' }, attributes: { ${attributes} } } },
       })
       export default defineImport(schema, ${mapping} as never)`,
    )
  }

  run(words: string, options: CliOptions = {}): Promise<CliRun> {
    return runCli(words.split(' '), {
      transport: this.engine,
      directory: this.directory,
      ...options,
    })
  }

  async createTable(name = 'Shop'): Promise<void> {
    await this.engine.send('CreateTable', {
      TableName: name,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  }

  async items(): Promise<readonly Item[]> {
    const { Items = [] } = await this.engine.send('Scan', { TableName: 'Shop' })
    return Items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
}

const PG_DUMP = `--
-- PostgreSQL database dump
--
SET statement_timeout = 0;
CREATE TYPE public.status AS ENUM ('pending', 'shipped');
CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $$ SELECT 'a;b'; $$;
CREATE TABLE public.users (
    id integer NOT NULL,
    email character varying(255) NOT NULL,
    name text,
    credit numeric(30,10) DEFAULT 0 NOT NULL,
    created_at timestamp with time zone
);
CREATE TABLE public.orders (
    id integer NOT NULL,
    user_id integer NOT NULL,
    status public.status DEFAULT 'pending'::public.status NOT NULL,
    total numeric(12,2) NOT NULL
);
CREATE TABLE public.tags (id integer NOT NULL, label text NOT NULL);
CREATE TABLE public.order_tags (order_id integer NOT NULL, tag_id integer NOT NULL);
COPY public.users (id, email, name, credit, created_at) FROM stdin;
1\talice@example.com\tAlice\\tin\\nlines\t12345678901234567890.0123456789\t2024-01-15 10:00:00+00
2\tbob@example.com\t\\N\t0.1000000000\t\\N
\\.
INSERT INTO public.orders (id, user_id, status, total) VALUES (10, 1, 'pending', 19.90), (11, 1, 'shipped', -5);
INSERT INTO public.orders VALUES (12, 2, 'pending', 0.10);
INSERT INTO public.tags VALUES (7, 'it''s; new');
COPY public.order_tags (order_id, tag_id) FROM stdin;
10\t7
12\t7
\\.
ALTER TABLE ONLY public.users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users ADD CONSTRAINT users_email UNIQUE (email);
ALTER TABLE ONLY public.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tags ADD CONSTRAINT tags_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.order_tags ADD CONSTRAINT order_tags_pkey PRIMARY KEY (order_id, tag_id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_tags ADD CONSTRAINT a FOREIGN KEY (order_id) REFERENCES public.orders(id);
ALTER TABLE ONLY public.order_tags ADD CONSTRAINT b FOREIGN KEY (tag_id) REFERENCES public.tags(id);
`

test('a dump of PostgreSQL is analyzed, mapped, imported and verified', async () => {
  const project = new Project()
  project.write('dump.sql', PG_DUMP)
  project.write(
    'questions.sql',
    `-- getUser, 20 a second
SELECT * FROM users WHERE id = $1;
-- ordersOfUser, 10 a second
SELECT * FROM orders WHERE user_id = $1 ORDER BY id DESC;
-- getOrder, 5 a second
SELECT * FROM orders WHERE id = $1;
-- ordersWithTag
SELECT * FROM order_tags WHERE tag_id = $1;
-- ordersByStatus
SELECT o.* FROM orders o WHERE o.status = $1;
`,
  )
  const analyzed = await project.run('import analyze --from dump.sql --questions questions.sql')
  expect(analyzed.complaints).toBe('')
  expect(analyzed.printed).toContain('orders: 3 rows')
  expect(analyzed.printed).toContain('user_id → users: 1.5 rows each, at most 2')
  expect(analyzed.printed).toContain(
    'order_tags: 2 rows, 6 bytes, 2 columns, key order_id, tag_id, joins two tables',
  )
  expect(analyzed.printed).toMatch(/collections +\d+ +\d+\.\d\d/)

  const mapped = await project.run(
    'import map --from dump.sql --questions questions.sql --design collections',
  )
  expect(mapped.complaints).toBe('')
  expect(project.read('schema.ts')).toContain(
    "key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' }",
  )
  expect(project.read('schema.ts')).toContain("inverted: { hash: 'sk', sort: 'pk' }")
  expect(project.read('schema.ts')).toContain("enum: ['pending', 'shipped']")

  expect((await project.run('table create --table Shop')).complaints).toBe('')
  const plan = await project.run('import plan')
  expect(plan.printed).toContain('8 rows become about 8 items')
  const run = await project.run('import run --table Shop --json')
  expect(run.complaints).toBe('')
  expect(JSON.parse(run.printed)).toMatchObject({ isDone: true, rows: { users: 2, orders: 3 } })
  const verified = await project.run('import verify --table Shop')
  expect(verified.printed).toContain('source and table agree')
  expect(verified.code).toBe(0)

  const items = await project.items()
  const alice = items.find(({ email }) => email?.S === 'alice@example.com')
  expect(alice).toMatchObject({
    pk: { S: 'USER#1' },
    sk: { S: 'USER' },
    // All digits of the source.
    credit: { N: '12345678901234567890.0123456789' },
    name: { S: 'Alice\tin\nlines' },
  })
  expect(
    items.find(({ email, pk }) => email?.S === 'bob@example.com' && pk?.S === 'USER#2'),
  ).not.toHaveProperty('name')
  expect(items.find(({ label }) => label)).toMatchObject({ label: { S: "it's; new" } })
  const asked = await project.run('query ordersOfUser userId=1 --table Shop --json')
  expect(asked.printed).toContain('"orderId":"11"')
  const tagged = await project.run('query ordersWithTag tagId=7 --table Shop --json')
  expect(tagged.printed).toContain('"orderId":"10"')
  expect(tagged.printed).toContain('"orderId":"12"')

  // A second run finds everything in place.
  const again = await project.run('import run --table Shop')
  expect(again.printed).toContain('items were in the table already')
  await project.engine.send('UpdateItem', {
    TableName: 'Shop',
    Key: { pk: { S: 'USER#1' }, sk: { S: 'ORDER#10' } },
    UpdateExpression: 'SET #total = :new',
    ExpressionAttributeNames: { '#total': 'total' },
    ExpressionAttributeValues: { ':new': { N: '20' } },
  })
  const differs = await project.run('import verify --table Shop')
  expect(differs.printed).toContain('sum of Order.total: 15 in the source, 15.1 in the table')
  expect(differs.printed).toContain('dump.sql:26, row 1 (Order) differs in total')
  expect(differs.code).toBe(1)
  // What the application wrote stays.
  const kept = await project.run('import run --table Shop')
  expect(kept.printed).toContain('1 items are in the table with other values, which stay:')
})

test('a dump of MySQL is read with its quotes, bytes and booleans', async () => {
  const project = new Project()
  project.write(
    'dump.sql',
    '-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS `users`;\n' +
      'CREATE TABLE `users` (\n  `id` int unsigned NOT NULL AUTO_INCREMENT,\n' +
      "  `name` varchar(255) CHARACTER SET utf8mb4 NOT NULL COMMENT 'the ''name''',\n" +
      "  `active` tinyint(1) NOT NULL DEFAULT '1',\n  `photo` blob,\n  PRIMARY KEY (`id`)\n" +
      ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n' +
      "INSERT INTO `users` VALUES (1,'O\\'Hara; \\\"x\\\"\\n',1,0xFF00),(2,'b--c /* d */',0,NULL);\n",
  )
  expect((await project.run('import map --from dump.sql')).complaints).toBe('')
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toBe('')
  expect(await project.items()).toMatchObject([
    { name: { S: 'O\'Hara; "x"\n' }, active: { BOOL: true }, photo: { B: '/wA=' } },
    { name: { S: 'b--c /* d */' }, active: { BOOL: false } },
  ])
})

test('a file is keyed by id or by the id of its name, and without either it is refused', async () => {
  const project = new Project()
  project.write('notes.csv', 'username,noteId,text\nada,1,hello\n')
  const { code, complaints } = await project.run('import map --from notes.csv')
  expect(complaints).toBe('')
  expect(code).toBe(0)
  expect(project.read('schema.ts')).toContain('NOTE#${noteId}')
  project.write('logs.csv', 'at,line\n1,hello\n')
  const refused = await project.run('import analyze --from logs.csv')
  expect(refused.complaints).toContain(
    'The key of "logs" is unknown: no column is called id or log_id.',
  )
  expect(refused.code).toBe(1)
})

test('every column is mapped or dropped with a reason', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name,legacy\n1,Alice,x\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  const refused = await project.run('import run --table Shop')
  expect(refused.complaints).toContain('The column "users.legacy" is not mapped.')
  expect(refused.complaints).toContain('users.csv:2')
  expect(refused.code).toBe(1)
  expect(await project.items()).toEqual([])
  project.map(`{ sources: { users: csv('users.csv') }, drop: { 'users.legacy': 'not used' },
    emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`)
  expect((await project.run('import run --table Shop --restart')).code).toBe(0)
  expect(await project.items()).toHaveLength(1)
})

test('a row without its key names the row, and says that the row is to be corrected', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n,Alice\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  const { complaints } = await project.run('import run --table Shop')
  expect(complaints).toContain('"id" is missing.')
  expect(complaints).toContain('users.csv:2 (User)')
  expect(complaints).toContain('correct the row, or the mapping')
})

test('two rows with one key are an error that names both', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n1,Alice\n2,Bob\n1,Alicia\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toContain('Two rows give the same key: ["USER#1","USER"].')
  expect(run.complaints).toContain('users.csv:2 (User) and users.csv:4 (User)')
})

test('two rows of one INSERT with one key are an error that names both', async () => {
  const project = new Project()
  project.write(
    'dump.sql',
    '-- MySQL dump 10.13\nCREATE TABLE `users` (\n  `id` int,\n  `name` text\n);\n' +
      "INSERT INTO `users` VALUES (1,'Alice'),(2,'Bob'),(1,'Alicia');\n",
  )
  project.map(
    `{ sources: { users: sqlTable('dump.sql', 'users') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toContain('Two rows give the same key: ["USER#1","USER"].')
  expect(run.complaints).toContain('dump.sql:6, row 1 (User) and dump.sql:6, row 3 (User)')
})

test('two tables of one name in a dump are an error, not one table', async () => {
  const project = new Project()
  project.write(
    'dump.sql',
    'CREATE TABLE auth.users (id integer PRIMARY KEY);\nCREATE TABLE public.users (id integer PRIMARY KEY);\n',
  )
  const { complaints } = await project.run('import analyze --from dump.sql')
  expect(complaints).toContain('The dump has two tables called "users".')
  expect(complaints).toContain('dump.sql:2')
})

test('two rows with one unique value are an error that names both', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n1,Alice\n2,Alice\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
    'id: { type: String, required: true }, name: { type: String, unique: true }',
  )
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toContain('Two rows give the same unique value')
  expect(run.complaints).toContain('users.csv:2 (User) and users.csv:3 (User)')
})

test('a number with more digits than JavaScript has is never rounded', async () => {
  const project = new Project()
  project.write('users.jsonl', '{"id":"1","name":"a","n":0.1234567890123456789}\n')
  const mapping = `{ sources: { users: jsonLines('users.jsonl') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name', n: 'n' } } } }`
  project.map(
    mapping,
    'id: { type: String, required: true }, name: { type: String }, n: { type: Number }',
  )
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toContain(
    "0.1234567890123456789 has more digits than a Number holds: declare the attribute as 'decimal' or BigInt",
  )
  expect(run.complaints).toContain('users.jsonl:1 (User), column "n"')
  project.map(
    mapping,
    "id: { type: String, required: true }, name: { type: String }, n: { type: 'decimal' }",
  )
  expect((await project.run('import run --table Shop --restart')).code).toBe(0)
  expect(await project.items()).toMatchObject([{ n: { N: '0.1234567890123456789' } }])
})

test('rows join rows of other sources, in whatever order they come', async () => {
  const project = new Project()
  project.write('orders.csv', 'id,user_id\n10,1\n')
  project.write('users.csv', 'key,name\n1,Alice\n')
  project.map(`{ sources: { orders: csv('orders.csv'), users: csv('users.csv') }, drop: { 'users.key': 'only for the join' },
    emit: { User: { from: 'orders', join: { users: { on: 'user_id', key: 'key' } },
      set: { id: 'id', name: columns(['users.name', 'user_id'], (name, id) => name + '/' + id) } } } }`)
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toBe('')
  expect(await project.items()).toMatchObject([{ pk: { S: 'USER#10' }, name: { S: 'Alice/1' } }])
  expect((await project.run('import verify --table Shop')).code).toBe(0)
})

test('an interrupted run continues where it ended, and a changed mapping is refused', async () => {
  const project = new Project()
  const rows = Array.from({ length: 1_200 }, (_, id) => `${id},n${id}\n`)
  project.write('users.csv', `id,name\n${rows.join('')}`)
  const mapping = `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`
  project.map(mapping)
  await project.createTable()
  let stop = (): void => {}
  let puts = 0
  const transport = {
    send: (operation: string, request: never) => {
      if (operation === 'PutItem' && ++puts === 300) stop()
      return project.engine.send(operation as 'PutItem', request)
    },
  } as never
  const stops = {
    onSignal: (listener: (signal: 'SIGINT') => void) => {
      stop = () => listener('SIGINT')
      return () => {}
    },
    exit: () => {},
  } as never
  const stopped = await project.run('import run --table Shop', { transport, stops })
  // On a slow machine the rows under way are given up, and written by the next run.
  expect(stopped.printed).toMatch(/stopped after (0|500|1.?000) items; continue with --resume/)
  expect((await project.run('import run --table Shop')).complaints).toContain(
    'An earlier run was interrupted',
  )
  const resumed = await project.run('import run --table Shop --resume --json')
  expect(JSON.parse(resumed.printed)).toMatchObject({ isDone: true, items: 1_200 })
  const { Count } = await project.engine.send('Scan', { TableName: 'Shop', Select: 'COUNT' })
  expect(Count).toBe(1_200)
  expect(readdirSync(project.directory).filter((name) => name.endsWith('.progress'))).toEqual([])
})

test('a broken row is named, rows before it are kept, and a corrected file is resumed', async () => {
  const project = new Project()
  const rows = Array.from({ length: 2_100 }, (_, id) => `${id},${id}\n`)
  project.write('users.csv', `id,score\n${rows.join('').replace('2050,2050', '2050,many')}`)
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', score: 'score' } } } }`,
    'id: { type: String, required: true }, score: { type: Number }',
  )
  await project.createTable()
  const failed = await project.run('import run --table Shop')
  expect(failed.complaints).toContain('"many" is not a number.')
  expect(failed.complaints).toContain('users.csv:2052 (User), column "score"')
  expect(await project.items()).toHaveLength(2_000)
  project.write('users.csv', `id,score\n${rows.join('')}`)
  let puts = 0
  const transport = {
    send: (operation: string, request: never) => {
      if (operation === 'PutItem') puts++
      return project.engine.send(operation as 'PutItem', request)
    },
  } as never
  const resumed = await project.run('import run --table Shop --resume', { transport })
  expect(resumed.complaints).toBe('')
  expect(puts).toBe(100)
  expect(await project.items()).toHaveLength(2_100)
})

test('an item that DynamoDB would refuse is an error that names its row', async () => {
  const project = new Project()
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  project.write('users.csv', `id,name\n1,a\n2,${'x'.repeat(410_000)}\n`)
  for (const target of ['', ' --files out --bucket moves']) {
    const { complaints } = await project.run(`import run --table Shop --restart${target}`)
    expect(complaints).toMatch(/The item has 4100\d\d bytes; DynamoDB takes 409600\./)
    expect(complaints).toContain('users.csv:3 (User)')
  }
  await project.engine.send('CreateTable', {
    TableName: 'Numbers',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  project.write('users.csv', 'id,name\n1,a\n')
  const { complaints } = await project.run('import run --table Numbers --restart')
  expect(complaints).toContain('Type mismatch for key pk expected: N actual: S')
  expect(complaints).toContain('users.csv:2 (User)')
})

test('a chunk whose writes fail is not taken for written when the next one succeeds', async () => {
  const project = new Project()
  const rows = Array.from({ length: 3_000 }, (_, id) => `${id},n${id}\n`)
  project.write('users.csv', `id,name\n${rows.join('')}`)
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  let later = 0
  const transport = {
    async send(operation: string, request: { readonly Item?: Item }) {
      const id = Number(request.Item?.id?.S)
      if (id >= 1_000) later++
      if (id === 700) {
        while (later < 500) await new Promise((resolve) => setTimeout(resolve, 1))
        throw new ServiceError('AccessDeniedException', 'may not write')
      }
      return project.engine.send(operation as 'PutItem', request as never)
    },
  } as never
  const failed = await project.run('import run --table Shop', { transport })
  expect(failed.complaints).toContain('may not write')
  const resumed = await project.run('import run --table Shop --resume')
  expect(resumed.complaints).toBe('')
  expect(await project.items()).toHaveLength(3_000)
})

test('files for an import from S3 have all items, and the request makes the table', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n1,Alice\n2,Bob\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  const run = await project.run('import run --table Shop --files out --bucket moves --prefix shop/')
  expect(run.complaints).toBe('')
  const lines = gunzipSync(
    readFileSync(path.join(project.directory, 'out/data/part-00001.json.gz')),
  )
  expect(lines.toString().trim().split('\n')).toHaveLength(2)
  expect(JSON.parse(lines.toString().split('\n')[0] ?? '')).toMatchObject({
    Item: { pk: { S: 'USER#1' } },
  })
  expect(JSON.parse(project.read('out/import-table.json'))).toMatchObject({
    S3BucketSource: { S3Bucket: 'moves', S3KeyPrefix: 'shop/data/' },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: { TableName: 'Shop', BillingMode: 'PAY_PER_REQUEST' },
  })
})

test('exports of DynamoDB and other tables are sources', async () => {
  const project = new Project()
  project.write('export/manifest-files.json', '{"dataFileS3Key":"AWSDynamoDB/01/data/a.json.gz"}\n')
  project.write(
    'export/data/a.json.gz',
    gzipSync('{"Item":{"userId":{"S":"1"},"score":{"N":"12345678901234567890123"}}}\n'),
  )
  await project.createTable('Old')
  await project.engine.send('PutItem', {
    TableName: 'Old',
    Item: { pk: { S: '2' }, sk: { S: 'x' }, score: { N: '2' } },
  })
  await project.createTable()
  project.map(
    `{ sources: { a: exportFolder('export'), b: dynamodbTable('Old') }, drop: { 'b.sk': 'always x' },
      emit: { User: [
        { from: 'a', set: { id: 'userId', score: 'score' } },
        { from: 'b', set: { id: 'pk', score: 'score' } },
      ] } }`,
    "id: { type: String, required: true }, score: { type: 'decimal' }",
  )
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toBe('')
  expect(await project.items()).toMatchObject([
    { pk: { S: 'USER#1' }, score: { N: '12345678901234567890123' } },
    { pk: { S: 'USER#2' }, score: { N: '2' } },
  ])
})

test('counters of parents are counted with the rows', async () => {
  const project = new Project()
  project.write('users.csv', 'id\n1\n2\n')
  project.write('orders.csv', 'id,user_id\n10,1\n11,1\n12,2\n')
  project.write(
    'import.map.ts',
    `import { csv, defineImport } from '@singletable/kit/import'
     import { defineSchema } from 'singletable'
     export const schema = defineSchema({
       indexes: { primary: { hash: 'pk', sort: 'sk' } },
       models: {
         User: { key: { pk: 'USER#\${id}', sk: 'USER' }, attributes: {
           id: { type: String, required: true }, orders: { type: Number, counts: 'Order' } } },
         Order: { key: { pk: 'USER#\${id}', sk: 'ORDER#\${orderId}' }, attributes: {
           id: { type: String, required: true }, orderId: { type: String, required: true } } },
       },
     })
     export default defineImport(schema, {
       sources: { orders: csv('orders.csv'), users: csv('users.csv') },
       emit: { Order: { from: 'orders', set: { id: 'user_id', orderId: 'id' } }, User: { from: 'users', set: { id: 'id' } } },
     })`,
  )
  await project.createTable()
  const run = await project.run('import run --table Shop')
  expect(run.complaints).toBe('')
  const users = (await project.items()).filter(({ sk }) => sk?.S === 'USER')
  expect(users).toMatchObject([{ orders: { N: '2' } }, { orders: { N: '1' } }])
})

test('a plan finds what is wrong in rows that join others', async () => {
  const project = new Project()
  project.write('orders.csv', 'id,user_id\n10,1\n11,7\n')
  project.write('users.csv', 'id,name\n1,Alice\n')
  const mapping = `{ sources: { orders: csv('orders.csv'), users: csv('users.csv') },
    emit: { User: { from: 'orders', join: { users: 'user_id' }, set: { id: 'id', name: 'users.name' } } } }`
  project.map(mapping)
  const plan = await project.run('import plan')
  expect(plan.complaints).toContain('"users" has no row "7".')
  expect(plan.complaints).toContain('orders.csv:3')
  project.write('orders.csv', 'id,user_id\n10,1\n')
  expect((await project.run('import plan')).printed).toContain('2 rows become about 1 item')
})

test('a source that does not exist is an error, with the one that was meant', async () => {
  const project = new Project()
  project.write('users.csv', 'id\n1\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'user' as 'users', set: { id: 'id' } } } }`,
  )
  const plan = await project.run('import plan')
  expect(plan.complaints).toContain('There is no source "user" (did you mean "users"?).')
})

test('verify lists items of the table that no row gives', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n1,Alice\n2,Bob\n')
  project.map(
    `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`,
  )
  await project.createTable()
  await project.run('import run --table Shop')
  project.write('users.csv', 'id,name\n1,Alice\n3,Carol\n')
  const verified = await project.run('import verify --table Shop')
  expect(verified.printed).toMatch(/User +2 +2 +1 +0 +1/)
  expect(verified.printed).toContain('users.csv:3 (User) is not in the table')
  expect(verified.printed).toContain('(User) is in the table, and no row gives it')
  expect(verified.code).toBe(1)
})

/** A signal at the first request of a kind, which is never answered. */
function interruptedAt(engine: Engine, operation: string) {
  let stop = (): void => {}
  const transport = {
    send: (each: string, request: never) => {
      if (each !== operation) return engine.send(each as 'PutItem', request)
      setImmediate(() => stop())
      return new Promise(() => {})
    },
  } as never
  const stops = {
    onSignal: (listener: (signal: 'SIGTERM') => void) => {
      stop = () => listener('SIGTERM')
      return () => {}
    },
    exit: () => {},
  } as never
  return { transport, stops }
}

test('a signal is answered at once, also while a request is not', async () => {
  const project = new Project()
  project.write('users.csv', 'id,name\n1,Alice\n2,Bob\n')
  const mapping = `{ sources: { users: csv('users.csv') }, emit: { User: { from: 'users', set: { id: 'id', name: 'name' } } } }`
  project.map(mapping)
  await project.createTable()
  const run = await project.run('import run --table Shop', interruptedAt(project.engine, 'PutItem'))
  expect(run.printed).toContain('stopped after 0 items; continue with --resume')
  expect(run.code).toBe(143)
  expect((await project.run('import run --table Shop --resume')).code).toBe(0)
  const verified = await project.run(
    'import verify --table Shop',
    interruptedAt(project.engine, 'BatchGetItem'),
  )
  expect(verified).toMatchObject({ code: 143, printed: '' })
})

test('an interrupted analysis proposes nothing and writes nothing', async () => {
  const project = new Project()
  await project.createTable('Old')
  for (const pk of ['1', '2']) {
    await project.engine.send('PutItem', {
      TableName: 'Old',
      Item: { pk: { S: pk }, sk: { S: 'x' } },
    })
  }
  let stop = (): void => {}
  const options = {
    transport: {
      send: (operation: string, request: never) => {
        if (operation === 'Scan') stop()
        return project.engine.send(operation as 'Scan', request)
      },
    } as never,
    stops: {
      onSignal: (listener: (signal: 'SIGINT') => void) => {
        stop = () => listener('SIGINT')
        return () => {}
      },
      exit: () => {},
    } as never,
  }
  for (const word of ['analyze', 'map']) {
    const outcome = await project.run(`import ${word} --from dynamodb:Old`, options)
    expect(outcome).toMatchObject({ code: 130, printed: '' })
  }
  expect(readdirSync(project.directory).filter((name) => name.endsWith('.ts'))).toEqual([])
})
