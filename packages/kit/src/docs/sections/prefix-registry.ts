import { compareUtf8 } from 'singletable/tools'
import { cell, code, entity, key, listed, type Row, type Section } from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { indexName } from '../index-name.ts'

interface Entry {
  readonly prefix: string
  readonly attribute: string
  readonly indexes: Set<string>
  readonly entities: Set<string>
  readonly templates: Set<string>
}

/** The prefixes of keys, and the models that use them. */
export function prefixRegistry({ schema }: DocumentSources): Section {
  const entries = new Map<string, Entry>()
  const add = (
    prefix: string,
    attribute: string,
    index: string,
    owner: string,
    template: string,
  ) => {
    const name = JSON.stringify([prefix, attribute])
    const entry = entries.get(name) ?? {
      prefix,
      attribute,
      indexes: new Set(),
      entities: new Set(),
      templates: new Set(),
    }
    entries.set(name, entry)
    entry.indexes.add(index)
    entry.entities.add(owner)
    entry.templates.add(template)
  }
  for (const model of schema.models.values()) {
    for (const { index, hash, sort } of model.indexes) {
      for (const { name, template } of [...hash, ...sort]) {
        if (template) add(template.prefix, name, index.name, model.name, template.source)
      }
    }
    for (const { prefix, attributes } of model.derivedItems?.unique ?? []) {
      const { separator } = schema.params
      const values = attributes.map(({ name }) => `\${${name}}`).join(separator)
      const hash = schema.primary.hash[0] ?? ''
      add(`${prefix}${separator}`, hash, 'primary', model.name, `${prefix}${separator}${values}`)
    }
  }
  const rows = [...entries.values()]
    .sort((a, b) => compareUtf8(a.prefix, b.prefix) || compareUtf8(a.attribute, b.attribute))
    .map(
      ({ prefix, attribute, indexes, entities, templates }): Row => ({
        cells: [
          prefix === '' ? cell('none: the key starts with a value') : cell(code(prefix)),
          cell(code(attribute)),
          cell(...listed([...indexes].map(indexName))),
          cell(...listed([...entities].map(entity))),
          cell(...listed([...templates].map(key))),
        ],
      }),
    )
  return {
    id: 'prefixes',
    title: 'Prefix registry',
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Prefix' },
          { title: 'Key attribute' },
          { title: 'Index' },
          { title: 'Entities' },
          { title: 'Keys' },
        ],
        rows,
      },
    ],
  }
}
