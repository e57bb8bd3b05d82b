import { getOwn, type Model, type ModelIndex } from 'singletable/tools'
import { itemBytes } from '../../cost/item-bytes.ts'
import { itemCount } from '../../cost/item-count.ts'
import {
  type Cell,
  cell,
  code,
  elementId,
  entity,
  groupDigits,
  key,
  type Line,
  NONE,
  type Row,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { bytesCell, shownFigure } from '../figures.ts'
import { whenWords } from '../when-words.ts'

/** Every entity with its keys in every index. */
export function entityChart(sources: DocumentSources): Section {
  const { schema, design } = sources
  const keys = [...schema.indexes.values()].flatMap((index) => [
    ...index.hash.map((name) => ({ index, name })),
    ...index.sort.map((name) => ({ index, name })),
  ])
  // An attribute that is a key of several indexes, such as an inverted one, has one column.
  const columns = keys.filter(({ name }, at) => keys.findIndex((each) => each.name === name) === at)
  const rows = [...schema.models.values()].map((model): Row => {
    const count = itemCount(design, model)
    return {
      cells: [
        [
          [entity(model.name)],
          ...(model.source ? [['copy of ', entity(model.source.name)] satisfies Line] : []),
        ],
        cell(code(model.name)),
        ...columns.map(({ name }) => keyCell(model, name)),
        bytesCell(itemBytes(design, model)),
        count ? cell(shownFigure(count, groupDigits(count.value))) : NONE,
        growthCell(model),
      ],
    }
  })
  return {
    id: 'entities',
    title: 'Entity chart',
    entries: [...schema.models.values()].map(({ name, attributes }) => ({
      id: elementId('entity', name),
      line: [entity(name)],
      words: [...attributes.keys()],
    })),
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Entity' },
          { title: schema.params.typeField, below: true },
          ...columns.map(({ name }) => ({ title: name })),
          { title: 'Size', align: 'right' },
          { title: 'Items', align: 'right', below: true },
          { title: 'Growth' },
        ],
        rows: [
          ...rows,
          ...guardRows(
            sources,
            columns.map(({ name }) => name),
          ),
        ],
      },
    ],
  }
}

/** The value of a key attribute of a model; empty if its items do not have it. */
function keyCell(model: Model, name: string): Cell {
  for (const use of model.indexes) {
    const part = [...use.hash, ...use.sort].find((each) => each.name === name)
    if (part === undefined) continue
    const line: Line = [key(part.template ? part.template.source : `\${${part.attribute.name}}`)]
    const condition = sparseText(model, use)
    return condition === undefined ? [line] : [line, [condition]]
  }
  return NONE
}

/** Why an item may not be in an index. */
function sparseText(model: Model, use: ModelIndex): string | undefined {
  if (use === model.primary) return undefined
  if (use.when) return `while ${whenWords(use.when)}`
  const optional = use.names.filter((name) => {
    const { definition, supply } = model.attributes.get(name) ?? {}
    return !definition?.required && !supply && !model.primary.names.includes(name)
  })
  // Times that every write sets are never missing.
  const missing = optional.filter(
    (name) => name !== model.createdAt?.name && name !== model.updatedAt?.name,
  )
  return missing.length === 0 ? undefined : `where ${missing.join(' and ')} is given`
}

function growthCell(model: Model): Cell {
  const { stats } = getOwn(model.schema.definition.models, model.name) ?? {}
  const { average, max } = stats?.perPartition ?? {}
  const lines: Line[] = []
  if (stats?.growth) lines.push([{ kind: 'figure', text: stats.growth, basis: 'declared' }])
  if (average !== undefined) {
    lines.push([
      { kind: 'figure', text: `${groupDigits(average)} in a partition`, basis: 'declared' },
    ])
  }
  if (max !== undefined) {
    lines.push([{ kind: 'figure', text: `at most ${groupDigits(max)} in one`, basis: 'declared' }])
  }
  if (model.ttl) lines.push(['expires by ', code(model.ttl.name)])
  return lines.length === 0 ? NONE : lines
}

/** Guards of unique values: they are in the table but have no entity. */
function guardRows({ schema }: DocumentSources, keys: readonly string[]): readonly Row[] {
  return [...schema.models.values()].flatMap((model) =>
    (model.derivedItems?.unique ?? []).map((rule): Row => {
      const { separator } = schema.params
      const values = rule.attributes.map(({ name }) => `\${${name}}`).join(separator)
      const [hash, sort] = [schema.primary.hash[0], schema.primary.sort[0]]
      return {
        cells: [
          [
            ['guard of ', entity(model.name)],
            ['unique ', code(rule.name)],
          ],
          cell(code('_unique')),
          ...keys.map((name) =>
            name === hash
              ? cell(key(`${rule.prefix}${separator}${values}`))
              : name === sort
                ? cell(key('UNIQUE'))
                : NONE,
          ),
          NONE,
          NONE,
          NONE,
        ],
      }
    }),
  )
}
