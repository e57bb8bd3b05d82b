import {
  type Block,
  code,
  elementId,
  entity,
  type Line,
  link,
  listed,
  paragraph,
  type Section,
} from '../document.ts'
import { type DocumentSources, ownModels } from '../document-sources.ts'
import { titleOf } from '../pattern-cells.ts'

/** What this design does not do, or not well. */
export function whenNotRight(sources: DocumentSources): Section {
  const items = [...patternLimits(sources), ...growth(sources)]
  const blocks: Block[] = [
    paragraph(
      'One table answers the access patterns it was designed for, each in one or two requests. A new access pattern may need a new index, a scan, or another service; reports over all items and full-text search belong elsewhere. For this table, the schema declares:',
    ),
    items.length > 0
      ? { kind: 'list', items }
      : {
          kind: 'list',
          items: [
            [
              'Every declared pattern is answered from its keys, and no model is declared to grow without limit.',
            ],
          ],
        },
  ]
  return { id: 'when-not-right', title: 'When this design is not right', blocks }
}

function patternLimits({ schema, design }: DocumentSources): readonly Line[] {
  return [...schema.patterns.values()].flatMap(({ name, definition }): Line[] => {
    const to = link(elementId('AP', name), titleOf(name, definition))
    if (definition.op === 'external') {
      return [[to, ` is answered by ${definition.service}: ${definition.reason}.`]]
    }
    if (definition.op === 'scan') {
      return [[to, ` reads the whole table: ${definition.reason}.`]]
    }
    const { alsoReads = [], filter = null } = design.plans.get(name) ?? {}
    return [
      ...(alsoReads.length > 0
        ? [
            [
              to,
              ' also reads, and pays for, items of ',
              ...listed(alsoReads.map(entity)),
              ' and discards them.',
            ],
          ]
        : []),
      ...(filter !== null
        ? [
            [
              to,
              ' filters by ',
              ...listed(Object.keys(filter).map(code)),
              ' after reading: it pays for what it discards.',
            ],
          ]
        : []),
    ]
  })
}

function growth(sources: DocumentSources): readonly Line[] {
  return ownModels(sources).flatMap((model): Line[] => {
    const { stats } = sources.schema.definition.models[model.name] ?? {}
    if (stats?.growth !== 'unbounded') return []
    return [
      [
        entity(model.name),
        model.ttl
          ? ' is declared to grow without limit; its items expire by '
          : ' is declared to grow without limit, and its items do not expire.',
        ...(model.ttl ? [code(model.ttl.name), '.'] : []),
      ],
    ]
  })
}
