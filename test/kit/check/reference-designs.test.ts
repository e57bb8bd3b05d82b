import path from 'node:path'
import type { SchemaDefinition } from 'singletable'
import { describe, expect, test } from 'vitest'
import { checkDesign } from '../../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { readCode } from '../../../packages/kit/src/check/evidence/code/read-code.ts'
import type { Evidence } from '../../../packages/kit/src/check/evidence/evidence.ts'
import type { RecordedShape } from '../../../packages/kit/src/check/evidence/recording.ts'
import type { Finding } from '../../../packages/kit/src/check/rules/rule.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { TEXT_1, TEXT_1_PREFIXES } from '../designs/text-1.ts'
import { TEXT_2, TEXT_2_PROBLEM } from '../designs/text-2.ts'
import { TEXT_3 } from '../designs/text-3.ts'
import { TEXT_4 } from '../designs/text-4.ts'
import { TEXT_5, TEXT_5_DOCUMENT } from '../designs/text-5.ts'

const TODAY = '2026-11-16'

function findingsOf(definition: SchemaDefinition, evidence: Evidence = {}): readonly Finding[] {
  return checkDesign(readDesign(definition, evidence), { today: TODAY }).findings
}

function messages(code: string, found: readonly Finding[]): readonly string[] {
  return found.filter((finding) => finding.code === code).map(({ message }) => message)
}

/** With the code that the text shows next to the design. */
async function withCode(definition: SchemaDefinition, text: number): Promise<readonly Finding[]> {
  const directory = path.join(ROOT, `test/kit/designs/code/text-${text}`)
  const code = await readCode(directory, readDesign(definition))
  return findingsOf(definition, { code })
}

describe('text 1', () => {
  const found = findingsOf(TEXT_1)

  test('all posts share the partition POST', () => {
    expect(messages('H01', found)).toEqual([expect.stringContaining('"POST"')])
  })

  test('comments and reactions begin alike', () => {
    expect(messages('K03', found)).toEqual([
      'commentsOnPost: begins_with("COMMENT#") also reads Reaction ("COMMENT#${commentId}#REACTION#${reactionId}").',
    ])
    expect(messages('K02', found)).toEqual([
      'If Comment.commentId contains "#", its key reads as a Reaction.',
    ])
  })

  test('a tag and a comment know no author, without whom the post can not be fetched', () => {
    expect(messages('P01', found)).toEqual([
      expect.stringMatching(/^postOfComment cannot be served: .*username/),
      expect.stringMatching(/^postsWithTag cannot be served: .*username/),
    ])
  })

  test('the value POST#123 has its prefix already', async () => {
    expect(messages('K16', await withCode(TEXT_1, 1))).toEqual([
      'Value "POST#123" of Comment.postId already starts with "POST#"; pass the bare id.',
    ])
  })

  test('the keys that it calls bad are reported', () => {
    const bad = findingsOf(TEXT_1_PREFIXES)
    expect(messages('K06', bad)).toHaveLength(1)
    expect(messages('K05', bad)).toEqual([expect.stringContaining('User.pk ("${username}")')])
  })
})

describe('text 2', () => {
  test('keys without templates collide', () => {
    expect(messages('K01', findingsOf(TEXT_2_PROBLEM))).toEqual([
      'User and Order can both be stored at "a" / "a"; one would overwrite the other.',
    ])
  })

  test('keys with its templates have no errors', () => {
    expect(findingsOf(TEXT_2).filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('text 3', () => {
  const found = findingsOf(TEXT_3)

  test('all users share the partition USER', () => {
    expect(messages('H01', found)).toEqual([expect.stringContaining('"USER"')])
  })

  test('categories below others are joined by what a name could contain', () => {
    expect(messages('K02', found)).toEqual([
      'If CATEGORY.name contains "#", its key reads as a SUBCATEGORY.',
    ])
  })

  test('comments come by author and not by time', () => {
    expect(messages('P11', found)).toEqual([
      'commentsOnPost wants createdAt order but "COMMENT#${author}#${createdAt}" sorts by author first.',
    ])
  })

  test('nothing makes the address of a user the only one', () => {
    expect(messages('P15', found)).toEqual([expect.stringContaining('email')])
  })
})

describe('text 4', () => {
  const found = findingsOf(TEXT_4)

  test('measurements have no prefix and no end', () => {
    expect(messages('K05', found)).toEqual([expect.stringContaining('Metric.sk ("${timestamp}")')])
    expect(messages('S01', found)).toContainEqual(
      expect.stringContaining('"METRICS#${resourceId}"'),
    )
  })

  test('name and picture in comments are left stale', () => {
    expect(messages('W01', found).join('\n')).toMatch(/updateUser leaves .*Comment/)
  })
})

describe('text 5', () => {
  const found = findingsOf(TEXT_5)

  test('orders of a status share few partitions', () => {
    expect(messages('H02', found)).toEqual([expect.stringContaining('"STATUS#${status}"')])
  })

  test('measurements by day are written to one partition', () => {
    expect(messages('H03', found)).toEqual([expect.stringContaining('"METRICS#${at:day}"')])
  })

  test('recent orders are served by no key', () => {
    expect(messages('P01', found)).toEqual([
      expect.stringMatching(/^recentOrders cannot be served/),
    ])
  })

  test('orders after a date, by an open range, come with the profile and the memberships', () => {
    const shape: RecordedShape = {
      operation: 'Query',
      index: 'primary',
      key: 'PK = USER#${…} AND SK > ORDER#2024-01-01',
      filter: null,
      pattern: null,
      count: 1,
      itemsRead: 3,
      itemsReturned: 3,
    }
    expect(messages('K04', findingsOf(TEXT_5, { recording: { shapes: [shape] } }))).toEqual([
      'a query that was recorded on primary: range on SK is not bounded by prefix "ORDER#"; User and Membership sort inside it.',
    ])
  })

  test('its code forgets the copy, sends 50 puts, and loses what is not processed', async () => {
    const withMigration = await withCode(TEXT_5, 5)
    expect(messages('W01', withMigration)).toEqual([expect.stringContaining('OrderSummary')])
    expect(messages('W03', withMigration)).toEqual([expect.stringContaining('50')])
    expect(messages('W04', withMigration).length).toBeGreaterThan(0)
  })

  test('its table of keys is not what its code writes', () => {
    const document = {
      file: 'docs/design.md',
      committed: TEXT_5_DOCUMENT,
      generated: TEXT_5_DOCUMENT.replace('ORDER#<orderId> | STATUS', 'STATUS#<status> | ORDER'),
    }
    expect(messages('P17', findingsOf(TEXT_5, { document }))).toEqual([
      expect.stringContaining('docs/design.md is out of date'),
    ])
  })
})

/** Our versions of the designs, and the examples. */
const GOOD = [
  ...['blog', 'files', 'metrics', 'saas', 'shop', 'social'].map(
    (name) => `examples/${name}/schema.ts`,
  ),
  ...['blog', '3', '4', '5'].map((name) => `test/reference/${name}-schema.ts`),
]

test.each(GOOD)('%s has no errors', async (file) => {
  const exported: Record<string, SchemaDefinition> = await import(path.join(ROOT, file))
  const [definition] = Object.values(exported)
  const found = definition ? findingsOf(definition) : []
  expect(definition).toBeDefined()
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
})
