import type { AttributeDefinition, Item } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { type Design, readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { NO_CODE } from '../../../packages/kit/src/check/evidence/code-facts.ts'
import type { Evidence } from '../../../packages/kit/src/check/evidence/evidence.ts'
import { ALL_RULES } from '../../../packages/kit/src/check/rules/all-rules.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { designOf, KEY_FIXTURES, keyed } from './fixtures/key-fixtures.ts'

const text = { type: String, required: true } as const

function findings(code: string, design: Design): readonly Notice[] {
  return [...(ALL_RULES.find((rule) => rule.code === code)?.check(design) ?? [])]
}

function messages(code: string, design: Design): readonly string[] {
  return findings(code, design).map(({ message }) => message)
}

describe.each(KEY_FIXTURES)('$code', ({ code, fires, messages: expected, silent }) => {
  test('reports the fault', () => {
    expect(messages(code, fires())).toEqual(expected)
  })

  test('is silent on the near neighbour', () => {
    expect(messages(code, silent())).toEqual([])
  })
})

function onItems(items: readonly Item[]): Evidence {
  return { sample: { items, itemCount: items.length, takenOn: '2026-11-16' } }
}

describe('K02', () => {
  test('says which keys values that are in them as they are can have in common', () => {
    const raw = { type: String, required: true, encode: 'raw' } as const
    const model = (sk: string) => ({
      key: { pk: 'A', sk },
      attributes: { a: raw, b: raw, c: text },
    })
    expect(messages('K02', designOf({ A: model('${a}#${b}') }))).toEqual([
      'A.sk ("${a}#${b}") has a and b as they are: items whose values contain "#" can have the same key, and the last one written replaces the others.',
    ])
    expect(messages('K02', designOf({ A: model('${a}#${c}') }))).toEqual([
      'A.sk ("${a}#${c}") has a as it is: a query by it also reads items whose a continues with "#", and filters them out.',
    ])
    expect(messages('K02', designOf({ A: model('${c}#${a}') }))).toEqual([])
  })

  test('says which keys end where a value is missing', () => {
    const model = (attribute: AttributeDefinition) => ({
      ...keyed('X#${a}', 'Y'),
      index: { gsi1pk: 'ALL', gsi1sk: 'S#${s}' },
      shortKeys: ['gsi1'],
      attributes: { a: text, s: attribute },
    })
    const reported = (attribute: AttributeDefinition): readonly string[] =>
      messages('K02', designOf({ A: model(attribute) }))
    expect(reported({ type: String })).toEqual([
      'A.gsi1sk ("S#${s}") ends where a value is missing: a filter decides, and an item that another program took out of gsi1 is not found there.',
    ])
    expect(reported({ type: String, encode: 'raw' })).toEqual([
      'A.gsi1sk ("S#${s}") ends where a value is missing, and reads as one whose s is empty: a filter decides, and an item that another program took out of gsi1 is not found there.',
    ])
    expect(reported({ type: String, required: true })).toEqual([])
  })
})

describe('K01', () => {
  test('is silent where models declare that they share their keys', () => {
    const shared = { ...keyed('X#${a}', 'Y'), sharesKeyWith: ['A'] }
    expect(messages('K01', designOf({ A: keyed('X#${a}', 'Y'), B: shared }))).toEqual([])
  })

  test('gives a key only where there is one with each attribute having one value', () => {
    const reported = (sk: string): readonly string[] =>
      messages('K01', designOf({ A: keyed('X#${a}', 'Y#${a}'), B: keyed('X#1', sk) }))
    expect(reported('Y#1')).toEqual([
      'A and B can both be stored at "X#1" / "Y#1"; one would overwrite the other.',
    ])
    expect(reported('Y#2')).toEqual([
      'The keys of A and B differ only in a value that is in them twice, which the library does not compare; it treats them as the same and refuses them.',
    ])
  })

  test.each([
    [
      'a date is distinguished from a string of letters',
      '${at}',
      { type: Date, required: true },
      'TAG',
      false,
    ],
    ['a date can be a text', '${at}', { type: Date, required: true }, '${any}', true],
    [
      'there is no 30th of February',
      '${at:day}',
      { type: Date, required: true },
      '2024-02-30',
      false,
    ],
    [
      'there was a 29th of February',
      '${at:day}',
      { type: Date, required: true },
      '2024-02-29',
      true,
    ],
    ['and none in 1900', '${at:day}', { type: Date, required: true }, '1900-02-29', false],
    [
      'padded numbers have their width',
      '${n:pad(3)}',
      { type: Number, required: true },
      '0012',
      false,
    ],
    ['padded numbers can be digits', '${n:pad(3)}', { type: Number, required: true }, '012', true],
    ['a boolean is one of two', '${b}', { type: Boolean, required: true }, 'yes', false],
    ['a boolean is one of these', '${b}', { type: Boolean, required: true }, 'true', true],
    ['small letters are small', '${s:lower}', text, 'TAG', false],
    ['what is escaped has no separator', '${s}', { ...text, encode: true }, 'A#B', false],
    [
      'a path has separators',
      '${p}',
      { type: Array, items: { type: String }, required: true },
      'A#B',
      true,
    ],
  ] as const)('%s', (_, sk, attribute, other, meet) => {
    const name = sk.slice(2).split(/[:}]/)[0] ?? ''
    const design = designOf({
      One: keyed('P#${id}', sk, { [name]: attribute }),
      Two: keyed('P#${id}', other),
    })
    expect(messages('K01', design)).toHaveLength(meet ? 1 : 0)
  })

  test('shards are as many as are declared', () => {
    const sharded = (count: number): Design =>
      designOf({
        One: keyed('P#${id}#${shard}', 'S', {}, { shard: { count, by: ['id'] } }),
        Two: keyed('P#${id}#7', 'S'),
      })
    expect(messages('K01', sharded(7))).toEqual([])
    expect(messages('K01', sharded(8))).toEqual([
      'One and Two can both be stored at "P#a#7" / "S"; one would overwrite the other.',
    ])
  })

  test('copies have keys too', () => {
    const copies = { Summary: { key: { pk: 'USER#${userId}', sk: 'PROFILE' } } }
    const design = designOf({
      User: keyed('USER#${userId}', 'PROFILE'),
      Order: keyed('ORDER#${orderId}', 'META', { userId: text }, { copies }),
    })
    expect(messages('K01', design)).toEqual([
      'User and Summary can both be stored at "USER#a" / "PROFILE"; one would overwrite the other.',
    ])
  })

  test('with a separator of several signs, one of them alone separates nothing', () => {
    const models = {
      One: keyed('P::${id}', 'A::${a}'),
      Two: keyed('P::${id}', 'A::${a}:${b}'),
      Three: keyed('P::${id}', 'A::${a}::${b}'),
    }
    const design = designOf(models, { params: { separator: '::' } })
    expect(design.issues).toMatchObject([{ subject: { model: 'Two', attribute: 'sk' } }])
    expect(messages('K01', design)).toEqual([])
  })
})

