import { keyAttributes } from 'singletable/tools'
import {
  type Block,
  type Cell,
  cell,
  code,
  counted,
  type Line,
  link,
  listed,
  paragraph,
  type Section,
} from '../document.ts'
import { type DocumentSources, isTested, ownModels } from '../document-sources.ts'
import { findingTable } from '../finding-table.ts'
import { monthlyCost } from '../monthly-cost.ts'

/** What the table is, and the state of its design. */
export function overview(sources: DocumentSources): Section {
  const { schema, bill, hash } = sources
  const { definition } = schema
  const copies = schema.models.size - ownModels(sources).length
  const indexes = [...schema.indexes.values()].slice(1)
  const rows: (readonly [string, Cell])[] = [
    ['Table', cell(sources.name, ', keys ', ...listed(keyAttributes(schema.primary).map(code)))],
    [
      'Indexes',
      indexes.length === 0
        ? cell('none besides the primary one')
        : indexes.map((index) => [
            code(index.name),
            ` ${index.type}, keys `,
            ...listed(keyAttributes(index).map(code)),
          ]),
    ],
    [
      'Entities',
      cell(
        link('entities', counted(ownModels(sources).length, 'model')),
        ...(copies > 0 ? [` and ${counted(copies, 'copy', 'copies')} of models`] : []),
      ),
    ],
    ['Access patterns', cell(...patternCounts(sources))],
    [
      'Schema',
      cell(
        ...(definition.version === undefined ? [] : [`version ${definition.version}, `]),
        'hash ',
        code(hash),
      ),
    ],
    ['Check', checkCell(sources)],
    ['Tests', coverageCell(sources)],
    [
      'Cost',
      cell(
        ...monthlyCost(sources),
        `; on demand in ${bill.prices.region} at prices of ${bill.prices.date}, `,
        link('cost', 'how it is calculated'),
      ),
    ],
  ]
  return {
    id: 'overview',
    title: 'Overview',
    blocks: [
      paragraph(
        'How this table answers every access pattern. The document is generated from the schema by ',
        code('singletable docs'),
        ', and ',
        code('singletable docs --check'),
        ' fails if it is out of date. ',
        code('singletable query <pattern> --plan'),
        ' shows the plan of one pattern, ',
        code('singletable dev'),
        ' runs all of them.',
      ),
      { kind: 'facts', rows },
      ...findingBlocks(sources),
    ],
  }
}

function patternCounts({ schema }: DocumentSources): Line {
  const operations = [...schema.patterns.values()].map(({ definition }) => definition.op)
  const count = (pattern: RegExp): number => operations.filter((op) => pattern.test(op)).length
  const [reads, external, scans] = [count(/[gG]et$|^query$/), count(/^external$/), count(/^scan$/)]
  const writes = operations.length - reads - external - scans
  const parts = [
    counted(reads, 'read'),
    counted(writes, 'write'),
    ...(scans > 0 ? [counted(scans, 'scan')] : []),
    ...(external > 0 ? [`${external} answered elsewhere`] : []),
  ]
  return [link('access-patterns', `${operations.length} declared`), `: ${parts.join(', ')}`]
}

function checkCell({ report }: DocumentSources): Cell {
  const { error, warning, info } = report.counts
  const found = [
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
    ...(info > 0 ? [counted(info, 'remark')] : []),
  ]
  const kept = report.suppressed.length
  return cell(
    found.length === 0 ? 'nothing found' : found.join(', '),
    ...(kept > 0 ? ['; ', link('decisions', `${kept} accepted with a reason`)] : []),
    ' (',
    code('singletable check'),
    ')',
  )
}

function coverageCell(sources: DocumentSources): Cell {
  if (sources.design.recording === undefined) {
    return cell('not recorded; ', code('--recording <file>'), ' shows which patterns they ran')
  }
  const asked = [...sources.schema.patterns.values()].filter(
    ({ definition }) => definition.op !== 'external',
  )
  const ran = asked.filter(({ name }) => isTested(sources, name)).length
  const percent = asked.length === 0 ? 100 : Math.floor((100 * ran) / asked.length)
  return cell(`ran ${ran} of ${counted(asked.length, 'pattern')} (${percent} %)`)
}

/** The findings, each with its fix. */
function findingBlocks({ report }: DocumentSources): readonly Block[] {
  const findings = report.findings.filter(({ severity }) => severity !== 'info')
  if (findings.length === 0) return []
  return [
    { kind: 'heading', id: 'findings', line: ['What the check finds'] },
    findingTable(findings),
    paragraph(code('singletable check --explain <rule>'), ' explains a rule.'),
  ]
}
