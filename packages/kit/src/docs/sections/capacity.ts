import { worstBasis } from '../../cost/figure.ts'
import type { PatternBill } from '../../cost/monthly-bill.ts'
import { countedUntil } from '../counted-until.ts'
import {
  type Block,
  type Cell,
  cell,
  code,
  elementId,
  entity,
  groupDigits,
  type Line,
  link,
  NONE,
  paragraph,
  printBytes,
  type Row,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { bytesCell, dollarsCell, printDollars, printUnits, shownFigure } from '../figures.ts'
import { indexName } from '../index-name.ts'
import { monthlyCost } from '../monthly-cost.ts'
import { titleOf } from '../pattern-cells.ts'

/** What a month costs, and how each figure is calculated. */
export function capacity(sources: DocumentSources): Section {
  return {
    id: 'cost',
    title: 'Capacity and cost',
    blocks: [
      totals(sources),
      ...patternCosts(sources),
      ...storage(sources),
      ...hottest(sources),
      ...assumptions(sources),
    ],
  }
}

function totals(sources: DocumentSources): Block {
  const { bill, schema } = sources
  const { totals, prices, provisioned, tableClass } = bill
  const rated = bill.patterns.filter(({ rps }) => rps !== undefined)
  const sum = (value: number, isKnown: boolean, missing: string): Cell =>
    isKnown
      ? cell({ kind: 'figure', text: `$${printDollars(value)} a month`, basis: totals.basis })
      : cell(missing)
  const isStored = bill.storage.some(({ bytes }) => bytes !== undefined)
  const { billing } = schema.definition.table ?? {}
  const until = countedUntil(sources)
  return {
    kind: 'facts',
    rows: [
      ['Reads', sum(totals.reads, rated.length > 0, NO_RATE)],
      [
        'Writes',
        sum(
          totals.writes,
          rated.some(({ writes }) => writes),
          NO_RATE,
        ),
      ],
      [
        'Storage',
        sum(totals.storage, isStored, 'not known: no model declares how many items there are'),
      ],
      ['Total, on demand', cell(...monthlyCost(sources))],
      ...(until === undefined
        ? []
        : [['Open time ranges', cell(`counted until ${until}`)] as const]),
      ...(provisioned
        ? [
            [
              'As provisioned capacity',
              cell(
                shownFigure(
                  provisioned.dollars,
                  `$${printDollars(provisioned.dollars.value)} a month`,
                ),
                ` for ${groupDigits(provisioned.readUnits)} read and ${groupDigits(provisioned.writeUnits)} write units at all times, without storage`,
              ),
            ] as const,
          ]
        : []),
      [
        'Billing of the table',
        cell(
          typeof billing === 'object'
            ? `provisioned: ${billing.readCapacityUnits} read, ${billing.writeCapacityUnits} write units`
            : 'on demand',
          tableClass === 'standard' ? '' : ', class for infrequent access',
        ),
      ],
      ['Prices', cell(`${prices.region}, ${prices.date}; a month has 30.5 days`)],
    ],
  }
}

const NO_RATE = 'not known: no such pattern declares how often it is called'

function patternCosts({ bill, schema }: DocumentSources): readonly Block[] {
  if (bill.patterns.length === 0) return []
  const row = (each: PatternBill): Row => {
    const { definition } = schema.patterns.get(each.pattern) ?? { definition: {} }
    return {
      cells: [
        cell(link(elementId('AP', each.pattern), titleOf(each.pattern, definition))),
        each.rps ? cell(shownFigure(each.rps, printUnits(each.rps.value))) : NONE,
        each.readUnits.value > 0
          ? cell(shownFigure(each.readUnits, printUnits(each.readUnits.value)))
          : NONE,
        each.writeUnits.value > 0
          ? cell(shownFigure(each.writeUnits, printUnits(each.writeUnits.value)))
          : NONE,
        dollarsCell(each.dollars),
        formulas(each),
      ],
    }
  }
  return [
    { kind: 'heading', id: 'cost-patterns', line: ['By pattern'] },
    {
      kind: 'table',
      columns: [
        { title: 'Pattern' },
        { title: 'Est. rps', align: 'right' },
        { title: 'RRU', align: 'right' },
        { title: 'WRU', align: 'right' },
        { title: '$/month', align: 'right' },
        { title: 'How a call is counted' },
      ],
      rows: bill.patterns.map(row),
    },
  ]
}

function formulas({ readUnits, writeUnits }: PatternBill): Cell {
  return [readUnits, writeUnits]
    .filter(({ value }) => value > 0)
    .map(({ formula }): Line => [formula])
}

/** By model, with the share of each index. */
function storage({ bill, schema }: DocumentSources): readonly Block[] {
  const indexes = [...schema.indexes.keys()]
  const known = bill.storage.flatMap(({ bytes }) => bytes ?? [])
  if (known.length === 0) return []
  const sumOf = (index: string): Cell => {
    const parts = bill.storage.flatMap((part) =>
      part.index === index && part.bytes ? [part.bytes] : [],
    )
    const value = parts.reduce((sum, part) => sum + part.value, 0)
    const all = known.reduce((sum, part) => sum + part.value, 0)
    const share = all === 0 ? 0 : Math.round((100 * value) / all)
    return cell({
      kind: 'figure',
      text: `${printBytes(value)}, ${share} %`,
      basis: worstBasis(parts),
    })
  }
  return [
    { kind: 'heading', id: 'cost-storage', line: ['Storage'] },
    {
      kind: 'table',
      columns: [
        { title: 'Entity' },
        ...indexes.map((name) => ({ title: indexName(name), align: 'right' as const })),
      ],
      rows: [
        ...[...schema.models.keys()].map((model) => ({
          cells: [
            cell(entity(model)),
            ...indexes.map((index) =>
              bytesCell(
                bill.storage.find((part) => part.model === model && part.index === index)?.bytes,
              ),
            ),
          ],
        })),
        { cells: [cell({ kind: 'strong', text: 'All' }), ...indexes.map(sumOf)] },
      ],
    },
  ]
}

const HOTTEST_MAX = 5

/** The busiest partition keys, compared with the limit of one partition. */
function hottest({ bill, schema }: DocumentSources): readonly Block[] {
  const { partitions } = bill
  if (partitions.length === 0) {
    return [
      { kind: 'heading', id: 'cost-hottest', line: ['Hottest partition'] },
      paragraph(
        'Not known: declare ',
        code('expect: { rps, distinctKeys }'),
        ' in the patterns. One partition can serve 1,000 write units and 3,000 read units a second.',
      ),
    ]
  }
  return [
    { kind: 'heading', id: 'cost-hottest', line: ['Hottest partitions'] },
    {
      kind: 'table',
      columns: [
        { title: 'Pattern' },
        { title: 'Index' },
        { title: 'Kind' },
        { title: 'Units a second', align: 'right' },
        { title: 'Limit of a partition', align: 'right' },
        { title: 'Part', align: 'right' },
        { title: 'How' },
      ],
      rows: partitions.slice(0, HOTTEST_MAX).map(({ pattern, index, kind, units, limit }) => {
        const { definition } = schema.patterns.get(pattern) ?? { definition: {} }
        return {
          cells: [
            cell(link(elementId('AP', pattern), titleOf(pattern, definition))),
            cell(indexName(index)),
            cell(kind),
            cell(shownFigure(units, printUnits(units.value))),
            cell(groupDigits(limit)),
            cell(shownFigure(units, `${printUnits((100 * units.value) / limit)} %`)),
            cell(units.formula),
          ],
        }
      }),
    },
  ]
}

function assumptions({ bill }: DocumentSources): readonly Block[] {
  if (bill.missing.length === 0) return []
  return [
    { kind: 'heading', id: 'cost-assumptions', line: ['How to improve these figures'] },
    { kind: 'list', items: bill.missing.map((sentence): Line => [`${sentence}.`]) },
  ]
}
