import { type Block, type Line, type Section, strong } from '../document.ts'

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [
    'Access pattern',
    'a named question that the table must answer: what is known, what is wanted, in which order.',
  ],
  ['Entity', 'a kind of item in the table, described by a model of the schema.'],
  ['Partition key', 'determines where an item is stored; a query always has exactly one.'],
  ['Sort key', 'orders the items of a partition key; a query reads all of them or a range.'],
  ['Item collection', 'all items with the same partition key, often of several entities.'],
  ['Sparse index', 'an index that contains only the items that have its keys.'],
  ['Copy', 'the same data under another key, written in the same transaction.'],
  ['Guard', 'an item whose key is a value that must be unique.'],
  [
    'RRU, WRU',
    'request units: a read of 4 KB, a write of 1 KB. An eventually consistent read counts half, a transaction twice.',
  ],
]

/** Common misconceptions about DynamoDB. */
const FOLKLORE: readonly (readonly [said: string, fact: string])[] = [
  [
    'DynamoDB charges for each table.',
    'It charges for requests or capacity and for storage. One table saves round trips and stores together what is read together; it does not save fees.',
  ],
  [
    'A transaction has at most 25 items.',
    'It has up to 100. 25 is the limit of one batch of writes.',
  ],
  ['A transaction works within one table.', 'It can span tables of one account and region.'],
  [
    'A query needs a sort key.',
    'The partition key alone is enough: that is how a whole item collection is read.',
  ],
  [
    'A partition key holds 10 GB at most.',
    'Only in a table with a local index. Without one, a partition key can hold any amount.',
  ],
  [
    'Every global index doubles the cost of writes.',
    'A write to an index costs when the entry changes, by the size of that entry; a changed index key costs two writes. Sparse and narrow indexes cost little.',
  ],
  [
    'Reading through an index shows what was just written.',
    'A global index is updated a moment after the table and can’t be read consistently.',
  ],
]

/** What the terms mean, and common misconceptions. */
export function glossary(): Section {
  const blocks: Block[] = [
    { kind: 'list', items: WORDS.map(([word, meaning]): Line => [strong(word), `: ${meaning}`]) },
    { kind: 'heading', id: 'glossary-folklore', line: ['Common misconceptions'] },
    {
      kind: 'list',
      items: FOLKLORE.map(([said, fact]): Line => [strong(`“${said}”`), ` ${fact}`]),
    },
  ]
  return { id: 'glossary', title: 'Glossary', blocks }
}
