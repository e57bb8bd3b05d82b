import type { Pattern } from 'singletable/tools'
import type { WriteUnits } from '../cost/write-units.ts'
import {
  type Cell,
  type Column,
  cell,
  code,
  elementId,
  entity,
  key,
  type Line,
  listed,
  NONE,
  type TableBlock,
} from './document.ts'
import { billFor, type DocumentSources } from './document-sources.ts'
import { dollarsCell, printUnits, shownFigure, unitsCell } from './figures.ts'
import { commonNotes, patternCells, testCell } from './pattern-cells.ts'

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'Pattern' },
  { title: 'Function', below: true },
  { title: 'Operation' },
  { title: 'Items touched' },
  { title: 'Kept in step', below: true },
  { title: 'Conditions' },
  { title: 'Index writes' },
  { title: 'Est. rps', align: 'right' },
  { title: 'Cost/call', align: 'right' },
  { title: '$/month', align: 'right', below: true },
]

/** The patterns that write. */
export function writeTable(sources: DocumentSources, patterns: readonly Pattern[]): TableBlock {
  const hasTests = sources.design.recording !== undefined
  return {
    kind: 'table',
    columns: [
      ...COLUMNS,
      ...(hasTests ? [{ title: 'Tests', align: 'center' } as const] : []),
      { title: 'Notes' },
    ],
    rows: patterns.map((pattern) => {
      const bill = billFor(sources, pattern.name)
      const plan = sources.design.plans.get(pattern.name)
      return {
        id: elementId('AP', pattern.name),
        cells: [
          ...patternCells(sources, pattern),
          cell(plan?.op ?? '–'),
          itemsCell(pattern),
          derivedItemsCell(pattern, bill?.writes),
          conditionsCell(pattern),
          indexCell(bill?.writes),
          bill?.rps ? cell(shownFigure(bill.rps, printUnits(bill.rps.value))) : NONE,
          [
            ...unitsCell(bill?.writeUnits, 'WRU'),
            ...(bill && bill.readUnits.value > 0 ? unitsCell(bill.readUnits, 'RRU') : []),
          ],
          dollarsCell(bill?.dollars),
          ...(hasTests ? [testCell(sources, pattern.name)] : []),
          notes(pattern, plan?.requests ?? 1),
        ],
      }
    }),
  }
}

function stepsOf(pattern: Pattern): readonly Pattern[] {
  return pattern.steps.size > 0 ? [...pattern.steps.values()] : [pattern]
}

const VERBS: { readonly [op: string]: string } = {
  create: 'puts',
  put: 'puts',
  update: 'updates',
  delete: 'deletes',
  check: 'looks at',
}

/** Each item with its primary key. */
function itemsCell(pattern: Pattern): Cell {
  return stepsOf(pattern).flatMap((step): Line[] => {
    const [model] = step.models
    if (model === undefined) return []
    const keys = [...model.primary.hash, ...model.primary.sort].map(({ template, attribute }) =>
      key(template ? template.source : `\${${attribute.name}}`),
    )
    const verb = VERBS[step.definition.op] ?? step.definition.op
    const each = (step.definition as { readonly each?: boolean }).each ? 'for each element ' : ''
    return [
      [`${each}${verb} `, entity(model.name), ' ', ...listed(keys, ' / ')],
      ...changesLine(step),
    ]
  })
}

/** What an update changes. */
function changesLine({ definition }: Pattern): Line[] {
  if (definition.op !== 'update') return []
  const parts = (['set', 'add', 'remove'] as const).flatMap((word) => {
    const names = definition[word] ?? []
    return names.length > 0 ? [[`${word} `, ...listed(names.map(code))]] : []
  })
  return parts.length === 0
    ? []
    : [parts.flatMap((part, at) => (at === 0 ? part : ['; ', ...part]))]
}

/** The conditions of the write. */
function conditionsCell(pattern: Pattern): Cell {
  const lines = stepsOf(pattern).flatMap((step): Line[] => {
    const [model] = step.models
    const condition = CONDITIONS[step.definition.op]
    if (model === undefined) return []
    return [
      ...(condition === undefined ? [] : [[entity(model.name), ` ${condition}`]]),
      ...(model.version && step.definition.op !== 'create'
        ? [[entity(model.name), ' has the given version']]
        : []),
    ]
  })
  return lines.length === 0 ? NONE : lines
}

const CONDITIONS: { readonly [op: string]: string | undefined } = {
  create: 'does not exist',
  update: 'exists',
  check: 'exists',
}

/** Entries of indexes: how many, and of what. */
function indexCell(writes: WriteUnits | undefined): Cell {
  const counts = new Map<string, number>()
  for (const { indexes } of writes?.items ?? []) {
    for (const { index, writes: entries } of indexes) {
      counts.set(index, (counts.get(index) ?? 0) + entries)
    }
  }
  const touched = [...counts].filter(([, count]) => count > 0)
  return touched.length === 0 ? NONE : touched.map(([index, count]) => [`${count} × ${index}`])
}

/** What else the same transaction writes. */
function derivedItemsCell(pattern: Pattern, writes: WriteUnits | undefined): Cell {
  const own = stepsOf(pattern).flatMap(({ models }) => models.map(({ name }) => name))
  const lines = (writes?.items ?? [])
    .filter(({ what }) => !own.includes(what) && !what.startsWith('check '))
    .map(({ what }): Line => [what])
  return lines.length === 0 ? NONE : lines
}

function notes({ definition, models }: Pattern, requests: number): Cell {
  const lines: Line[] = [...commonNotes(definition)]
  if (requests > 1) lines.push([`${requests} requests: the current item is read first`])
  const [model] = models
  const supplied = model
    ? [...model.attributes.values()].filter((each) => each.definition.generate !== undefined)
    : []
  if (supplied.length > 0 && /^(create|put)$/.test(definition.op)) {
    lines.push(['makes ', ...listed(supplied.map(({ name }) => code(name)))])
  }
  return lines
}
