import { readTemplate } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { canMeet } from '../../algebra/common-text.ts'
import { beginningWith, type Language, literal } from '../../algebra/language.ts'
import { type TemplateValues, templateStrings } from '../../algebra/template-language.ts'
import { stringsBetween } from '../../algebra/text-range.ts'
import { commonPartition, type KeyStrings, keyStrings, pairsOf } from '../../design/key-strings.ts'
import { type RecordedRange, recordedRanges } from '../../design/recorded-ranges.ts'
import type { Notice, Rule } from '../rule.ts'

export const rangeReadsOthers: Rule = {
  code: 'K04',
  name: 'range-reads-others',
  severity: 'error',
  source: 'schema',
  title: 'A range of sort keys includes other models.',
  explanation: `"Orders after the first of January" as SK > "ORDER#2024-01-01" has no upper end: everything in the partition that sorts after the orders is in it, such as PROFILE. The ranges of
this library are always closed within what its model's keys begin with. Open ones come from code that builds its own conditions, so this rule looks at what tests recorded
(--recording), and at queries through the AWS SDK (--code); the bounds of the latter are unknown, so it is a warning.

  wrong   KeyConditionExpression: 'PK = :user AND SK > :from'                    // :from = ORDER#2024-01-01
  right   KeyConditionExpression: 'PK = :user AND SK BETWEEN :from AND :to'      // :to = ORDER#\\u{10FFFF}
  right   ordersByUser: { op: 'query', entity: 'Order', by: ['userId'], range: 'createdAt' }

A pattern over several models reads from the first of their keys to the last. A further model that sorts in between is read and paid for too; that is a warning, as the library leaves its
items out of the result.`,
  *check(design) {
    const uses = keyStrings(design)
    for (const range of recordedRanges(design)) {
      const inPartition = uses.filter(
        ({ use, hash }) =>
          use.index === range.index &&
          use.hash.every(({ keyAttribute }, at) => {
            const text = range.equal.get(keyAttribute)
            return text === undefined || canMeet(hash[at]!, stringsLike(text))
          }),
      )
      const { own, others } = splitByRange(range, inPartition)
      if (own.length === 0 || others.length === 0) continue
      yield {
        message: `${range.place}: range on ${range.attribute} is not bounded by prefix "${range.head}"; ${listNames(others)} ${others.length === 1 ? 'sorts' : 'sort'} inside it.`,
        fix: `close it: ${range.attribute} BETWEEN "${range.head}…" AND "${range.head}\\u{10FFFF}", or declare a pattern with range, which is always closed`,
        place: { model: own[0], index: range.index },
      }
    }
    yield* openInCode(design, uses)
    yield* betweenHeads(design, uses)
  },
}

/** The models that the range is meant for, whose sort keys begin as its bound does, and others that
 * are certainly in it. */
function splitByRange(
  { attribute, head, zone }: RecordedRange,
  uses: readonly KeyStrings[],
): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const own: string[] = []
  const others: string[] = []
  for (const { use, sort } of uses) {
    const at = use.sort.findIndex(({ keyAttribute }) => keyAttribute === attribute)
    const strings = sort[at]
    if (strings === undefined) continue
    if (canMeet(strings, beginningWith(literal(head)))) own.push(use.model)
    else if (canMeet(strings, stringsBetween(zone))) others.push(use.model)
  }
  return { own, others }
}

/** What the bounds are is not seen in code; where several models share the partitions, an end that
 * is left open is most likely a leak. */
function* openInCode(
  design: Parameters<Rule['check']>[0],
  uses: readonly KeyStrings[],
): Generator<Notice> {
  for (const { keyCondition = '', file, line } of design.code?.calls ?? []) {
    const [, attribute, operator = ''] = /(?:^|\s)([\w.-]+)\s*([<>])=?\s*:/.exec(keyCondition) ?? []
    const inIndex = uses.filter(({ use }) => use.sort[0]?.keyAttribute === attribute)
    const prefixes = new Set(inIndex.map(({ use }) => use.sort[0]?.template?.prefix))
    const shared = [...pairsOf(inIndex)].find(
      ([a, b]) => a.use.index === b.use.index && commonPartition(a, b) !== undefined,
    )
    if (attribute === undefined || prefixes.size < 2 || shared === undefined) continue
    const names = shared.map(({ use }) => use.model)
    yield {
      severity: 'warning',
      message: `${file}:${line}: range on ${attribute} has no ${operator === '>' ? 'upper' : 'lower'} end; ${listNames(names)} share a partition, and it can run from one into the other.`,
      fix: `close it with BETWEEN, or declare a pattern with range, which is always closed`,
      place: { file, line, index: shared[0].use.index },
    }
  }
}

/** Of patterns over several models: others between the first of their keys and the last. */
function* betweenHeads(
  design: Parameters<Rule['check']>[0],
  uses: readonly KeyStrings[],
): Generator<Notice> {
  const patterns = new Map(design.patterns.map((each) => [each.name, each]))
  for (const [name, plan] of design.plans) {
    const pattern = patterns.get(name)
    if (plan.op !== 'Query' || plan.entities.length < 2 || pattern === undefined) continue
    const own = uses.find(({ use }) => use.index === plan.index && use.model === plan.entities[0])
    const sort = own?.use.sort[0]?.keyAttribute
    const condition = sort === undefined ? undefined : plan.key?.[sort]
    if (own === undefined || condition === undefined || !('between' in condition)) continue
    const [low, high] = condition.between
    for (const other of uses) {
      const strings = other.sort[0]
      if (other.use.index !== plan.index || plan.entities.includes(other.use.model)) continue
      if (strings === undefined || !plan.sharesPartitionWith.includes(other.use.model)) continue
      const [from, to] = [low, high].map((text) => text.split('${')[0] ?? '')
      // Where the bounds have values in them, only what lies between whatever these are is certain.
      const zone = { low: low.includes('${') ? `${from}\u{10ffff}` : from, high: to }
      if (!canMeet(strings, stringsBetween(zone))) continue
      yield {
        severity: 'warning',
        message: `${name}: ${other.use.model} sorts between ${listNames(plan.entities)} and is read too.`,
        fix: `let the sort keys of ${listNames(plan.entities)} begin alike, or take ${other.use.model} into the pattern`,
        place: { pattern: name, model: other.use.model, index: plan.index ?? undefined },
      }
    }
  }
}

/** A text in which `${…}` stands for any value. */
function stringsLike(text: string): Language {
  return templateStrings(readTemplate(text), ANYTHING)
}

const ANYTHING: TemplateValues = { attributes: new Map(), separator: '#', loose: () => true }
