/** One request of an operation. */
export interface Request {
  readonly operation: string
  readonly request: object
}

/** A request that takes long, after others that it needs. */
export interface Case {
  readonly name: string
  /** Makes the items that the request meets; sent once. */
  readonly before?: () => readonly Request[]
  /** The request itself, sent several times; `round` is never the same. */
  readonly large: (round: number, ask: Ask) => Request | Promise<Request>
  /** What the answer is expected to be; 200 unless said otherwise, and 0 for any. */
  readonly status?: number
  /** Accepts a compressed answer. */
  readonly accepts?: string
  /** The work continues after the answer; it is watched for this long. */
  readonly waitMs?: number
}

/** Sends what a request needs to know first. */
// biome-ignore lint/suspicious/noExplicitAny: the answers of several operations.
export type Ask = (operation: string, request: object) => Promise<any>

const ITEM_ELEMENTS = 90_000

function each<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}

const numbers = { L: each(ITEM_ELEMENTS, () => ({ N: '1' })) }
const halfNumbers = { L: numbers.L.slice(0, ITEM_ELEMENTS / 2) }
const decimals = { L: each(24_000, (n) => ({ N: `${n}.123456789012345678901` })) }
const maps = { L: each(24_000, (n) => ({ M: { a: { N: String(n % 10) }, b: { S: 'b' } } })) }
const names = { M: Object.fromEntries(each(40_000, (n) => [`n${n}`, { N: '1' }])) }
const stringSet = { SS: each(60_000, (n) => `s${n}`) }
const numberSet = { NS: each(100_000, (n) => String(n)) }
const wide = { S: 'ü€😀'.repeat(44_000) }
const bytes = { B: Buffer.alloc(400_000, 7).toString('base64') }
const text = { S: 'a'.repeat(400_000) }

/** 32 levels deep, and wide at the end. */
const deep = each(29, () => 0).reduce<object>((inner) => ({ L: [inner] }), {
  L: numbers.L.slice(0, 80_000),
})

const VALUES = { numbers, decimals, maps, names, stringSet, numberSet, wide, bytes, text }
export const TABLES: readonly string[] = ['plain', 'indexed', 'included', 'local', 'small', 'heavy']

const key = (name: string) => ({ pk: { S: name } })
const put = (table: string, name: string, a: object, more = {}): Request => ({
  operation: 'PutItem',
  request: { TableName: table, Item: { ...key(name), a, ...more } },
})

/**
 * Tables: nothing special; 20 indexes of everything, and a stream; 20 indexes that include the
 * large attribute; a local index and item collections; many small items; and many large ones.
 */
