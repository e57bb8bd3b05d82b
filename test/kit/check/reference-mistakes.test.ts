import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SchemaDefinition } from 'singletable'
import { expect, test } from 'vitest'
import { checkDesign } from '../../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { readCode } from '../../../packages/kit/src/check/evidence/code/read-code.ts'
import type { CommittedDocument } from '../../../packages/kit/src/check/evidence/committed-document.ts'
import type { Evidence } from '../../../packages/kit/src/check/evidence/evidence.ts'
import { makeDocument } from '../../../packages/kit/src/docs/make-document.ts'
import { readCommittedDocument } from '../../../packages/kit/src/docs/read-committed-document.ts'
import { readSources } from '../../../packages/kit/src/docs/read-sources.ts'
import { renderMarkdown } from '../../../packages/kit/src/docs/render-markdown.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { TEXT_1 } from '../designs/text-1.ts'
import { TEXT_3 } from '../designs/text-3.ts'
import { TEXT_4 } from '../designs/text-4.ts'
import { TEXT_5 } from '../designs/text-5.ts'

/** A fault of a reference text, and the rule that has to find it there. */
interface Row {
  /** What the text says or shows. */
  readonly fault: string
  readonly design: SchemaDefinition
  readonly code: string
  /** How the finding begins. */
  readonly message: string
  readonly evidence?: () => Evidence | Promise<Evidence>
}

/** The code that a text shows next to its design. */
function withCode(text: number, design: SchemaDefinition): () => Promise<Evidence> {
  const folder = path.join(ROOT, `test/kit/designs/code/text-${text}`)
  return async () => ({ code: await readCode(folder, readDesign(design)) })
}

function recorded(key: string): () => Evidence {
  const shape = { operation: 'Query', index: 'primary', key, filter: null, pattern: null }
  return () => ({
    recording: { shapes: [{ ...shape, count: 1, itemsRead: 3, itemsReturned: 3 }] },
  })
}

/** The last text without the question that nothing answers: of a schema that can't be used there is
 * no document. */
const { recentOrders: _, ...answered } = TEXT_5.patterns ?? {}
const TEXT_5_ANSWERED: SchemaDefinition = { ...TEXT_5, patterns: answered }

/** What the project has as its document where orders were to be in GSI1 under their id, as the
 * text's table has them. */