describe('K02', () => {
  test('text 3: categories whose names are joined in the partition key', () => {
    const design = designOf({
      Category: keyed('CATEGORY#${name}', 'DETAILS'),
      Subcategory: keyed('CATEGORY#${parent}#${name}', 'DETAILS'),
    })
    expect(messages('K02', design)).toEqual([
      'If Category.name contains "#", its key reads as a Subcategory.',
    ])
  })

  test('a pattern can come upon keys of another model that are never its own', () => {
    const design = designOf(
      {
        Comment: keyed('POST#${postId}', 'COMMENT#${commentId}#END'),
        Reaction: keyed('POST#${postId}', 'COMMENT#${commentId}#R#${n:pad(2)}', {
          n: { type: Number, required: true },
        }),
      },
      {
        patterns: {
          reactions: { op: 'query', entity: 'Reaction', by: ['postId', 'commentId'] },
        },
      },
    )
    expect(messages('K02', design)).toEqual([
      'If Comment.commentId contains "#", its key reads as a Reaction in reactions.',
    ])
  })

  test.each([
    ['escaped', { ...text, encode: true }],
    ['validated', { ...text, validate: /^\w+$/ }],
    ['of a few values', { ...text, enum: ['a', 'b'] }],
  ])('an attribute that is %s can not contain the separator', (_, commentId) => {
    const design = designOf({
      Comment: keyed('POST#${postId}', 'COMMENT#${commentId}', { commentId }),
      Reaction: keyed('POST#${postId}', 'COMMENT#${commentId}#R#${id}', {
        commentId,
        id: { ...text, encode: true },
      }),
    })
    expect(messages('K02', design)).toEqual([])
  })
})

