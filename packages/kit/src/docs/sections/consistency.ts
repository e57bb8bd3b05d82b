import type { Model } from 'singletable/tools'
import {
  type Block,
  cell,
  code,
  elementId,
  entity,
  type Line,
  link,
  listed,
  type Section,
  type TableBlock,
} from '../document.ts'
import { type DocumentSources, ownModels } from '../document-sources.ts'
import { titleOf } from '../pattern-cells.ts'
import { whenWords } from '../when-words.ts'

/** Data that is stored in several places, what keeps it in sync, and which reads may be stale. */
export function consistency(sources: DocumentSources): Section {
  const blocks: Block[] = []
  const duplicates = duplicateTable(ownModels(sources))
  if (duplicates.rows.length > 0) {
    blocks.push({ kind: 'heading', id: 'consistency-copies', line: ['What is stored twice'] })
    blocks.push(duplicates)
  }
  const stale = staleReads(sources)
  if (stale.length > 0) {
    blocks.push({ kind: 'heading', id: 'consistency-reads', line: ['Reads that may be stale'] })
    blocks.push({ kind: 'list', items: stale })
  }
  const locks = lockLines(sources)
  if (locks.length > 0) {
    blocks.push({ kind: 'heading', id: 'consistency-locks', line: ['Version checks'] })
    blocks.push({ kind: 'list', items: locks })
  }
  if (blocks.length === 0) {
    blocks.push({
      kind: 'paragraph',
      line: ['Nothing is stored twice, and no read may be stale.'],
    })
  }
  return { id: 'consistency', title: 'Consistency and duplication', blocks }
}

function duplicateTable(models: readonly Model[]): TableBlock {
  const rows = models.flatMap((model) => {
    const { copies = [], unique = [], counters = [] } = model.derivedItems ?? {}
    return [
      ...copies.map((copy) => [
        cell(entity(copy.model.name)),
        cell(
          'copy of ',
          entity(model.name),
          ...(copy.each ? [' for each element of ', code(copy.each.list.name)] : []),
          ...(copy.when ? [` while ${whenWords(copy.when)}`] : []),
        ),
        cell('the same transaction as every write of it'),
      ]),
      ...unique.map((rule) => [
        cell('guard ', code(rule.name)),
        cell(
          entity(model.name),
          ': ',
          ...listed(rule.attributes.map(({ name }) => code(name))),
          ' is unique',
          ...(rule.ignoreCase ? [', ignoring case'] : []),
        ),
        cell('the same transaction as every write of it'),
      ]),
      ...counters.map(({ parent, attribute, sums, when }) => [
        cell(code(`${parent.name}.${attribute.name}`)),
        cell(
          ...(sums
            ? ['sum of ', code(`${model.name}.${sums.name}`)]
            : ['number of ', entity(model.name)]),
          ...(when ? [` where ${whenWords(when)}`] : []),
        ),
        cell('the same transaction as every write of ', entity(model.name)),
      ]),
      ...[...model.attributes.values()].flatMap(({ name, definition: { copyOf } }) =>
        copyOf === undefined
          ? []
          : [
              [
                cell(code(`${model.name}.${name}`)),
                cell('repeats ', code(typeof copyOf === 'object' ? copyOf.from : copyOf)),
                cell('propagation from the stream, shortly after a change'),
              ],
            ],
      ),
    ]
  })
  return {
    kind: 'table',
    columns: [{ title: 'What' }, { title: 'Repeats' }, { title: 'Kept in sync by' }],
    rows: rows.map((cells) => ({ cells })),
  }
}

function staleReads({ schema, design }: DocumentSources): readonly Line[] {
  const eventual = [...schema.patterns.values()].filter(
    ({ name }) => design.plans.get(name)?.consistency === 'eventual',
  )
  const global = eventual.filter(({ use }) => use?.index.type === 'global')
  const names = (list: typeof eventual): Line =>
    listed(
      list.map(({ name, definition }) => link(elementId('AP', name), titleOf(name, definition))),
    )
  const after = eventual.filter(({ definition }) => definition.afterWrite)
  const lines: Line[] = []
  if (global.length > 0) {
    lines.push([
      'A global index is updated after the table, usually within a second, and has no consistent reads: ',
      ...names(global),
      '.',
    ])
  }
  const others = eventual.filter((each) => !global.includes(each))
  if (others.length > 0) {
    lines.push([
      'Eventually consistent reads of the table cost half and may miss the latest writes: ',
      ...names(others),
      '.',
    ])
  }
  if (after.length > 0) {
    lines.push(['Called right after a write, but eventually consistent: ', ...names(after), '.'])
  }
  if (schema.ttl !== undefined) {
    lines.push([
      'DynamoDB deletes expired items up to days after their time (',
      code(schema.ttl),
      '); the library hides them immediately, other readers see them.',
    ])
  }
  return lines
}

function lockLines(sources: DocumentSources): readonly Line[] {
  return ownModels(sources).flatMap((model): Line[] =>
    model.version
      ? [
          [
            entity(model.name),
            ' has a version, ',
            code(model.version.name),
            ': a write with a version fails if the item has changed since.',
          ],
        ]
      : [],
  )
}