async function documentOfTable(): Promise<CommittedDocument | undefined> {
  const { Order } = TEXT_5.models
  const { ordersByStatus, ...patterns } = answered
  const index = { GSI1PK: 'ORDER#${orderId}', GSI1SK: 'STATUS#${status}' }
  const models = { ...TEXT_5.models, Order: { ...Order!, index } }
  const sources = await readSources(readDesign({ ...TEXT_5, models, patterns }), 'shop')
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-drift-'))
  try {
    mkdirSync(path.join(directory, 'docs'))
    writeFileSync(
      path.join(directory, 'docs/access-patterns.md'),
      renderMarkdown(makeDocument(sources!)),
    )
    return await readCommittedDocument(readDesign(TEXT_5_ANSWERED), directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const ROWS: readonly Row[] = [
  {
    fault: 'text 1: gsi1pk is POST for all posts',
    design: TEXT_1,
    code: 'H01',
    message: 'Every Post in gsi1 shares the partition "POST',
  },
  {
    fault: 'text 3: GSI1PK is USER for all users',
    design: TEXT_3,
    code: 'H01',
    message: 'Every USER in GSI1 shares the partition "USER"',
  },
  {
    fault: 'text 5: GSI1PK is STATUS#pending for all new orders',
    design: TEXT_5,
    code: 'H02',
    message: '"STATUS#${status}" of Order in GSI1 has few values',
  },
  {
    fault: 'text 1: begins_with COMMENT# also reads reactions',
    design: TEXT_1,
    code: 'K03',
    message: 'commentsOnPost: begins_with("COMMENT#") also reads Reaction',
  },
  {
    fault: 'text 1: a comment whose id contains # reads as a reaction',
    design: TEXT_1,
    code: 'K02',
    message: 'If Comment.commentId contains "#", its key reads as a Reaction.',
  },
  {
    fault: 'text 5: orders after a date, by SK > ORDER#2024-01-01',
    design: TEXT_5,
    code: 'K04',
    message: 'a query that was recorded on primary: range on SK is not bounded by prefix "ORDER#"',
    evidence: recorded('PK = USER#${…} AND SK > ORDER#2024-01-01'),
  },
  {
    fault: 'text 3: CATEGORY#A and CATEGORY#A#B as partition keys',
    design: TEXT_3,
    code: 'K02',
    message: 'If CATEGORY.name contains "#", its key reads as a SUBCATEGORY.',
  },
  {
    fault: 'text 1: a tag knows the id of a post and not its author',
    design: TEXT_1,
    code: 'P01',
    message: 'postsWithTag cannot be served: the key of Post needs username',
  },
  {
    fault: 'text 1: a comment knows the id of a post and not its author',
    design: TEXT_1,
    code: 'P01',
    message: 'postOfComment cannot be served: the key of Post is made of username',
  },
  {
    fault: 'text 3: comments are sorted by author and listed by time',
    design: TEXT_3,
    code: 'P11',
    message: 'commentsOnPost wants createdAt order but "COMMENT#${author}#${createdAt}" sorts by',
  },
  {
    fault: 'text 4: the sort key of measurements is a time without a prefix',
    design: TEXT_4,
    code: 'K05',
    message: 'Metric.sk ("${timestamp}") has no static prefix',
  },
  {
    fault: 'text 4: the measurements of a resource never end',
    design: TEXT_4,
    code: 'S01',
    message: 'The partition "METRICS#${resourceId}" collects Metric',
  },
  {
    fault: 'text 5: METRICS#<day> against hot partitions',
    design: TEXT_5,
    code: 'H03',
    message: "All of today's Metric writes go to one partition",
  },
  {
    fault: 'text 5: the table of keys says ORDER#<id>, and the code writes STATUS#<status>',
    design: TEXT_5_ANSWERED,
    code: 'P17',
    message: 'docs/access-patterns.md is out of date; run singletable docs.',
    evidence: async () => ({ document: await documentOfTable() }),
  },
  {
    fault: 'text 5: nothing serves orders of the last 7 days',
    design: TEXT_5,
    code: 'P01',
    message: 'recentOrders cannot be served',
  },
  {
    fault: 'text 5: updateOrderStatus forgets the copy under the user',
    design: TEXT_5,
    code: 'W01',
    message: 'orders.ts:24 leaves the copy OrderSummary of Order stale',
    evidence: withCode(5, TEXT_5),
  },
  {
    fault: 'text 5: migrateOrders makes 50 puts of 25 orders',
    design: TEXT_5,
    code: 'W03',
    message: 'migration.ts:42: BatchWrite carries 50 items (max 25).',
    evidence: withCode(5, TEXT_5),
  },
  {
    fault: 'text 5: migrateOrders ignores UnprocessedItems',
    design: TEXT_5,
    code: 'W04',
    message: 'migration.ts:42 ignores UnprocessedItems',
    evidence: withCode(5, TEXT_5),
  },
  {
    fault: 'text 3: an address should be that of one user only',
    design: TEXT_3,
    code: 'P15',
    message: 'Nothing stops two USER with the same email',
  },
  {
    fault: 'text 4: comments repeat the name of their user',
    design: TEXT_4,
    code: 'W01',
    message: 'updateUser leaves 1 copy of User.name stale in Comment',
  },
  {
    fault: 'text 4: comments repeat the picture of their user',
    design: TEXT_4,
    code: 'W01',
    message: 'updateUser leaves 1 copy of User.avatar stale in Comment',
  },
]

test.each(ROWS)('$fault: $code', async ({ design, code, message, evidence }) => {
  const { findings } = checkDesign(readDesign(design, await evidence?.()), { today: '2026-11-16' })
  const own = findings.filter((finding) => finding.code === code)
  expect(own.map((finding) => finding.message)).toContainEqual(
    expect.stringMatching(new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)),
  )
})