describe('K03', () => {
  test('a sort key without a literal reads all that shares the partition', () => {
    const design = designOf(
      {
        Metric: keyed('SERVER#${server}', '${at}', { at: { type: Date, required: true } }),
        Server: keyed('SERVER#${server}', 'META'),
      },
      { patterns: { metrics: { op: 'query', entity: 'Metric', by: ['server'] } } },
    )
    expect(messages('K03', design)).toEqual([
      'metrics: the whole partition is read, and Server ("META") is in it too.',
    ])
  })

  test('models that are declared together do not overlap', () => {
    const design = designOf(
      {
        Comment: keyed('POST#${postId}', 'COMMENT#${commentId}'),
        Reaction: keyed('POST#${postId}', 'COMMENT#${commentId}#REACTION#${reactionId}'),
      },
      { patterns: { all: { op: 'query', entity: ['Comment', 'Reaction'], by: ['postId'] } } },
    )
    expect(messages('K03', design)).toEqual([])
  })

  test('values that are given narrow the beginning down', () => {
    const design = designOf(
      {
        Task: keyed('P#${id}', 'TASK#${state}#${taskId}', {
          state: { ...text, enum: ['open', 'done'] },
        }),
        Note: keyed('P#${id}', 'TASK#note#${noteId}'),
      },
      {
        patterns: {
          byState: { op: 'query', entity: 'Task', by: ['id', 'state'] },
          allTasks: { op: 'query', entity: 'Task', by: ['id'] },
        },
      },
    )
    expect(messages('K03', design)).toEqual([
      'allTasks: begins_with("TASK#") also reads Note ("TASK#note#${noteId}").',
    ])
  })

  test('a condition on an index says which keys are in it', () => {
    const post = (status: string): Design =>
      designOf(
        {
          Post: keyed(
            'POST#${postId}',
            'POST',
            { status: { ...text, enum: ['live', 'draft'] } },
            {
              index: { gsi1pk: 'FEED#${status}', gsi1sk: '${postId}' },
              when: { gsi1: { status } },
            },
          ),
          Advert: keyed(
            'AD#${adId}',
            'AD',
            {},
            { index: { gsi1pk: 'FEED#live', gsi1sk: 'AD#${adId}' } },
          ),
        },
        { patterns: { feed: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'] } } },
      )
    expect(messages('K03', post('live'))).toHaveLength(1)
    expect(messages('K03', post('draft'))).toEqual([])
  })
})

describe('K04', () => {
  const models = {
    User: keyed('USER#${userId}', 'PROFILE'),
    Membership: keyed('USER#${userId}', 'ORG#${orgId}'),
    Order: keyed('USER#${userId}', 'ORDER#${day}#${orderId}'),
  }
  const recorded = (key: string): Evidence => ({
    recording: {
      shapes: [
        {
          operation: 'Query',
          index: null,
          key,
          filter: null,
          pattern: null,
          count: 1,
          itemsRead: 1,
          itemsReturned: 1,
        },
      ],
    },
  })

  test.each([
    ['pk = USER#${userId} AND sk > ORDER#2024-01-01', 'User and Membership sort'],
    ['pk = USER#${userId} AND sk >= ORDER#${day}', 'User and Membership sort'],
    ['pk = USER#${userId} AND sk > ORG#${orgId}', 'User sorts'],
    ['pk = USER#${userId} AND sk < ORG#x', 'Order sorts'],
  ])('%s runs into others: %s', (key, leaks) => {
    expect(messages('K04', designOf(models, {}, recorded(key)))[0]).toContain(leaks)
  })

  test.each([
    'pk = USER#${userId} AND sk > PROFILE',
    'pk = USER#${userId} AND sk < ORDER#2024',
    'pk = TEAM#${teamId} AND sk > ORDER#2024',
    'pk = USER#${userId} AND begins_with(sk, ORDER#)',
  ])('%s runs into nothing', (key) => {
    expect(messages('K04', designOf(models, {}, recorded(key)))).toEqual([])
  })

  test('an open end in code is a warning, as its bounds are not known', () => {
    const call = (keyCondition: string): Evidence => ({
      code: {
        ...NO_CODE,
        files: 1,
        calls: [
          {
            file: 'src/orders.ts',
            line: 3,
            text: 'new QueryCommand(…)',
            kind: 'query',
            through: 'sdk',
            keyCondition,
          },
        ],
      },
    })
    expect(findings('K04', designOf(models, {}, call('pk = :pk AND sk > :after')))).toMatchObject([
      {
        severity: 'warning',
        message:
          'src/orders.ts:3: range on sk has no upper end; User and Membership share a partition, and it can run from one into the other.',
      },
    ])
    expect(
      messages('K04', designOf(models, {}, call('pk = :pk AND sk BETWEEN :a AND :b'))),
    ).toEqual([])
  })

  test('a model between those of a pattern is read too', () => {
    const patterns = {
      account: { op: 'query', entity: ['Order', 'User'], by: ['userId'] },
    } as const
    expect(findings('K04', designOf(models, { patterns }))).toMatchObject([
      {
        severity: 'warning',
        message: 'account: Membership sorts between Order and User and is read too.',
      },
    ])
    const { Membership, ...without } = models
    expect(messages('K04', designOf(without, { patterns }))).toEqual([])
  })
})

test('K05: a bare sort key in an index is right as long as the partition is its own', () => {
  const index = { gsi1pk: 'STATUS#${status}', gsi1sk: '${at}' }
  const order = keyed('ORDER#${id}', 'ORDER', { at: { type: Date, required: true } }, { index })
  const other = keyed(
    'TASK#${id}',
    'TASK',
    {},
    { index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'TASK#${id}' } },
  )
  expect(messages('K05', designOf({ Order: order }))).toEqual([])
  expect(messages('K05', designOf({ Order: order, Task: other }))).toEqual([
    'Order.gsi1sk ("${at}") has no static prefix; entities cannot be distinguished or listed.',
  ])
})

test('K10: strings in a sample that are numbers of different lengths are reported', () => {
  const sample = (...numbers: string[]): Evidence => ({
    sample: {
      items: numbers.map(
        (number): Item => ({
          _type: { S: 'Ticket' },
          number: { S: number },
          sk: { S: `T#${number}` },
        }),
      ),
      itemCount: undefined,
      takenOn: '2026-11-16',
    },
  })
  const models = { Ticket: keyed('PROJECT#${project}', 'T#${number}') }
  expect(findings('K10', designOf(models, {}, sample('9', '10', '11')))).toMatchObject([
    { message: expect.stringContaining('All 3 sampled values are numbers.') },
  ])
  expect(messages('K10', designOf(models, {}, sample('09', '10')))).toEqual([])
  expect(messages('K10', designOf(models, {}, sample('9', 'A10')))).toEqual([])
})

test('K12: a key made of what every write changes is reported', () => {
  const version = { type: Number, version: true, pad: 4 } as const
  expect(
    messages('K12', designOf({ Doc: keyed('DOC#${id}', 'V#${version}', { version }) })),
  ).toEqual([
    'Every write changes version, which is in the primary key of Doc; DynamoDB cannot update keys.',
  ])
  const updated = {
    Doc: { key: { pk: 'DOC#${id}', sk: 'AT#${updatedAt}' }, attributes: { id: text } },
  }
  expect(messages('K12', designOf(updated, { params: { timestamps: true } }))).toHaveLength(1)
})

describe('K13', () => {
  const sized = (pk: string, sk: string, maxBytes: number, more = {}): Design =>
    designOf({ File: keyed(pk, sk, { name: { ...text, maxBytes, ...more } }) })

  test.each([
    [2048 - 5, 0],
    [2048 - 4, 1],
  ])('a partition key with a text of %d bytes: %d findings', (maxBytes, count) => {
    expect(messages('K13', sized('FILE#${name}', 'FILE', maxBytes))).toHaveLength(count)
  })

  test('what is escaped can take twice its bytes', () => {
    expect(messages('K13', sized('D#${d}', '${name}', 513, { encode: true }))).toHaveLength(1)
    expect(messages('K13', sized('D#${d}', '${name}', 512, { encode: true }))).toEqual([])
  })

  test('what a validate may keep shorter is a warning', () => {
    const design = sized('D#${d}', '${name}', 2000, { validate: /^.{1,9}$/ })
    expect(findings('K13', design)).toMatchObject([
      {
        severity: 'warning',
        message:
          'File.sk ("${name}") can reach 2000 bytes (limit 1024), unless its validate keeps it shorter.',
      },
    ])
  })

  test('an attribute that is a key as it is has the same limit', () => {
    const named = (maxBytes: number): Design =>
      readDesign({
        indexes: { primary: { hash: 'pk', sort: 'sk' }, byDisk: { hash: 'disk', sort: 'name' } },
        models: {
          File: keyed('FILE#${id}', 'FILE', { disk: text, name: { ...text, maxBytes } }),
        },
      })
    expect(messages('K13', named(1025))).toEqual(['File.name can reach 1025 bytes (limit 1024).'])
    expect(messages('K13', named(1024))).toEqual([])
  })

  test.each([
    [819, []],
    [820, ['File.sk ("FILE#${name}") has up to 820 bytes in 2 sampled items (limit 1024).']],
  ])('stored keys of %d bytes', (bytes, expected) => {
    const items = ['FILE#a', `FILE#${'x'.repeat(bytes - 5)}`].map(
      (S): Item => ({ pk: { S: 'DISK#1' }, sk: { S }, _type: { S: 'File' } }),
    )
    const design = designOf({ File: keyed('DISK#${disk}', 'FILE#${name}') }, {}, onItems(items))
    expect(findings('K13', design).map(({ message }) => message)).toEqual(expected)
    for (const { severity } of findings('K13', design)) expect(severity).toBe('warning')
  })
})

test('K15: a key that others make by a template is a warning, and the name of the type an error', () => {
  const index = { gsi1pk: 'POST', gsi1sk: 'POST#${postId}' }
  const design = designOf({
    Post: keyed('USER#${userId}', 'POST#${postId}', {}, { index }),
    Score: keyed('GAME#${game}', 'SCORE#${player}', { gsi1pk: text, gsi1sk: text }),
    Thing: keyed('THING#${id}', 'THING', { _type: text }),
  })
  expect(
    findings('K15', design).map(({ severity = 'error', message }) => [severity, message]),
  ).toEqual([
    [
      'warning',
      '"gsi1pk" of Score is both data and an index key: Post makes it with the template "POST".',
    ],
    [
      'warning',
      '"gsi1sk" of Score is both data and an index key: Post makes it with the template "POST#${postId}".',
    ],
    ['error', '"_type" of Thing is both data and the type of the item.'],
  ])
})

test('K16: reads are warnings; stored keys with a doubled literal are reported', () => {
  const models = { Comment: keyed('POST#${postId}', 'COMMENT#${commentId}') }
  const items: Item[] = [
    { pk: { S: 'POST#POST#123' }, sk: { S: 'COMMENT#1' } },
    { pk: { S: 'POST#1' }, sk: { S: 'COMMENT#1' } },
  ]
  const design = designOf(models, {}, { sample: { items, itemCount: 2, takenOn: '2026-11-16' } })
  expect(messages('K16', design)).toEqual([
    '1 sampled key has "POST#" twice in pk, e.g. "POST#POST#123".',
  ])
  const words = { Word: keyed('POST#${word}#${postId}', 'WORD') }
  const word: Item = { pk: { S: 'POST#POST#1' }, sk: { S: 'WORD' } }
  expect(messages('K16', designOf(words, {}, onItems([word])))).toEqual([])
})

test('K03: a query without a condition on the sort key reads all models of its partitions', () => {
  const models = (sort: string): readonly string[] =>
    messages(
      'K03',
      readDesign({
        indexes: { primary: { hash: 'pk', sort: 'sk' }, byShop: { hash: 'shop', sort } },
        models: {
          Order: keyed('ORDER#${id}', 'ORDER', { shop: text, at: text, no: text }),
          Refund: keyed('REFUND#${id}', 'REFUND', { shop: text, at: text }),
        },
        patterns: { orders: { op: 'query', entity: 'Order', index: 'byShop', by: ['shop'] } },
      }),
    )
  expect(models('at')).toEqual([
    'orders: the whole partition is read, and Refund ("at") is in it too.',
  ])
  // A refund has no number, so that it is not in the index.
  expect(models('no')).toEqual([])
})

test('K03 and K07: of many models some are named and the rest is counted', () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number)
  const index = { gsi1pk: 'S#${status}', gsi1sk: 'T#${id}' }
  const models = Object.fromEntries(
    numbers.map((number) => [`M${number}`, keyed(`M${number}#\${id}`, 'X', {}, { index })]),
  )
  const patterns = {
    open: { op: 'query', entity: 'M0', index: 'gsi1', by: ['status'] },
  } as const
  const design = designOf(models, { patterns })
  expect(messages('K03', design)).toEqual([
    'open: begins_with("T#") also reads M1, M2, M3 and 56 more models.',
  ])
  expect(messages('K07', design)).toEqual([])
  const apart = Object.fromEntries(
    numbers.map((number) => {
      const own = { gsi1pk: 'S#${status}', gsi1sk: `T#\${id}#${number}` }
      return [`M${number}`, keyed(`M${number}#\${id}`, 'X', {}, { index: own })]
    }),
  )
  expect(messages('K07', designOf(apart))).toEqual([
    '"T#" is used by M0, M1, M2, M3, M4 and 55 more in gsi1.',
  ])
})