export function createTable(name: string): Request {
  if (name === 'local') return LOCAL_TABLE
  const isPlain = name !== 'indexed' && name !== 'included'
  const indexes = each(isPlain ? 0 : 20, (n) => `gsi${n}`)
  return {
    operation: 'CreateTable',
    request: {
      TableName: name,
      AttributeDefinitions: ['pk', ...indexes].map((attribute) => ({
        AttributeName: attribute,
        AttributeType: 'S',
      })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      ...(indexes.length === 0
        ? {}
        : {
            GlobalSecondaryIndexes: indexes.map((index) => ({
              IndexName: index,
              KeySchema: [{ AttributeName: index, KeyType: 'HASH' }],
              Projection:
                name === 'indexed'
                  ? { ProjectionType: 'ALL' }
                  : { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a'] },
            })),
          }),
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: isPlain
        ? { StreamEnabled: false }
        : { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    },
  }
}

const LOCAL_TABLE: Request = {
  operation: 'CreateTable',
  request: {
    TableName: 'local',
    AttributeDefinitions: ['pk', 'sk', 'lk'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'byLk',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'lk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  },
}

/** Items of some bytes each, in batches. */
function smallItems(table: string, count: number, more: (n: number) => object): Request[] {
  return each(Math.ceil(count / 25), (batch) => ({
    operation: 'BatchWriteItem',
    request: {
      RequestItems: {
        [table]: each(25, (n) => ({
          PutRequest: { Item: { ...key(`small ${batch * 25 + n}`), ...more(batch * 25 + n) } },
        })),
      },
    },
  }))
}

/** Keys of the 20 indexes; another `n` moves the item in all of them. */
const indexKeys = (n: number) =>
  Object.fromEntries(each(20, (index) => [`gsi${index}`, { S: `${n}` }]))

const update = (
  table: string,
  name: string,
  UpdateExpression: string,
  more: object = {},
): Request => ({
  operation: 'UpdateItem',
  request: { TableName: table, Key: key(name), UpdateExpression, ...more },
})

/** The first one is made, and the next one deleted. */
const newIndex = (table: string, round: number): Request => ({
  operation: 'UpdateTable',
  request: {
    TableName: table,
    AttributeDefinitions: ['pk', 'b'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexUpdates: [
      round % 2 === 0
        ? {
            Create: {
              IndexName: 'byB',
              KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          }
        : { Delete: { IndexName: 'byB' } },
    ],
  },
})

const transactionPuts = (table: string, round: number, a: object, more = {}) => ({
  operation: 'TransactWriteItems',
  request: {
    ClientRequestToken: `token ${table} ${round}`,
    TransactItems: each(10, (n) => ({
      Put: { TableName: table, Item: { ...key(`transaction ${n}`), a, ...more } },
    })),
  },
})

export const CASES: readonly Case[] = [
  {
    name: 'a body of 16 MB that is not a request',
    large: () => ({ operation: 'PutItem', request: { x: 'ü'.repeat(8_000_000) } }),
    status: 400,
  },
  {
    name: 'read with 1,200,000 attributes',
    large: () => ({
      operation: 'GetItem',
      request: {
        TableName: 'plain',
        Key: key('x'),
        AttributesToGet: each(1_200_000, (n) => `a${n}`),
      },
    }),
    status: 400,
  },
  {
    name: 'scan with 350,000 legacy conditions',
    large: () => ({
      operation: 'Scan',
      request: {
        TableName: 'plain',
        ScanFilter: Object.fromEntries(
          each(350_000, (n) => [`a${n}`, { ComparisonOperator: 'NULL' }]),
        ),
      },
    }),
    status: 400,
  },
  {
    name: 'update with 150,000 values',
    large: () =>
      update('plain', 'x', 'SET a = :v1', {
        ExpressionAttributeValues: Object.fromEntries(each(150_000, (n) => [`:v${n}`, { N: '1' }])),
      }),
    status: 400,
  },
  {
    name: 'update with 10,000 values',
    large: () =>
      update('plain', 'x', 'SET a = :v1', {
        ExpressionAttributeValues: Object.fromEntries(
          each(10_000, (n) => [`:v${n}`, { S: 'v'.repeat(150) }]),
        ),
      }),
    status: 400,
  },
  {
    name: 'update with 150,000 names',
    large: () =>
      update('plain', 'x', 'SET #n1 = :v', {
        ExpressionAttributeNames: Object.fromEntries(each(150_000, (n) => [`#n${n}`, 'a'])),
      }),
    status: 400,
  },
  {
    name: 'put of 150,000 attributes',
    large: () => ({
      operation: 'PutItem',
      request: {
        TableName: 'plain',
        Item: Object.fromEntries(each(150_000, (n) => [`attribute${n}`, { S: '' }])),
      },
    }),
    status: 400,
  },
  ...Object.entries(VALUES).flatMap(([kind, value]): Case[] => [
    { name: `put of 400 KB: ${kind}`, large: () => put('plain', kind, value) },
    {
      name: `SET of a number next to 400 KB: ${kind}`,
      before: () => [put('plain', kind, value)],
      large: (round) =>
        update('plain', kind, 'SET n = :n', {
          ExpressionAttributeValues: { ':n': { N: String(round) } },
        }),
    },
    {
      name: `SET next to 400 KB with ALL_NEW: ${kind}`,
      before: () => [put('plain', kind, value)],
      large: (round) =>
        update('plain', kind, 'SET n = :n', {
          ExpressionAttributeValues: { ':n': { N: String(round) } },
          ReturnValues: 'ALL_NEW',
        }),
    },
    {
      name: `get of 400 KB: ${kind}`,
      before: () => [put('plain', kind, value)],
      large: () => ({ operation: 'GetItem', request: { TableName: 'plain', Key: key(kind) } }),
    },
    {
      name: `get of a part of 400 KB: ${kind}`,
      before: () => [put('plain', kind, value)],
      large: () => ({
        operation: 'GetItem',
        request: { TableName: 'plain', Key: key(kind), ProjectionExpression: 'a' },
      }),
    },
  ]),
  {
    name: 'list_append to half of 400 KB',
    before: () => [put('plain', 'append', halfNumbers)],
    large: () =>
      update('plain', 'append', 'SET b = list_append(a, :more)', {
        ExpressionAttributeValues: { ':more': { L: halfNumbers.L.slice(0, 40_000) } },
        ReturnValues: 'UPDATED_NEW',
      }),
  },
  {
    name: '290 REMOVEs in a list of 90,000',
    before: () => [put('plain', 'remove', numbers)],
    large: () =>
      update('plain', 'remove', `REMOVE ${each(290, (n) => `a[${n * 300}]`).join(',')}`, {
        ReturnValues: 'UPDATED_OLD',
      }),
  },
  {
    name: 'ADD of 50,000 to a set of 100,000',
    before: () => [put('plain', 'add', { NS: numberSet.NS.slice(0, 90_000) })],
    large: () =>
      update('plain', 'add', 'ADD a :more', {
        ExpressionAttributeValues: { ':more': { NS: numberSet.NS.slice(50_000) } },
        ReturnValues: 'UPDATED_NEW',
      }),
  },
  {
    name: 'DELETE of 50,000 from a set of 100,000',
    before: () => [put('plain', 'add', numberSet)],
    large: (round) =>
      update('plain', 'add', 'DELETE a :more', {
        ExpressionAttributeValues: { ':more': { NS: numberSet.NS.slice(50_000 + round) } },
        ReturnValues: 'ALL_OLD',
      }),
  },
  {
    name: 'condition of 190 contains in a list',
    before: () => [put('plain', 'contains', numbers)],
    large: () =>
      update('plain', 'contains', 'SET n = :n', {
        ConditionExpression: `NOT (${each(190, (n) => `contains(a, :v${n % 9})`).join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ...Object.fromEntries(each(9, (n) => [`:v${n}`, { N: `2${n}` }])),
        },
      }),
  },
  {
    name: 'condition of 190 contains in a text',
    before: () => [put('plain', 'contains text', text)],
    large: () =>
      update('plain', 'contains text', 'SET n = :n', {
        ConditionExpression: `NOT (${each(190, (n) => `contains(a, :v${n % 9})`).join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ...Object.fromEntries(each(9, (n) => [`:v${n}`, { S: `${'a'.repeat(1000)}b${n}` }])),
        },
      }),
  },
  {
    name: 'condition contains of a long text in a text',
    before: () => [put('plain', 'contains text', text)],
    large: () =>
      update('plain', 'contains text', 'SET n = :n', {
        ConditionExpression: 'NOT contains(a, :v)',
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ':v': { S: `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}` },
        },
      }),
  },
  {
    name: 'condition of 190 contains in bytes',
    before: () => [put('plain', 'contains bytes', bytes)],
    large: () =>
      update('plain', 'contains bytes', 'SET n = :n', {
        ConditionExpression: `NOT (${each(190, (n) => `contains(a, :v${n % 9})`).join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ...Object.fromEntries(
            each(9, (n) => [`:v${n}`, { B: Buffer.alloc(100, n + 20).toString('base64') }]),
          ),
        },
      }),
  },
  {
    name: 'condition with 145 uses of a list',
    before: () => [put('plain', 'contains', numbers)],
    large: () =>
      update('plain', 'contains', 'SET n = :n', {
        ConditionExpression: `NOT (${each(145, () => 'a = :v').join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ':v': { L: [...numbers.L.slice(1), { N: '2' }] },
        },
      }),
  },
  {
    name: 'condition with 145 uses of a map',
    before: () => [put('plain', 'names', names)],
    large: () =>
      update('plain', 'names', 'SET n = :n', {
        ConditionExpression: `NOT (${each(145, () => 'a = :v').join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ':v': { M: { ...names.M, n39999: { N: '2' } } },
        },
      }),
  },
  {
    name: 'condition with 145 uses of a set',
    before: () => [put('plain', 'set', numberSet)],
    large: () =>
      update('plain', 'set', 'SET n = :n', {
        ConditionExpression: `NOT (${each(145, () => 'a = :v').join(' OR ')})`,
        ExpressionAttributeValues: {
          ':n': { N: '1' },
          ':v': { NS: [...numberSet.NS.slice(1), '100000'] },
        },
      }),
  },
  {
    name: 'scan with a filter of 190 contains',
    before: () => each(20, (n) => put('plain', `page ${n}`, { L: numbers.L.slice(0, 10_000) })),
    large: () => ({
      operation: 'Scan',
      request: {
        TableName: 'plain',
        FilterExpression: each(190, (n) => `contains(a, :v${n % 9})`).join(' OR '),
        ExpressionAttributeValues: Object.fromEntries(each(9, (n) => [`:v${n}`, { N: `2${n}` }])),
      },
    }),
  },
  {
    name: 'scan of a page',
    before: () => each(20, (n) => put('plain', `page ${n}`, { L: numbers.L.slice(0, 10_000) })),
    large: () => ({ operation: 'Scan', request: { TableName: 'plain' } }),
  },
  {
    name: 'scan of a page, one attribute',
    before: () => each(20, (n) => put('plain', `page ${n}`, { L: numbers.L.slice(0, 10_000) })),
    large: () => ({
      operation: 'Scan',
      request: { TableName: 'plain', ProjectionExpression: 'a' },
    }),
  },
  {
    name: 'batch of 25 puts, 10 MB',
    large: () => ({
      operation: 'BatchWriteItem',
      request: {
        RequestItems: {
          plain: each(25, (n) => ({
            PutRequest: { Item: { ...key(`batch ${n}`), a: n % 2 === 0 ? halfNumbers : text } },
          })),
        },
      },
    }),
  },
  {
    name: 'batch of 100 gets, 16 MB',
    before: () => each(42, (n) => put('plain', `get ${n}`, text)),
    large: () => ({
      operation: 'BatchGetItem',
      request: {
        RequestItems: { plain: { Keys: each(42, (n) => key(`get ${n}`)) } },
      },
    }),
  },
  {
    name: 'batch of 100 gets, 16 MB, compressed',
    before: () => each(42, (n) => put('plain', `get ${n}`, text)),
    large: () => ({
      operation: 'BatchGetItem',
      request: { RequestItems: { plain: { Keys: each(42, (n) => key(`get ${n}`)) } } },
    }),
    accepts: 'gzip',
  },
  {
    name: 'batch of 100 gets, 16 MB, wide',
    before: () => each(42, (n) => put('plain', `get wide ${n}`, wide)),
    large: () => ({
      operation: 'BatchGetItem',
      request: { RequestItems: { plain: { Keys: each(42, (n) => key(`get wide ${n}`)) } } },
    }),
  },
  {
    name: 'batch of 12 gets of numbers, 5 MB',
    before: () => each(12, (n) => put('plain', `get numbers ${n}`, numbers)),
    large: () => ({
      operation: 'BatchGetItem',
      request: { RequestItems: { plain: { Keys: each(12, (n) => key(`get numbers ${n}`)) } } },
    }),
  },
  {
    name: 'transaction of 10 gets, 4 MB',
    before: () => each(12, (n) => put('plain', `get numbers ${n}`, numbers)),
    large: () => ({
      operation: 'TransactGetItems',
      request: {
        TransactItems: each(10, (n) => ({
          Get: { TableName: 'plain', Key: key(`get numbers ${n}`) },
        })),
      },
    }),
  },
  {
    name: 'transaction of 10 puts of numbers, 4 MB',
    large: (round) => transactionPuts('plain', round, numbers),
  },
  {
    name: 'transaction of 10 puts of strings, 4 MB',
    large: (round) => transactionPuts('plain', round + 1000, text),
  },
  {
    name: 'transaction of 10 updates of items of 400 KB',
    before: () => each(12, (n) => put('plain', `get numbers ${n}`, numbers)),
    large: (round) => ({
      operation: 'TransactWriteItems',
      request: {
        TransactItems: each(10, (n) => ({
          Update: {
            TableName: 'plain',
            Key: key(`get numbers ${n}`),
            UpdateExpression: 'SET n = :n',
            ConditionExpression: 'attribute_exists(a)',
            ExpressionAttributeValues: { ':n': { N: String(round) } },
          },
        })),
      },
    }),
  },
  {
    name: 'transaction of 100 checks of items of 400 KB',
    before: () => each(100, (n) => put('plain', `check ${n}`, numbers)),
    large: () => ({
      operation: 'TransactWriteItems',
      request: {
        TransactItems: each(100, (n) => ({
          ConditionCheck: {
            TableName: 'plain',
            Key: key(`check ${n}`),
            ConditionExpression: 'attribute_exists(a[7])',
          },
        })),
      },
    }),
  },
  {
    name: 'statement INSERT of 400 KB',
    large: (round) => ({
      operation: 'ExecuteStatement',
      request: {
        Statement: `INSERT INTO "plain" VALUE {'pk': 'statement ${round}', 'a': ?}`,
        Parameters: [numbers],
      },
    }),
  },
  {
    name: 'statement UPDATE of 400 KB',
    before: () => [put('plain', 'append', halfNumbers)],
    large: () => ({
      operation: 'ExecuteStatement',
      request: {
        Statement: `UPDATE "plain" SET b = ? WHERE pk = 'append' RETURNING ALL NEW *`,
        Parameters: [halfNumbers],
      },
    }),
  },
  {
    name: 'statement SELECT',
    large: () => ({
      operation: 'ExecuteStatement',
      request: { Statement: `SELECT * FROM "plain"` },
    }),
  },
  {
    name: '290 SETs in a map of 40,000 names',
    before: () => [put('plain', 'sets', names)],
    large: (round) =>
      update('plain', 'sets', `SET ${each(290, (n) => `a.n${n * 100} = :n`).join(',')}`, {
        ExpressionAttributeValues: { ':n': { N: String(round) } },
        ReturnValues: 'UPDATED_NEW',
      }),
  },
  {
    name: '290 SETs of large values',
    before: () => [put('plain', 'copies', { L: numbers.L.slice(0, 250) })],
    large: () =>
      update('plain', 'copies', `SET ${each(290, (n) => `b${n} = a`).join(',')}`, {
        ReturnValues: 'ALL_NEW',
      }),
  },
  { name: 'put of 400 KB: deep', large: () => put('plain', 'deep', deep) },
  {
    name: 'SET inside of 400 KB: deep',
    before: () => [put('plain', 'deep', deep)],
    large: (round) =>
      update('plain', 'deep', `SET a${'[0]'.repeat(29)} = :n`, {
        ExpressionAttributeValues: { ':n': { N: String(round) } },
        ReturnValues: 'ALL_NEW',
      }),
  },
  {
    name: 'put in a local index, with metrics',
    before: () =>
      each(20, (n) =>
        put('local', 'many', { S: 'a'.repeat(190_000) }, { sk: { S: `${n}` }, lk: { S: `${n}` } }),
      ),
    large: (round) => ({
      operation: 'PutItem',
      request: {
        TableName: 'local',
        Item: { ...key('many'), sk: { S: '1' }, lk: { S: `${round}` }, a: halfNumbers },
        ReturnItemCollectionMetrics: 'SIZE',
        ReturnConsumedCapacity: 'INDEXES',
        ReturnValues: 'ALL_OLD',
      },
    }),
  },
  {
    name: 'query of a local index with a filter and a projection',
    large: () => ({
      operation: 'Query',
      request: {
        TableName: 'local',
        IndexName: 'byLk',
        KeyConditionExpression: 'pk = :p',
        FilterExpression: 'contains(a, :v) OR size(a) > :n',
        ProjectionExpression: 'sk, a',
        ExpressionAttributeValues: {
          ':p': { S: 'many' },
          ':v': { S: 'b' },
          ':n': { N: '1' },
        },
      },
    }),
  },
  {
    name: 'scan of 1 MB in small items',
    before: () => smallItems('small', 20_000, (n) => ({ n: { N: `${n}` } })),
    large: () => ({ operation: 'Scan', request: { TableName: 'small' } }),
  },
  {
    name: 'scan of 1 MB in small items, none kept',
    large: () => ({
      operation: 'Scan',
      request: {
        TableName: 'small',
        FilterExpression: each(50, (n) => `n = :v${n}`).join(' OR '),
        ExpressionAttributeValues: Object.fromEntries(each(50, (n) => [`:v${n}`, { N: `-${n}` }])),
      },
    }),
  },
  {
    name: 'scan of 1 MB in small items, counted',
    large: () => ({ operation: 'Scan', request: { TableName: 'small', Select: 'COUNT' } }),
  },
  {
    name: 'statement SELECT of small items with a condition',
    large: () => ({
      operation: 'ExecuteStatement',
      request: { Statement: `SELECT pk FROM "small" WHERE contains(pk, '7') OR n > 5` },
    }),
  },
  {
    name: 'batch of 25 statements INSERT of 400 KB',
    large: (round) => ({
      operation: 'BatchExecuteStatement',
      request: {
        Statements: each(25, (n) => ({
          Statement: `INSERT INTO "plain" VALUE {'pk': 'statements ${round} ${n}', 'a': ?}`,
          Parameters: [n % 2 === 0 ? halfNumbers : text],
        })),
      },
    }),
  },
  {
    name: 'transaction of 10 statements UPDATE of 400 KB',
    before: () => each(10, (n) => put('plain', `get numbers ${n}`, numbers)),
    large: (round) => ({
      operation: 'ExecuteTransaction',
      request: {
        TransactStatements: each(10, (n) => ({
          Statement: `UPDATE "plain" SET n = ${round} WHERE pk = 'get numbers ${n}'`,
        })),
      },
    }),
  },
  {
    name: 'time to live of a table of 20,000 items',
    large: (round) => ({
      operation: 'UpdateTimeToLive',
      request: {
        TableName: 'small',
        TimeToLiveSpecification: { Enabled: round % 2 === 0, AttributeName: 'n' },
      },
    }),
    status: 0,
  },
  {
    name: 'another index of a table of 20,000 items',
    large: (round) => newIndex('small', round),
    status: 0,
    waitMs: 1500,
  },
  {
    name: 'another index of a table of 40 MB',
    before: () =>
      each(100, (n) => put('heavy', `heavy ${n}`, numbers, { n: { N: '1' }, b: { S: 'b' } })),
    large: (round) => newIndex('heavy', round),
    status: 0,
    waitMs: 3000,
  },
  {
    name: 'backup of a table of 40 MB',
    before: () => each(100, (n) => put('heavy', `heavy ${n}`, numbers)),
    large: (round) => ({
      operation: 'CreateBackup',
      request: { TableName: 'heavy', BackupName: `backup-${round}` },
    }),
    status: 0,
    waitMs: 3000,
  },
  {
    name: 'restored backup of 40 MB',
    large: async (round, ask) => {
      const { BackupSummaries } = await ask('ListBackups', { TableName: 'heavy' })
      return {
        operation: 'RestoreTableFromBackup',
        request: {
          TargetTableName: `restored-${round}`,
          BackupArn: BackupSummaries[0].BackupArn,
        },
      }
    },
    waitMs: 3000,
  },
  {
    name: 'records of a stream with items of 400 KB',
    before: () => each(10, (n) => put('indexed', `record ${n}`, numbers)),
    large: async (_round, ask) => {
      const { Streams } = await ask('ListStreams', { TableName: 'indexed' })
      const { StreamArn } = Streams[0]
      const { StreamDescription } = await ask('DescribeStream', { StreamArn })
      const { ShardIterator } = await ask('GetShardIterator', {
        StreamArn,
        ShardId: StreamDescription.Shards.at(-1).ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      })
      return { operation: 'GetRecords', request: { ShardIterator } }
    },
  },
  { name: 'ListTables', large: () => ({ operation: 'ListTables', request: {} }) },
  ...['indexed', 'included'].flatMap((table): Case[] => [
    {
      name: `${table}: put of 400 KB, numbers`,
      large: (round) => put(table, 'numbers', numbers, indexKeys(round)),
    },
    {
      name: `${table}: the same put again`,
      large: () => put(table, 'numbers', numbers, indexKeys(0)),
    },
    {
      name: `${table}: SET next to 400 KB`,
      before: () => [put(table, 'numbers', numbers, indexKeys(0))],
      large: (round) =>
        update(table, 'numbers', 'SET n = :n', {
          ExpressionAttributeValues: { ':n': { N: String(round) } },
        }),
    },
    {
      name: `${table}: SET inside of 400 KB`,
      before: () => [put(table, 'numbers', numbers, indexKeys(0))],
      large: (round) =>
        update(table, 'numbers', 'SET a[5] = :n', {
          ExpressionAttributeValues: { ':n': { N: String(round) } },
        }),
    },
    {
      name: `${table}: put of 400 KB, text`,
      large: (round) => put(table, 'text', text, indexKeys(round)),
    },
    {
      name: `${table}: transaction of 10 puts, 4 MB`,
      large: (round) => transactionPuts(table, round, numbers, indexKeys(round)),
    },
    {
      name: `${table}: batch of 10 puts, 4 MB`,
      large: (round) => ({
        operation: 'BatchWriteItem',
        request: {
          RequestItems: {
            [table]: each(10, (n) => ({
              PutRequest: { Item: { ...key(`batch ${n}`), a: numbers, ...indexKeys(round) } },
            })),
          },
        },
      }),
    },
  ]),
]
