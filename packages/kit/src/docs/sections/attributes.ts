import type { Attribute, Model } from 'singletable/tools'
import {
  type Block,
  type Cell,
  cell,
  code,
  elementId,
  entity,
  type Line,
  listed,
  NONE,
  type Row,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { indexName } from '../index-name.ts'
import { typeWords } from '../type-words.ts'

/** The attributes of every entity. */
export function attributesSection({ schema }: DocumentSources): Section {
  const blocks = [...schema.models.values()].flatMap((model): Block[] => [
    { kind: 'heading', id: elementId('entity', model.name), line: [model.name] },
    ...(model.source
      ? [
          {
            kind: 'paragraph' as const,
            line: [
              'A copy of ',
              entity(model.source.name),
              ...eachWords(model),
              ', written together with it.',
            ],
          },
        ]
      : []),
    {
      kind: 'table',
      columns: [
        { title: 'Attribute' },
        { title: 'Type' },
        { title: 'Required' },
        { title: 'If not given' },
        { title: 'In keys of' },
        { title: 'Notes' },
      ],
      rows: [...model.attributes.values()].map((attribute) => attributeRow(model, attribute)),
    },
  ])
  return { id: 'attributes', title: 'Attributes', blocks }
}

function eachWords(model: Model): Line {
  const { each } = model.source?.derivedItems?.copies.find((copy) => copy.model === model) ?? {}
  return each ? [' for each element of ', code(each.list.name)] : []
}

function attributeRow(model: Model, attribute: Attribute): Row {
  const { name, stored, definition } = attribute
  return {
    cells: [
      [[code(name)], ...(stored === name ? [] : [['stored as ', code(stored)] satisfies Line])],
      typeCell(definition),
      cell(definition.required ? 'yes' : '–'),
      suppliedCell(model, attribute),
      keysCell(model, name),
      notesCell(model, attribute),
    ],
  }
}

function typeCell(definition: Attribute['definition']): Cell {
  const type: Line = [typeWords(definition)]
  if (!definition.enum) return [type]
  return [type, listed(definition.enum.map((value) => code(String(value))))]
}

function suppliedCell(model: Model, attribute: Attribute): Cell {
  const { generate, default: value } = attribute.definition
  if (attribute === model.createdAt) return cell('the time of the first write')
  if (attribute === model.updatedAt) return cell('the time of every write')
  if (attribute === model.version) return cell('incremented by every write')
  if (typeof generate === 'string') return cell(`a new ${generate}`)
  if (generate !== undefined) return cell('made by a function')
  if (typeof value === 'function') return cell('made by a function')
  return value === undefined ? NONE : cell(code(printed(value)))
}

function printed(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (value instanceof Set) return JSON.stringify([...value].map(String))
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function keysCell(model: Model, name: string): Cell {
  const uses = model.indexes.filter(({ hash, sort }) =>
    [...hash, ...sort].some((part) =>
      part.template ? part.template.names.includes(name) : part.attribute.name === name,
    ),
  )
  return uses.length === 0 ? NONE : cell(uses.map(({ index }) => indexName(index.name)).join(', '))
}

function notesCell(model: Model, attribute: Attribute): Cell {
  const { definition, name } = attribute
  const { copyOf, counts, sums, unique, maxBytes, pad } = definition
  const lines: Line[] = []
  const note = (...line: Line): void => void lines.push(line)
  if (attribute === model.ttl) note('the item expires at this time')
  if (unique) note(unique === 'ignore-case' ? 'unique, ignoring case' : 'unique')
  if (copyOf !== undefined) {
    note('copy of ', code(typeof copyOf === 'object' ? copyOf.from : copyOf))
  }
  if (counts !== undefined) {
    note('counts ', entity(typeof counts === 'object' ? counts.model : counts))
  }
  if (sums !== undefined) note('sum of ', code(typeof sums === 'object' ? sums.of : sums))
  const how = definition.stored === false ? 'computed when read, from ' : 'computed from '
  if (definition.from) note(how, ...listed(definition.from.map((each) => code(each))))
  if (definition.set) note('changed before it is stored')
  if (definition.readonly) note('never changed')
  if (definition.hidden) note('left out of outputs')
  if (definition.nulls) note('can be null')
  if (maxBytes !== undefined)
    note({ kind: 'figure', text: `at most ${maxBytes} bytes`, basis: 'declared' })
  if (pad !== undefined) note({ kind: 'figure', text: `${pad} digits in keys`, basis: 'declared' })
  if (definition.encode)
    note(definition.encode === 'raw' ? 'not escaped in keys' : 'escaped in keys')
  if (definition.normalize) note(`normalised to ${definition.normalize}`)
  if (definition.validate !== undefined) {
    const { validate } = definition
    if (validate instanceof RegExp) note('matches ', code(String(validate)))
    else note('validated')
  }
  if (definition.codec) note('stored in another form')
  if (definition.start !== undefined) note('not before ', definition.start)
  const rules = (model.derivedItems?.unique ?? []).filter(
    (rule) => rule.attributes.length > 1 && rule.attributes.some((each) => each.name === name),
  )
  for (const rule of rules) {
    note(
      'unique together with ',
      ...listed(
        rule.attributes.filter((each) => each.name !== name).map((each) => code(each.name)),
      ),
    )
  }
  return lines
}