test('K09: an attribute that is a key of an index as it is and may be missing', () => {
  const reported = (score: AttributeDefinition): readonly (readonly unknown[])[] =>
    findings(
      'K09',
      readDesign({
        indexes: { primary: { hash: 'pk', sort: 'sk' }, byGame: { hash: 'game', sort: 'score' } },
        models: {
          Play: keyed('PLAY#${id}', 'PLAY', { game: text, points: { ...score, map: 'score' } }),
        },
      }),
    ).map(({ severity, message }) => [severity, message])
  expect(reported({ type: Number })).toEqual([
    ['info', 'Play.points may be missing: items without it are not in byGame.'],
  ])
  expect(reported({ type: Number, default: 0 })).toEqual([])
})

test('fixes have the separator of the schema', () => {
  const index = { gsi1pk: 'ALL', gsi1sk: '${at}' }
  const design = designOf(
    { Post: keyed('POST::${id}', '${title}', {}, { index }) },
    { params: { separator: '::' } },
  )
  expect(findings('K05', design).map(({ fix }) => fix)).toEqual([
    "begin it with a literal, such as 'POST::${title}'",
  ])
  expect(findings('H01', design).map(({ fix }) => fix)).toEqual([
    'spread it, "ALL::${shard}" with shard: { count: 10 }, divide it by time, or choose another key',
  ])
})
