import type { Pattern, PatternPlan } from 'singletable/tools'
import {
  type Block,
  type Cell,
  type Column,
  cell,
  code,
  counted,
  type Entry,
  elementId,
  entity,
  type Inline,
  type Line,
  listed,
  NONE,
  paragraph,
  type Section,
  type TableBlock,
} from '../document.ts'
import { billFor, type DocumentSources } from '../document-sources.ts'
import { dollarsCell, printUnits, shownFigure, unitsCell } from '../figures.ts'
import { indexName } from '../index-name.ts'
import { keyCondition } from '../key-condition.ts'
import { orderAttribute } from '../order-attribute.ts'
import { commonNotes, patternCells, testCell, titleOf } from '../pattern-cells.ts'
import { writeTable } from '../write-table.ts'

export const PATTERNS_ID = 'access-patterns'

/** Every access pattern and how it is answered: reads, writes, and those not served here. */
export function accessPatterns(sources: DocumentSources): Section {
  const all = [...sources.schema.patterns.values()]
  const byStatus = (status: string): readonly Pattern[] =>
    all.filter(({ definition }) => (definition.status ?? 'live') === status)
  const live = byStatus('live')
  const blocks: Block[] = [
    ...part(sources, live),
    ...notServed(live),
    ...laterOrFormer(sources, 'Planned', 'planned', byStatus('planned')),
    ...laterOrFormer(sources, 'Deprecated', 'deprecated', byStatus('deprecated')),
  ]
  if (all.length === 0) {
    blocks.push(
      paragraph(
        'The schema declares no access patterns yet. Each one under ',
        code('patterns'),
        ' is documented here with its plan and its cost.',
      ),
    )
  }
  const entries = all.map(
    ({ name, definition, models }): Entry => ({
      id: elementId('AP', name),
      line: [titleOf(name, definition)],
      words: [name, definition.op, ...models.map((model) => model.name)],
    }),
  )
  return { id: PATTERNS_ID, title: 'Access patterns', blocks, entries }
}

/** The tables of some patterns, under their headings. */
function part(sources: DocumentSources, patterns: readonly Pattern[]): readonly Block[] {
  const reads = patterns.filter(({ definition }) => isRead(definition))
  const writes = patterns.filter(({ definition }) => isWrite(definition))
  return [
    ...(reads.length > 0
      ? [heading('Reads', 'reads'), readTable(sources, reads) satisfies Block]
      : []),
    ...(writes.length > 0
      ? [heading('Writes', 'writes'), writeTable(sources, writes) satisfies Block]
      : []),
  ]
}

function heading(title: string, id: string): Block {
  return { kind: 'heading', id: `${PATTERNS_ID}-${id}`, line: [title] }
}

const READ_OPERATIONS: readonly string[] = ['get', 'query', 'batchGet', 'transactGet']

function isRead({ op }: Pattern['definition']): boolean {
  return READ_OPERATIONS.includes(op)
}

function isWrite({ op }: Pattern['definition']): boolean {
  return !READ_OPERATIONS.includes(op) && op !== 'external' && op !== 'scan'
}

const READ_COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'Pattern' },
  { title: 'Function', below: true },
  { title: 'Operation' },
  { title: 'Index', below: true },
  { title: 'Key condition' },
  { title: 'Returns' },
  { title: 'Order', below: true },
  { title: 'Consistency', below: true },
  { title: 'Est. rps', align: 'right' },
  { title: 'Cost/call', align: 'right' },
  { title: '$/month', align: 'right', below: true },
]

function readTable(sources: DocumentSources, patterns: readonly Pattern[]): TableBlock {
  const hasTests = sources.design.recording !== undefined
  return {
    kind: 'table',
    columns: [
      ...READ_COLUMNS,
      ...(hasTests ? [{ title: 'Tests', align: 'center' } as const] : []),
      { title: 'Notes' },
    ],
    rows: patterns.map((pattern) => {
      const plan = sources.design.plans.get(pattern.name)
      const bill = billFor(sources, pattern.name)
      return {
        id: elementId('AP', pattern.name),
        cells: [
          ...patternCells(sources, pattern),
          cell(plan?.op ?? '–'),
          cell(indexName(plan?.index ?? null)),
          plan ? keyCondition(plan) : NONE,
          returnsCell(pattern),
          orderCell(pattern, plan),
          cell(plan?.consistency ?? '–'),
          bill?.rps ? cell(shownFigure(bill.rps, printUnits(bill.rps.value))) : NONE,
          unitsCell(bill?.readUnits, 'RRU'),
          dollarsCell(bill?.dollars),
          ...(hasTests ? [testCell(sources, pattern.name)] : []),
          readNotes(pattern, plan),
        ],
      }
    }),
  }
}

