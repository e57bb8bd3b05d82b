import { keyAttributes } from 'singletable/tools'
import { type Block, type Cell, cell, code, type Line, listed, type Section } from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'

const STREAMS: { readonly [view: string]: string } = {
  keys: 'keys of changed items',
  new: 'items after the change',
  old: 'items before the change',
  'new-and-old': 'items before and after the change',
}

/** The settings of the table, and the commands that write its definition for other tools. */
export function infrastructure({ schema, name }: DocumentSources): Section {
  const { table = {} } = schema.definition
  const keyLine = [...schema.keyTypes].map(
    ([attribute, type]): Line => [code(attribute), ` ${type}`],
  )
  const isNamed = /^[a-zA-Z0-9_.-]{3,255}$/.test(name)
  const tableOption = isNamed ? `--table ${name}` : '--table <name>'
  const rows: (readonly [string, Cell])[] = [
    ['Key attributes', cell(...keyLine.flatMap((line, at) => (at === 0 ? line : [', ', ...line])))],
    [
      'Indexes',
      schema.indexes.size === 1
        ? cell('none')
        : [...schema.indexes.values()]
            .slice(1)
            .map(
              (index): Line => [
                code(index.name),
                ` ${index.type}: `,
                ...listed(keyAttributes(index).map(code)),
                ', ',
                typeof index.project === 'string'
                  ? index.project === 'all'
                    ? 'all attributes'
                    : 'keys only'
                  : `with ${index.project.join(', ')}`,
              ],
            ),
    ],
    [
      'Billing',
      cell(
        typeof table.billing === 'object'
          ? `${table.billing.readCapacityUnits} read and ${table.billing.writeCapacityUnits} write units`
          : 'on demand',
      ),
    ],
    ['Time to live', schema.ttl === undefined ? cell('off') : cell(code(schema.ttl))],
    ['Stream', cell(table.stream === undefined ? 'off' : (STREAMS[table.stream] ?? table.stream))],
    [
      'Point-in-time recovery',
      typeof table.pointInTimeRecovery === 'object'
        ? cell(`on, for ${table.pointInTimeRecovery.recoveryPeriodInDays} days`)
        : switchCell(table.pointInTimeRecovery),
    ],
    ['Deletion protection', switchCell(table.deletionProtection)],
    ['Table class', cell(table.tableClass ?? 'standard')],
    ...(table.tags
      ? [
          [
            'Tags',
            cell(
              Object.entries(table.tags)
                .map(([tag, value]) => `${tag} = ${value}`)
                .join(', '),
            ),
          ] as const,
        ]
      : []),
  ]
  const blocks: Block[] = [
    { kind: 'facts', rows },
    {
      kind: 'list',
      items: [
        [
          code(`singletable infra cfn ${tableOption}`),
          ' writes this table for CloudFormation; also for CDK, Terraform, SST, Pulumi and others.',
        ],
        [
          code(`singletable infra iam ${tableOption}`),
          ' writes the policy that these patterns need, and nothing more.',
        ],
        [
          code(`singletable infra diff ${tableOption} --aws`),
          ' shows whether the live table differs from this.',
        ],
      ],
    },
  ]
  return { id: 'infrastructure', title: 'Infrastructure', blocks }
}

/** Defaults to on: the targets of `infra` are safe unless the schema says otherwise. */
function switchCell(value: boolean | undefined): Cell {
  return cell(value === undefined ? 'on (default)' : value ? 'on' : 'off')
}