function returnsCell({ definition, models, target }: Pattern): Cell {
  if (definition.op === 'query' && definition.gives) {
    return cell(
      definition.gives === 'count' ? 'how many ' : 'whether there is a ',
      entity(models[0]!.name),
    )
  }
  const isMany = definition.op !== 'get'
  const names = models.flatMap((model): Inline[] => [entity(model.name)])
  const shape: Line =
    models.length > 1
      ? [...listed(names, ' + '), ', grouped']
      : [...names, ...(isMany ? ['[]'] : [' or nothing'])]
  return target ? [shape, ['then ', entity(target.name), '[]']] : [shape]
}

/** The order of the results, in words if the sort key determines it. */
function orderCell({ definition, use }: Pattern, plan: PatternPlan | undefined): Cell {
  if (plan?.order == null || use === undefined || definition.op !== 'query') return NONE
  if (definition.gives) return NONE
  const by = orderAttribute(use, definition.by)
  const direction = plan.order === 'asc' ? 'ascending' : 'descending'
  const limit = plan.limit === null ? [] : [`, ${plan.limit} at most`]
  return cell(by === undefined ? direction : `by ${by}, ${direction}`, ...limit)
}

function readNotes({ definition }: Pattern, plan: PatternPlan | undefined): Cell {
  const lines: Line[] = commonNotes(definition)
  const { sharesPartitionWith = [], alsoReads = [], filter = null, requests = 1 } = plan ?? {}
  const sharing = sharesPartitionWith.filter((name) => !alsoReads.includes(name))
  if (alsoReads.length > 0)
    lines.push(['also reads and discards ', ...listed(alsoReads.map(entity))])
  if (sharing.length > 0) lines.push(['partition shared with ', ...listed(sharing.map(entity))])
  if (filter !== null)
    lines.push(['filtered after reading: ', ...listed(Object.keys(filter).map(code))])
  if (plan?.in) lines.push(['a partition for each value of ', ...listed(plan.in.map(code))])
  if (requests > 1) lines.push([`${requests} requests`])
  if ('select' in definition && definition.select?.length) {
    lines.push(['only ', ...listed(definition.select.map(code))])
  }
  return lines
}

/** Patterns that another service answers, and those that read the whole table. */
function notServed(patterns: readonly Pattern[]): readonly Block[] {
  const rows = patterns.flatMap(({ name, definition }) => {
    if (definition.op !== 'external' && definition.op !== 'scan') return []
    const by =
      definition.op === 'external'
        ? cell(definition.service)
        : cell(
            'a scan of the ',
            definition.entity === undefined ? 'whole table' : 'table for ',
            ...(definition.entity === undefined ? [] : [entity(definition.entity)]),
          )
    return [
      {
        id: elementId('AP', name),
        cells: [
          cell({ kind: 'strong' as const, text: titleOf(name, definition) }),
          cell(code(name)),
          by,
          cell(definition.reason),
        ],
      },
    ]
  })
  if (rows.length === 0) return []
  return [
    heading('Not served here', 'not-served'),
    {
      kind: 'table',
      columns: [
        { title: 'Pattern' },
        { title: 'Function', below: true },
        { title: 'Answered by' },
        { title: 'Because' },
      ],
      rows,
    },
  ]
}

function laterOrFormer(
  sources: DocumentSources,
  title: string,
  id: string,
  patterns: readonly Pattern[],
): readonly Block[] {
  if (patterns.length === 0) return []
  const tables = [...part(sources, patterns), ...notServed(patterns)].filter(
    (block) => block.kind === 'table',
  )
  return [heading(title, id), paragraph(`${counted(patterns.length, 'pattern')}.`), ...tables]
}
